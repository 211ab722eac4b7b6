//! The content hash of a layout.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::hex;

/// A text that is no [`LayoutHash`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no layout hash; it must be 32 hex digits")]
pub struct NoLayoutHash {
    /// As it was given.
    pub text: String,
}

/// The identity of a layout: the first 16 bytes of the BLAKE3 hash of its canonical encoding.
///
/// Shown, and written to formats for people such as JSON, as 32 hex digits; written to binary formats as 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LayoutHash(#[serde(with = "hex")] pub [u8; 16]);

impl FromStr for LayoutHash {
    type Err = NoLayoutHash;

    fn from_str(text: &str) -> Result<Self, NoLayoutHash> {
        hex::parse(text).map(Self).ok_or_else(|| NoLayoutHash { text: text.to_owned() })
    }
}

impl fmt::Display for LayoutHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex::write(f, &self.0)
    }
}

impl fmt::Debug for LayoutHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_for_people_bytes_for_machines() {
        let hash = LayoutHash([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0xff]);
        let json = serde_json::to_string(&hash).expect("json");
        assert_eq!(json, "\"000102030405060708090a0b0c0d0eff\"");
        assert_eq!(serde_json::from_str::<LayoutHash>(&json).expect("back"), hash);
        let bytes = postcard::to_stdvec(&hash).expect("postcard");
        assert_eq!(bytes, hash.0);
        assert_eq!(postcard::from_bytes::<LayoutHash>(&bytes).expect("back"), hash);
        for wrong in ["\"\"", "\"+00102030405060708090a0b0c0d0eff\"", "7", "[1,2]"] {
            assert!(serde_json::from_str::<LayoutHash>(wrong).is_err(), "{wrong}");
        }
    }
}
