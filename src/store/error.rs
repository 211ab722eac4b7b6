//! What can go wrong with a store, where, and what to do about it.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

use crate::record::{BlobHash, SessionId};

/// Why the store could not do something. Cheap to clone: one failed commit fails all its appends.
#[derive(Clone, Debug, Error)]
pub enum StoreError {
    #[error("the store {path} is in use by {holder}; stop it or name another store with --store")]
    InUse { path: PathBuf, holder: String },
    #[error(
        "the store {path} has format {found}, this droidmux reads up to format {known}; \
         use a newer droidmux or name another store with --store"
    )]
    TooNew { path: PathBuf, found: u32, known: u32 },
    #[error(
        "the store {path} has format {found}, this droidmux reads formats {oldest} to {known}; \
         use the droidmux that wrote it or name another store with --store"
    )]
    TooOld { path: PathBuf, found: u32, oldest: u32, known: u32 },
    #[error("{path} is no droidmux store: {why}; name an empty or a missing folder, or an existing store")]
    NotAStore { path: PathBuf, why: String },
    #[error(
        "only {free} bytes are free under {path}, {needed} are needed before anything more is recorded; \
         free some space or remove old sessions with `droidmux store remove`"
    )]
    SpaceLow { path: PathBuf, free: u64, needed: u64 },
    #[error(
        "the disk under {path} is full: {source}; nothing acknowledged is lost; free some space and go on"
    )]
    DiskFull { path: PathBuf, source: Arc<io::Error> },
    #[error("{action} {path}: {source}")]
    Io { action: &'static str, path: PathBuf, source: Arc<io::Error> },
    /// Fsync failed: what the kernel still shows may not be on disk, so nothing more is written.
    #[error(
        "{path} could not be made durable earlier ({why}); nothing more is recorded: check the disk, \
         restart droidmux and run `droidmux store verify`"
    )]
    Poisoned { path: PathBuf, why: String },
    #[error("the database under {path} failed: {why}; run `droidmux store verify`")]
    Database { path: PathBuf, why: String },
    #[error("the value of {key} cannot be read: {why}; run `droidmux store verify`")]
    Corrupt { key: String, why: String },
    #[error("{what} is too large to store: {size} bytes, the limit is {limit}")]
    TooLarge { what: String, size: usize, limit: usize },
    #[error("the screenshot's content has hash {actual}, not {given}")]
    WrongHash { given: BlobHash, actual: BlobHash },
    #[error("there is no session {0} in this store; `droidmux store stats` lists them")]
    NoSession(SessionId),
    #[error("session {by} builds on the traces of {session}; remove {by} first")]
    Needed { session: SessionId, by: SessionId },
    #[error("{0}")]
    Misuse(String),
    #[error("the store has been closed")]
    Closed,
}

impl StoreError {
    /// True when freeing space is the remedy: a session pauses instead of ending.
    pub fn is_space(&self) -> bool {
        matches!(self, Self::SpaceLow { .. } | Self::DiskFull { .. })
    }
}

/// True for the errors of a full disk or quota.
pub(super) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}
