//! Drawing pictures one after the other: what the next one has in common with the last is drawn once.
//!
//! A history sheet shares all but one or two of its screens with the previous sheet, the icons of a question are cut
//! from one screen, and the screen that one agent sees is shown to the next agent, too.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use image::RgbaImage;

use super::kept::Kept;
use super::{PictureError, Source, history, marks, png, shot};
use droidmux_gui::LayoutHash;
use droidmux_paint::Canvas;
use droidmux_record::{BlobHash, Frame, Mark, Picture};

/// Sides a picture may be scaled to, in pixels.
const LONGEST: std::ops::RangeInclusive<u32> = 64..=8_192;

/// The most bytes kept: of screens, of screens on sheets, of pictures. Three screens of a phone, the screens of a few
/// sheets and a dozen pictures.
const SCREENS: usize = 32 << 20;
const SMALL: usize = 24 << 20;
const DRAWN: usize = 4 << 20;

/// The most sizes of screens kept.
const SIZES: usize = 4_096;

/// A screen, identified by its pixels and by the positions of its password fields.
type Screen = (BlobHash, LayoutHash);

/// Draws pictures and keeps parts of them, some 60 MB at most. Drawing from many threads at once is allowed; parts that
/// two of them need at the same time may be drawn twice.
pub struct Darkroom {
    /// At the device's resolution, password fields painted over.
    screens: Mutex<Kept<Screen, Arc<RgbaImage>>>,
    sizes: Mutex<Kept<Screen, (u32, u32)>>,
    /// Marked, then scaled by the factor with these bits.
    small: Mutex<Kept<(Screen, Vec<Mark>, u64), Arc<RgbaImage>>>,
    /// PNGs, by their longest side.
    drawn: Mutex<Kept<(Picture, u32), Arc<[u8]>>>,
}

impl Default for Darkroom {
    fn default() -> Self {
        Self {
            screens: Mutex::new(Kept::new(SCREENS)),
            sizes: Mutex::new(Kept::new(SIZES)),
            small: Mutex::new(Kept::new(SMALL)),
            drawn: Mutex::new(Kept::new(DRAWN)),
        }
    }
}

impl Darkroom {
    /// Like [`super::draw`], with equal bytes whatever was drawn before.
    ///
    /// # Errors
    /// As for [`super::draw`]; a picture that was drawn once can be drawn again without its source.
    pub fn draw(
        &self,
        picture: &Picture,
        source: &dyn Source,
        longest: u32,
    ) -> Result<Arc<[u8]>, PictureError> {
        let key = (picture.clone(), longest.clamp(*LONGEST.start(), *LONGEST.end()));
        if let Some(drawn) = locked(&self.drawn).get(&key) {
            return Ok(drawn);
        }
        let longest = key.1;
        let drawn: Arc<[u8]> = match picture {
            Picture::Screen(frame) => {
                let screen = self.screen(frame, source)?;
                png(marked(&screen, &frame.marks, shot::scale_to(screen.dimensions(), (longest, longest))))?
            }
            Picture::History(frames) => png(history::draw(frames, self, source, longest)?)?,
            Picture::Icon { frame, bounds } => {
                png(shot::icon(&*self.screen(frame, source)?, *bounds, longest)?)?
            }
        }
        .into();
        locked(&self.drawn).put(key, Arc::clone(&drawn), drawn.len());
        Ok(drawn)
    }

    /// A screen's width and height, in pixels, and its pixels when they had to be decoded for that.
    pub(super) fn size(
        &self,
        frame: &Frame,
        source: &dyn Source,
    ) -> Result<((u32, u32), Option<Arc<RgbaImage>>), PictureError> {
        if let Some(size) = locked(&self.sizes).get(&key(frame)) {
            return Ok((size, None));
        }
        let screen = self.screen(frame, source)?;
        Ok((screen.dimensions(), Some(screen)))
    }

    /// A screen as it stands on a sheet; `screen` if its pixels are at hand.
    pub(super) fn small(
        &self,
        frame: &Frame,
        screen: Option<Arc<RgbaImage>>,
        scale: f64,
        source: &dyn Source,
    ) -> Result<Arc<RgbaImage>, PictureError> {
        let key = (key(frame), frame.marks.clone(), scale.to_bits());
        if let Some(small) = locked(&self.small).get(&key) {
            return Ok(small);
        }
        let screen = screen.map_or_else(|| self.screen(frame, source), Ok)?;
        let small = Arc::new(marked(&screen, &frame.marks, scale));
        locked(&self.small).put(key, Arc::clone(&small), small.as_raw().len());
        Ok(small)
    }

    fn screen(&self, frame: &Frame, source: &dyn Source) -> Result<Arc<RgbaImage>, PictureError> {
        let key = key(frame);
        if let Some(screen) = locked(&self.screens).get(&key) {
            return Ok(screen);
        }
        let screen = Arc::new(shot::screen(frame, source)?);
        locked(&self.screens).put(key, Arc::clone(&screen), screen.as_raw().len());
        locked(&self.sizes).put(key, screen.dimensions(), 1);
        Ok(screen)
    }
}

fn key(frame: &Frame) -> Screen {
    (frame.screenshot, frame.layout)
}

/// A screen with its marks, scaled after they are drawn.
fn marked(screen: &RgbaImage, marks: &[Mark], scale: f64) -> RgbaImage {
    if marks.is_empty() {
        return shot::resized(screen, scale);
    }
    let mut canvas = Canvas::on(screen.clone());
    marks::draw(&mut canvas, marks, scale);
    shot::resized(canvas.image(), scale)
}

/// The cache is consistent whenever the lock is free: a thread that panicked has changed nothing halfway.
fn locked<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}
