//! A screenshot, ready to be drawn on: decoded, its password fields painted over.

use std::io::Cursor;

use image::{ImageFormat, ImageReader, Limits, RgbaImage, imageops};

use super::{PictureError, Source};
use crate::gui::{Bounds, Flags, Layout};
use crate::paint::{Canvas, Color, MAX_SIDE};
use crate::record::{BlobHash, Frame};

/// Bytes that decoding a screenshot may take.
const MAX_BYTES: u64 = 256 << 20;

const COVER: Color = Color(158, 158, 158);
const HATCH: Color = Color(97, 97, 97);

/// A screen at the device's resolution.
pub(super) struct Shot {
    pub canvas: Canvas,
}

impl Shot {
    pub(super) fn of(frame: &Frame, source: &dyn Source) -> Result<Self, PictureError> {
        let layout = source.layout(frame.layout).ok_or(PictureError::NoLayout(frame.layout))?;
        let hash = frame.screenshot;
        let bytes = source.screenshot(hash).ok_or(PictureError::NoScreenshot(hash))?;
        let mut shot = Self { canvas: Canvas::on(decoded(hash, &bytes)?) };
        shot.hide_passwords(&layout);
        Ok(shot)
    }

    /// Width and height, in pixels.
    pub(super) fn size(&self) -> (u32, u32) {
        self.canvas.image().dimensions()
    }

    /// The factor, at most 1, that makes it fit into this width and height.
    pub(super) fn scale_to(&self, width: u32, height: u32) -> f64 {
        let (w, h) = self.size();
        (f64::from(width) / f64::from(w.max(1))).min(f64::from(height) / f64::from(h.max(1))).min(1.0)
    }

    pub(super) fn scaled(self, scale: f64) -> RgbaImage {
        resized(self.canvas.image(), scale)
    }

    /// A part of it.
    pub(super) fn cut(&self, bounds: Bounds) -> Result<RgbaImage, PictureError> {
        let part = bounds.intersection(self.canvas.bounds());
        if part.is_empty() {
            return Err(PictureError::Outside(bounds));
        }
        let [x, y, width, height] =
            [part.left, part.top, part.width(), part.height()].map(|n| u32::try_from(n).unwrap_or(0));
        Ok(imageops::crop_imm(self.canvas.image(), x, y, width, height).to_image())
    }

    /// Whatever way their bounds are turned.
    fn hide_passwords(&mut self, layout: &Layout) {
        for widget in layout.widgets().filter(|widget| widget.has(Flags::PASSWORD)) {
            let Bounds { left, top, right, bottom } = widget.bounds();
            let area = Bounds::new(left.min(right), top.min(bottom), left.max(right), top.max(bottom));
            let area = area.intersection(self.canvas.bounds());
            self.canvas.clip(area);
            self.canvas.fill(area, COVER);
            let gap = (area.height() / 3).max(12);
            let reach = area.height();
            for x in (area.left - reach..area.right).step_by(usize::try_from(gap).unwrap_or(12)) {
                self.canvas.line((x, area.bottom), (x + reach, area.top), gap / 5, HATCH);
            }
            self.canvas.unclip();
        }
    }
}

/// The image scaled by this factor; never less than a pixel.
pub(super) fn resized(image: &RgbaImage, scale: f64) -> RgbaImage {
    let side = |length: u32| ((f64::from(length) * scale).round() as u32).clamp(1, MAX_SIDE);
    let (width, height) = (side(image.width()), side(image.height()));
    if (width, height) == image.dimensions() {
        return image.clone();
    }
    imageops::resize(image, width, height, imageops::FilterType::Triangle)
}

pub(super) fn decoded(hash: BlobHash, bytes: &[u8]) -> Result<RgbaImage, PictureError> {
    let unreadable = |why: String| PictureError::Unreadable { hash, why };
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
    let mut reader = reader.map_err(|error| unreadable(error.to_string()))?;
    if !matches!(reader.format(), Some(ImageFormat::Png | ImageFormat::Jpeg)) {
        return Err(unreadable("neither PNG nor JPEG".into()));
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_BYTES);
    reader.limits(limits);
    Ok(reader.decode().map_err(|error| unreadable(error.to_string()))?.into_rgba8())
}
