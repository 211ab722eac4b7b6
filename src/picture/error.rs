//! Why a picture could not be drawn.

use crate::gui::{Bounds, LayoutHash};
use crate::record::BlobHash;

/// Why a picture could not be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    #[error("screenshot {0} is not there")]
    NoScreenshot(BlobHash),
    /// Without it nobody knows where a password is.
    #[error("layout {0} is not there, so its password fields cannot be painted over")]
    NoLayout(LayoutHash),
    /// Damaged, of another format than PNG and JPEG, or larger than a picture may be.
    #[error("screenshot {hash} cannot be read: {why}")]
    Unreadable { hash: BlobHash, why: String },
    #[error("the icon {0} lies outside its screen")]
    Outside(Bounds),
    #[error("a history without screens")]
    Empty,
    #[error("encoding a PNG failed: {0}")]
    Encoding(String),
}
