//! What can go wrong with a store, where, and what can be done about it.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

use super::Damage;
use droidmux_record::{BlobHash, SessionId};

/// Why the store could not do something. Cheap to clone: one failed commit fails all its appends.
#[derive(Clone, Debug, Error)]
pub enum StoreError {
    /// Another process has it open, or this one already does.
    #[error("the store {path} is in use by {holder}; stop it or name another store with --store")]
    InUse {
        /// The store's folder.
        path: PathBuf,
        /// `process 4711 on host`, as it wrote into the lock file; `another process` when it did not.
        holder: String,
    },
    /// A later droidmux wrote it.
    #[error(
        "the store {path} has format {found}, this droidmux reads up to format {known}; \
         use a newer droidmux or name another store with --store"
    )]
    TooNew {
        /// The store's folder.
        path: PathBuf,
        /// The format given in its `format` file.
        found: u32,
        /// The last format this version reads.
        known: u32,
    },
    /// An earlier droidmux wrote it, in a format that this one cannot read.
    #[error(
        "the store {path} has format {found}, this droidmux reads formats {oldest} to {known}; \
         use the droidmux that wrote it or name another store with --store"
    )]
    TooOld {
        /// The store's folder.
        path: PathBuf,
        /// The format given in its `format` file.
        found: u32,
        /// The first format this version reads.
        oldest: u32,
        /// The last one.
        known: u32,
    },
    /// A folder that belongs to something else, or a missing one that may not be created.
    #[error("{path} is no droidmux store: {why}; name an empty or a missing folder, or an existing store")]
    NotAStore {
        /// The folder that was given.
        path: PathBuf,
        /// Why it is not a store.
        why: String,
    },
    /// Less space is free than must stay free; nothing has been written.
    #[error(
        "only {free} bytes are free under {path}, {needed} are needed before anything more is recorded; \
         free some space or remove old sessions with `droidmux store remove`"
    )]
    SpaceLow {
        /// The store's folder.
        path: PathBuf,
        /// Bytes free on its disk.
        free: u64,
        /// Bytes that must be free before the write.
        needed: u64,
    },
    /// The disk filled up during a write: no value of this write has been stored.
    #[error(
        "the disk under {path} is full: {source}; nothing acknowledged is lost; free some space and go on"
    )]
    DiskFull {
        /// The store's folder, or the file that was being written.
        path: PathBuf,
        /// What the operating system said.
        source: Arc<io::Error>,
    },
    /// The operating system refused something for a reason other than a full disk.
    #[error("{action} {path}: {source}")]
    Io {
        /// What failed, to be read before the path: `cannot read`.
        action: &'static str,
        /// The file or folder it was done to.
        path: PathBuf,
        /// What the operating system said.
        source: Arc<io::Error>,
    },
    /// Fsync failed: what the kernel still shows may not be on disk, so nothing more is written.
    #[error(
        "{path} could not be made durable earlier ({why}); nothing more is recorded: check the disk, \
         restart droidmux and run `droidmux store verify`"
    )]
    Poisoned {
        /// The database's log.
        path: PathBuf,
        /// What the operating system said to the fsync.
        why: String,
    },
    /// sled or its log is damaged: the database as a whole cannot be used.
    #[error(
        "the database under {path} is damaged: {why}; `droidmux store salvage -o FILE` writes what can still \
         be read to an archive and leaves the store as it is"
    )]
    Database {
        /// The store's folder.
        path: PathBuf,
        /// In sled's words, or what is wrong in its log and at which byte.
        why: String,
    },
    /// One value or one screenshot is damaged; all others can be read.
    #[error(
        "the value of {key} cannot be read: {damage}; `droidmux store verify` lists what is damaged, \
         `droidmux store salvage -o FILE` writes all the rest to an archive"
    )]
    Corrupt {
        /// Which value, in words: `turns of s1 j3, attempt 1, from turn 0`.
        key: String,
        /// What is wrong with it.
        damage: Damage,
    },
    /// A value above the limit for its kind; nothing of its commit has been stored.
    #[error("{what} is too large to store: {size} bytes, the limit is {limit}")]
    TooLarge {
        /// The value's key in words, or `a screenshot`.
        what: String,
        /// The layout's bytes before compression.
        size: usize,
        /// The bytes it may have.
        limit: usize,
    },
    /// A screenshot was given under another name than its content has.
    #[error("the screenshot's content has hash {actual}, not {given}")]
    WrongHash {
        /// The name it came with.
        given: BlobHash,
        /// The hash of what came.
        actual: BlobHash,
    },
    /// No session of this number is stored: none was made, or it was removed.
    #[error("there is no session {0} in this store; `droidmux store stats` lists them")]
    NoSession(SessionId),
    /// A session cannot go while another one that stays builds on it.
    #[error("session {by} builds on the traces of {session}; remove {by} first")]
    Needed {
        /// The session that was to go.
        session: SessionId,
        /// The session whose inputs are its traces.
        by: SessionId,
    },
    /// What the caller asked for cannot be: in words.
    #[error("{0}")]
    Misuse(String),
    /// The store was closed while the call was under way.
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
