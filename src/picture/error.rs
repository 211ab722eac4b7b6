//! Why a picture could not be drawn.

use droidmux_gui::{Bounds, LayoutHash};
use droidmux_record::BlobHash;

/// Why a picture could not be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// The source does not have it: it was never taken, or has been removed since.
    #[error("screenshot {0} is not there")]
    NoScreenshot(BlobHash),
    /// Without it, the positions of password fields are unknown.
    #[error("layout {0} is not there, so its password fields cannot be painted over")]
    NoLayout(LayoutHash),
    /// Damaged, in a format other than PNG and JPEG, or larger than a picture may be.
    #[error("screenshot {hash} cannot be read: {why}")]
    Unreadable {
        /// Which one.
        hash: BlobHash,
        /// The decoder's message.
        why: String,
    },
    /// The bounds that were to be cut out, in pixels of the device.
    #[error("the icon {0} lies outside its screen")]
    Outside(Bounds),
    /// [`Picture::History`](droidmux_record::Picture::History) needs at least one.
    #[error("a history without screens")]
    Empty,
    /// The encoder's message.
    #[error("encoding a PNG failed: {0}")]
    Encoding(String),
}
