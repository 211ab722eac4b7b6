//! What is wrong with a packed screenshot.

use thiserror::Error;

/// Why a packed screenshot cannot be unpacked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PictureDamage {
    /// It begins like none, or like one of a later droidmux.
    #[error("it is no packed picture of this version")]
    Form,
    /// Its compressed part does not say how large it is, or is larger than any picture.
    #[error("it says no size, or too large a one")]
    Size,
    /// In zstd's words.
    #[error("it cannot be decompressed: {0}")]
    Compression(String),
    /// It has no pixels, or more than any display.
    #[error("it is said to be {width} by {height}")]
    Area {
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
    },
    /// A pixel has 3 or 4 bytes.
    #[error("it is said to have {0} bytes a pixel")]
    PixelSize(usize),
    /// Pixels are missing.
    #[error("it ends too early")]
    TooShort,
    /// It has more than its pixels.
    #[error("it goes on after its last pixel")]
    TooLong,
    /// A pixel's colour has no place in its list.
    #[error("it names a colour that it does not list")]
    Colour,
    /// In the encoder's words.
    #[error("its colour profile does not go into a PNG: {0}")]
    Profile(String),
    /// In the encoder's words.
    #[error("no PNG can be made of it: {0}")]
    Png(String),
}
