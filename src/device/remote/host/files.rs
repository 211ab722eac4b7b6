//! Files that labs send for phones.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use crate::blobs::Blobs;
use crate::wire::{Answer, BlobFile};

#[derive(Default)]
pub(super) struct Files {
    blobs: Mutex<Blobs>,
}

impl Files {
    /// Which of these are there.
    pub(super) fn holds(&self, blobs: &[String]) -> Answer {
        let mut known = self.blobs();
        Answer::Holds(blobs.iter().filter(|hash| known.holds(hash)).cloned().collect())
    }

    pub(super) fn take(&self, hash: &str, of: u64, at: u64, part: &Bytes) -> Result<Answer, String> {
        self.blobs().take(hash, of, at, part).map(|()| Answer::Done)
    }

    /// The content of a file; says which one is missing.
    pub(super) fn get(&self, file: &BlobFile) -> Result<Bytes, String> {
        self.blobs().get(&file.hash).ok_or_else(|| format!("{} has not come", file.name))
    }

    fn blobs(&self) -> MutexGuard<'_, Blobs> {
        self.blobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
