//! What a lenient reading of sled's log found.
//!
//! In: keys with the places of their last values, from the reader. Out: the keys, and the values read from those places.

use std::collections::BTreeMap;
use std::fs::File;
use std::ops::Bound;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::key;

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(super) home: PathBuf,
    pub(super) keys: BTreeMap<Vec<u8>, Latest>,
    /// Bytes of the file that belong to no sound message and are not empty.
    pub unread: u64,
    /// The position of the first of them.
    pub first_unread: Option<u64>,
    /// Whether the file ends before data that the snapshot beside it knew of: something was cut off.
    pub is_cut: bool,
}

/// Where a value is, and since when.
#[derive(Clone, Debug)]
pub(super) struct Latest {
    /// The time of the message that sets it.
    pub time: u64,
    /// `None` for a key that was removed.
    pub value: Option<Span>,
}

/// Bytes in the log, or in a file beside it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub file: Option<u64>,
    pub at: u64,
    pub length: usize,
}

impl Found {
    /// The keys with a value, in order.
    pub fn keys(&self) -> impl Iterator<Item = &[u8]> {
        self.keys.iter().filter(|(_, latest)| latest.value.is_some()).map(|(key, _)| key.as_slice())
    }

    /// The keys of a span.
    pub fn keys_in(&self, (from, to): &key::Span) -> impl Iterator<Item = &[u8]> {
        let keys =
            self.keys.range::<[u8], _>((Bound::Included(from.as_slice()), Bound::Excluded(to.as_slice())));
        keys.filter(|(_, latest)| latest.value.is_some()).map(|(key, _)| key.as_slice())
    }

    /// The value of a key; `None` if there is none, or if it cannot be read a second time.
    pub fn value(&self, key: &[u8]) -> Option<Vec<u8>> {
        let span = self.keys.get(key)?.value?;
        let mut bytes = vec![0; span.length];
        let path = span.file.map_or_else(|| self.home.join("db"), |number| blob(&self.home, number));
        File::open(path).and_then(|file| file.read_exact_at(&mut bytes, span.at)).ok()?;
        Some(bytes)
    }
}

/// Where the body is that has a file of its own.
pub(super) fn blob(home: &Path, number: u64) -> PathBuf {
    // The number of a page's file is that of its message, which is never negative.
    home.join("blobs").join(number.to_string())
}
