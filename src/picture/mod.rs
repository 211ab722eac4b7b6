//! Pictures for models and people: screens with marks, histories, icons.
//!
//! In: a [`Picture`] as drivers describe it, and a [`Source`] of screenshots and layouts. Out: the
//! bytes of a PNG.
//!
//! Invariants: pure and deterministic, so equal pictures have equal bytes; what a password field shows
//! is painted over in every picture, and without the layout that tells where there is none; marks are
//! drawn at the device's resolution and then scaled, in sizes that keep their numbers at least
//! [`SMALLEST`] pixels high; screenshots and layouts are hostile: sizes are capped, coordinates may be
//! anything. Drawing takes tens of milliseconds of processor time: async callers use a blocking thread.

mod busyness;
mod error;
mod history;
#[cfg(any(test, fuzzing))]
pub mod hostile;
mod marks;
mod placement;
mod shot;

#[cfg(test)]
mod tests;

use std::io::Cursor;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, RgbaImage};

use crate::record::{BlobHash, Layouts, Picture};
pub use error::PictureError;
use shot::Shot;

/// Pixels that digits of marks and letters of captions are high at least, after scaling.
pub const SMALLEST: i32 = 12;

/// Sides a picture may be scaled to, in pixels.
const LONGEST: std::ops::RangeInclusive<u32> = 64..=8_192;

/// An icon's longer side at least: below that models see nothing.
const SMALLEST_ICON: u32 = 96;

/// Where screenshots and layouts come from.
pub trait Source: Layouts {
    /// The bytes of a screenshot, PNG or JPEG; `None` when it is unknown or unreadable.
    fn screenshot(&self, hash: BlobHash) -> Option<Vec<u8>>;
}

/// Draws a picture, its longer side at most `longest` pixels (64 to 8,192), as PNG.
///
/// # Errors
/// When a screenshot or layout is missing, too large or of another format, when an icon lies outside
/// its screen, or when a history has no screens. In a history, screens that cannot be drawn are left
/// blank as long as there is another one.
pub fn draw(picture: &Picture, source: &dyn Source, longest: u32) -> Result<Vec<u8>, PictureError> {
    let longest = longest.clamp(*LONGEST.start(), *LONGEST.end());
    let image = match picture {
        Picture::Screen(frame) => {
            let mut shot = Shot::of(frame, source)?;
            let scale = shot.scale_to(longest, longest);
            marks::draw(&mut shot, &frame.marks, scale);
            shot.scaled(scale)
        }
        Picture::History(frames) => history::draw(frames, source, longest)?,
        Picture::Icon { frame, bounds } => {
            let shot = Shot::of(frame, source)?;
            let icon = shot.cut(*bounds)?;
            let side = icon.width().max(icon.height()).max(1);
            let target = side.clamp(SMALLEST_ICON.min(longest), longest);
            shot::resized(&icon, f64::from(target) / f64::from(side))
        }
    };
    png(image)
}

/// Without transparency: all pictures are opaque.
fn png(image: RgbaImage) -> Result<Vec<u8>, PictureError> {
    let mut bytes = Cursor::new(Vec::new());
    let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::Adaptive);
    let image = DynamicImage::ImageRgba8(image).into_rgb8();
    image.write_with_encoder(encoder).map_err(|error| PictureError::Encoding(error.to_string()))?;
    Ok(bytes.into_inner())
}
