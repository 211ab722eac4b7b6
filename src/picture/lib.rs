//! Pictures for models and people: screens with marks, histories, icons.
//!
//! In: a [`Picture`] as drivers describe it, and a [`Source`] of screenshots and layouts. Out: the
//! bytes of a PNG.
//!
//! Invariants: pure and deterministic, so equal pictures have equal bytes; what a password field shows is painted over
//! in every picture, and without the layout that locates those fields there is no picture; marks are drawn at the
//! device's resolution and then scaled, in sizes that keep their numbers at least [`SMALLEST`] pixels high; screenshots
//! and layouts are hostile: sizes are capped, coordinates may be anything. Drawing takes tens of milliseconds of
//! processor time: async callers use a blocking thread, and callers that draw many pictures of one session keep a
//! [`Darkroom`], which draws equal bytes in less time.

#![cfg_attr(
    test,
    allow(
        clippy::cast_lossless,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::missing_errors_doc
    )
)]

mod busyness;
mod darkroom;
mod difference;
mod error;
mod history;
#[cfg(any(test, fuzzing))]
pub mod hostile;
mod kept;
mod marks;
mod placement;
mod shot;

#[cfg(test)]
mod tests;

use std::io::Cursor;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, RgbaImage};

pub use darkroom::Darkroom;
pub use difference::difference;
use droidmux_record::{BlobHash, Layouts, Picture};
pub use error::PictureError;

/// The minimum height in pixels of digits in marks and letters in captions, after scaling.
pub const SMALLEST: i32 = 12;

/// The source of screenshots and layouts.
pub trait Source: Layouts {
    /// The bytes of a screenshot, PNG or JPEG; `None` when it is unknown or unreadable.
    fn screenshot(&self, hash: BlobHash) -> Option<Vec<u8>>;
}

/// Draws a picture, its longer side at most `longest` pixels (64 to 8,192), as PNG.
///
/// # Errors
/// When a screenshot or layout is missing, too large or in another format, when an icon lies outside its screen, or
/// when a history has no screens. In a history, screens that cannot be drawn are left blank as long as there is another
/// one.
pub fn draw(picture: &Picture, source: &dyn Source, longest: u32) -> Result<Vec<u8>, PictureError> {
    Darkroom::default().draw(picture, source, longest).map(|png| png.to_vec())
}

/// Without transparency: all pictures are opaque.
fn png(image: RgbaImage) -> Result<Vec<u8>, PictureError> {
    let mut bytes = Cursor::new(Vec::new());
    let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::Adaptive);
    let image = DynamicImage::ImageRgba8(image).into_rgb8();
    image.write_with_encoder(encoder).map_err(|error| PictureError::Encoding(error.to_string()))?;
    Ok(bytes.into_inner())
}
