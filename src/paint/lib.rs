//! Drawing on pixels: what the screens of simulated phones and the pictures for models have in common.
//!
//! In: rectangles, discs, lines and texts in pixels. Out: an RGBA image.
//!
//! Invariants: pure; equal drawings give equal pixels; whatever lies outside the image, at whatever coordinates, is
//! dropped; an image has at most [`MAX_SIDE`] pixels per side.

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

mod canvas;
mod color;
mod font;

pub use canvas::{Canvas, MAX_SIDE};
pub use color::Color;
pub use font::{Type, text_width};
