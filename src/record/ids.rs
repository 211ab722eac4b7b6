//! The names of recorded things.

use std::fmt;

use serde::{Deserialize, Serialize};

use droidmux_gui::hex;

/// A session's number in its store, counted from 1; shown as `s7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SessionId(pub u32);

/// A job's number in its session, counted from 0; shown as `j12`.
///
/// Slots are handed to the planner in order; one the planner leaves empty has no job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Slot(pub u64);

/// A job of any session of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct JobId {
    /// Which session of the store.
    pub session: SessionId,
    /// Which job of the session.
    pub slot: Slot,
}

/// A finding's name: the session and the first 8 hex digits of the hash of its canonical key, shown as `s7-1a2b3c4d`;
/// if two keys have the same digits, the one found later gets others. The same bug found by the same session keeps its
/// name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FindingId {
    /// The session that found it.
    pub session: SessionId,
    /// The start of the BLAKE3 of the canonical key.
    pub key: u32,
}

/// A mask's name: the first 16 bytes of the BLAKE3 of what it fits; shown by its first 8 hex
/// digits, as `m1a2b3c4d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MaskId(pub [u8; 16]);

/// An example's name: the first 16 bytes of the BLAKE3 of its entire content; shown by its first 8 hex digits, as
/// `e1a2b3c4d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExampleId(pub [u8; 16]);

/// BLAKE3 of a file beside the store (a screenshot); 64 hex digits in formats for people.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BlobHash(#[serde(with = "hex")] pub [u8; 32]);

/// A text that is no id of the kind that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoId {
    /// It should name a session.
    #[error("`{text}` is no session id; ids look like `s7`")]
    Session {
        /// As it was given.
        text: String,
    },
    /// It should name a finding.
    #[error("`{text}` is no finding id; ids look like `s7-1a2b3c4d`")]
    Finding {
        /// As it was given.
        text: String,
    },
}

impl BlobHash {
    /// The name of a file with this content.
    pub fn of(content: &[u8]) -> Self {
        Self(*blake3::hash(content).as_bytes())
    }
}

impl FindingId {
    /// The id of the finding with this canonical key (see [`super::Verdict::key`]).
    pub fn of(session: SessionId, technique: &str, key: &str) -> Self {
        Self::other(session, technique, key, 0)
    }

    /// The id if `taken` earlier findings with other keys already have the same digits: eight digits are few, and
    /// different findings must not become one.
    pub fn other(session: SessionId, technique: &str, key: &str, taken: u32) -> Self {
        let mut named = format!("{technique}\n{key}");
        if taken > 0 {
            named += &format!("\n\0{taken}");
        }
        let digest = blake3::hash(named.as_bytes());
        let mut short = [0; 4];
        short.copy_from_slice(&digest.as_bytes()[..4]);
        Self { session, key: u32::from_be_bytes(short) }
    }
}

impl std::str::FromStr for SessionId {
    type Err = NoId;

    fn from_str(text: &str) -> Result<Self, NoId> {
        let digits = text.strip_prefix('s').unwrap_or(text);
        digits.parse().map(SessionId).map_err(|_| NoId::Session { text: text.to_owned() })
    }
}

impl std::str::FromStr for FindingId {
    type Err = NoId;

    fn from_str(text: &str) -> Result<Self, NoId> {
        let wrong = || NoId::Finding { text: text.to_owned() };
        let (session, key) = text.split_once('-').ok_or_else(wrong)?;
        let session = session.parse().map_err(|_| wrong())?;
        let key = u32::from_str_radix(key, 16).map_err(|_| wrong())?;
        Ok(Self { session, key })
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "j{}", self.0)
    }
}

impl fmt::Display for FindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:08x}", self.session, self.key)
    }
}

impl fmt::Display for MaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("m")?;
        hex::write(f, &self.0[..4])
    }
}

impl fmt::Display for ExampleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("e")?;
        hex::write(f, &self.0[..4])
    }
}

impl fmt::Display for BlobHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex::write(f, &self.0)
    }
}

impl fmt::Debug for BlobHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blob_hashes_are_hex_for_people_and_bytes_for_machines() {
        let hash = BlobHash::of(b"picture");
        let json = serde_json::to_string(&hash).expect("json");
        assert_eq!(json, format!("\"{hash}\""));
        assert_eq!(json.len(), 66);
        assert_eq!(serde_json::from_str::<BlobHash>(&json).expect("back"), hash);
        let list = serde_json::to_string(&hash.0).expect("json");
        assert_eq!(serde_json::from_str::<BlobHash>(&list).expect("an earlier JSON"), hash);
        for wrong in ["\"\"", "\"00\"", "7", "[1,2]"] {
            assert!(serde_json::from_str::<BlobHash>(wrong).is_err(), "{wrong}");
        }
        // As stored since format 1.
        let bytes = postcard::to_stdvec(&Some(hash)).expect("postcard");
        assert_eq!((bytes[0], &bytes[1..]), (1, &hash.0[..]));
        assert_eq!(postcard::from_bytes::<Option<BlobHash>>(&bytes).expect("back"), Some(hash));
    }
}
