//! The names of recorded things.

use std::fmt;

use serde::{Deserialize, Serialize};

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
    pub session: SessionId,
    pub slot: Slot,
}

/// A finding's name: the session and the first 8 hex digits of the hash of its canonical key,
/// shown as `s7-1a2b3c4d`. The same bug found by the same session keeps its name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FindingId {
    pub session: SessionId,
    pub key: u32,
}

/// BLAKE3 of a file beside the store (a screenshot).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BlobHash(pub [u8; 32]);

impl BlobHash {
    /// The name of a file with this content.
    pub fn of(content: &[u8]) -> Self {
        Self(*blake3::hash(content).as_bytes())
    }
}

impl FindingId {
    /// The id of the finding with this canonical key (see [`super::Verdict::key`]).
    pub fn of(session: SessionId, technique: &str, key: &str) -> Self {
        let digest = blake3::hash(format!("{technique}\n{key}").as_bytes());
        let mut short = [0; 4];
        short.copy_from_slice(&digest.as_bytes()[..4]);
        Self { session, key: u32::from_be_bytes(short) }
    }
}

impl std::str::FromStr for SessionId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.strip_prefix('s').unwrap_or(text);
        digits.parse().map(SessionId).map_err(|_| format!("`{text}` is no session id; ids look like `s7`"))
    }
}

impl std::str::FromStr for FindingId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no finding id; ids look like `s7-1a2b3c4d`");
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

impl fmt::Display for BlobHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for BlobHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
