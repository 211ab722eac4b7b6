//! The content hash of a layout.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What a layout is known by: the first 16 bytes of the BLAKE3 of its canonical encoding.
///
/// Shown, and written to formats for people such as JSON, as 32 hex digits; to binary formats as
/// 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LayoutHash(pub [u8; 16]);

impl FromStr for LayoutHash {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no layout hash; it must be 32 hex digits");
        if text.len() != 32 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        u128::from_str_radix(text, 16).map(|n| Self(n.to_be_bytes())).map_err(|_| wrong())
    }
}

impl Serialize for LayoutHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for LayoutHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(Readable)
        } else {
            <[u8; 16]>::deserialize(deserializer).map(Self)
        }
    }
}

/// Hex digits, or the list of bytes that an earlier JSON may hold.
struct Readable;

impl<'de> Visitor<'de> for Readable {
    type Value = LayoutHash;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a layout hash of 32 hex digits")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<LayoutHash, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<LayoutHash, A::Error> {
        let mut bytes = [0; 16];
        for (n, byte) in bytes.iter_mut().enumerate() {
            *byte = items.next_element()?.ok_or_else(|| A::Error::invalid_length(n, &self))?;
        }
        Ok(LayoutHash(bytes))
    }
}

impl fmt::Display for LayoutHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
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
