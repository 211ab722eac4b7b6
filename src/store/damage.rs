//! What is wrong with a stored value. [`StoreError::Corrupt`](super::StoreError::Corrupt) says which value it is.

use thiserror::Error;

use super::screens::PictureDamage;

/// What is wrong with a stored value, or with one that it needs.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Damage {
    /// Not even its version is there.
    #[error("it is empty")]
    Empty,
    /// Its head is cut off: says where.
    #[error("it ends {0}")]
    CutOff(&'static str),
    /// Flags that no version of droidmux writes.
    #[error("it has unknown flags {0:#x}")]
    Flags(u8),
    /// It claims to be larger than any value may be.
    #[error("it claims {claimed} bytes, the limit is {limit}")]
    TooLarge {
        /// Bytes before compression, as its head says.
        claimed: usize,
        /// The most that any value has.
        limit: usize,
    },
    /// One of its further pieces is not stored.
    #[error("piece {number} of {of} is missing")]
    Piece {
        /// From 1.
        number: u16,
        /// How many further pieces it has.
        of: u16,
    },
    /// It is longer or shorter than its head says.
    #[error("it has {found} bytes instead of {told}")]
    Length {
        /// Bytes it has.
        found: usize,
        /// Bytes it should have.
        told: usize,
    },
    /// In zstd's words.
    #[error("it cannot be decompressed: {0}")]
    Compression(String),
    /// Its kind has never had this version, or gets it only in a later droidmux.
    #[error("it has version {found}, this droidmux reads up to {known}")]
    Version {
        /// The version that it states.
        found: u8,
        /// The last one that is known.
        known: u8,
    },
    /// A value ended before its bytes did.
    #[error("{0} bytes are left over")]
    LeftOver(usize),
    /// Its bytes are no value of its kind.
    #[error("it cannot be decoded: {0}")]
    Decoding(postcard::Error),
    /// Its type cannot be stored at all.
    #[error("it cannot be encoded: {0}")]
    Encoding(postcard::Error),
    /// It is no list.
    #[error("it has no length: {0}")]
    NoList(postcard::Error),
    /// Its content is that of another name.
    #[error("its content has another hash")]
    OtherHash,
    /// Its bytes are no layout.
    #[error("it is no sound layout")]
    Unsound,
    /// A packed screenshot.
    #[error(transparent)]
    Picture(#[from] PictureDamage),
    /// Something else names it, and it is missing.
    #[error("it is not stored")]
    NotStored,
    /// The job that it belongs to is missing.
    #[error("its job is not stored")]
    NoJob,
    /// It is not the number of turns that its key says.
    #[error("{0} turns come before it")]
    TurnsBefore(usize),
    /// An attempt has lost turns, or has more than it finished with.
    #[error("attempt {attempt} has {found} turns instead of {told}")]
    Turns {
        /// From 0.
        attempt: u32,
        /// How many are stored.
        found: usize,
        /// How many it finished with.
        told: u32,
    },
    /// A damaged log does not give it back.
    #[error("it cannot be read")]
    Lost,
}
