//! How large a store is, and the alarm when it has grown too large.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;

use super::{Store, StoreError};

/// Bytes of a store's files; the ballast, which is given back when needed, is not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StoreSize {
    /// The size of sled's files.
    pub database: u64,
    /// The size of the screenshots' files, finished ones only.
    pub screenshots: u64,
}

/// A store that has grown beyond what was allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "alarm"))]
pub struct SizeAlarm {
    /// The store's.
    pub folder: PathBuf,
    /// Its size, of database and screenshots together.
    pub bytes: u64,
    /// Its limit.
    pub limit: u64,
}

impl StoreSize {
    /// Bytes of both together.
    pub fn total(self) -> u64 {
        self.database.saturating_add(self.screenshots)
    }
}

impl Store {
    /// Reads the sizes of all files: a few milliseconds for every ten thousand screenshots.
    ///
    /// # Errors
    /// `Io` when the folder of screenshots cannot be listed.
    pub fn size(&self) -> Result<StoreSize, StoreError> {
        let core = &self.inner.core;
        let mut screenshots = 0;
        core.screens.each(|path, _| {
            screenshots += super::stats::size(path);
            Ok(())
        })?;
        Ok(StoreSize { database: super::stats::size(&core.folder.join("db")), screenshots })
    }

    /// The alarm, when the store has more than `limit` bytes.
    ///
    /// # Errors
    /// As [`Store::size`].
    pub fn size_alarm(&self, limit: u64) -> Result<Option<SizeAlarm>, StoreError> {
        let bytes = self.size()?.total();
        let folder = self.folder().to_owned();
        Ok((bytes > limit).then_some(SizeAlarm { folder, bytes, limit }))
    }
}

impl fmt::Display for SizeAlarm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib = |bytes: u64| bytes >> 20;
        let (folder, bytes, limit) = (self.folder.display(), mib(self.bytes), mib(self.limit));
        write!(
            f,
            "the store {folder} has grown to {bytes} MiB, more than the {limit} MiB of `store-alarm`; \
             `droidmux store gc --keep-below {limit}MiB --dry-run` says what could go"
        )
    }
}
