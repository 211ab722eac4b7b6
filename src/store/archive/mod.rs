//! Archives: whole sessions in one file, to be kept elsewhere or looked at on another host.
//!
//! Out of a store: the sessions asked for and those they build on, with their jobs, turns,
//! judgements, findings, marks, mask edits, shrunk results and rechecks, and every layout and
//! screenshot their turns name. Into a store: the same under the same session numbers, or under new
//! ones where those are taken, every reference with them.
//!
//! The file is a zstd-compressed tar of plain files:
//!
//! ```text
//! manifest.json          versions, the sessions, then name, size and BLAKE3 of every entry in order
//! layouts/00000          records of layouts, by hash
//! screens/HASH.png       screenshots, by hash
//! sessions/7/00000       records of a session: its own first, then kind by kind as in its store
//! ```
//!
//! A record is a key (u16 length, bytes) and its decompressed value (u32 length, bytes), big-endian.
//!
//! # Invariants
//!
//! - Nothing in an archive is trusted: its entries are exactly those of the manifest, in that order
//!   and with those hashes, within the caps below; names are compared with a fixed grammar and never
//!   become paths; all of it is read and checked before the first byte is written.
//! - A session is imported whole or not at all: its record, without which nothing finds it, is
//!   written last, together with the end of the import's own mark; what a crash leaves before that
//!   is removed when the store is opened next.
//! - The same sessions give the same bytes.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::StoreError;
use crate::record::SessionId;

mod content;
mod export;
mod import;
mod manifest;
mod reader;
mod records;

pub use export::Exported;
pub use import::{Copies, Imported, ImportedSession, PresentSession};

/// The version of archives written here, and the only one read.
const VERSION: u32 = 1;
const MANIFEST: &str = "manifest.json";
/// Bytes of one entry at most.
const MAX_ENTRY: u64 = 64 << 20;
const MAX_MANIFEST: u64 = 256 << 20;
const MAX_ENTRIES: usize = 2_000_000;
/// Bytes of all entries at most, unpacked.
const MAX_TOTAL: u64 = 1 << 40;
/// A chunk of records is written when it has this many bytes.
const CHUNK: usize = 4 << 20;

/// Why an archive was not written or not taken in.
#[derive(Debug, Error)]
pub enum ArchiveError {
    #[error("{action} {path}: {source}")]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    #[error("{path}: {entry}: {why}; nothing was imported from it")]
    Broken { path: PathBuf, entry: String, why: String },
    #[error("session {0} has not ended; wait until it has, or end it, and export it then")]
    NotEnded(SessionId),
    #[error("session {session} was not imported: {why}; imported before it: {}", list(.imported))]
    Session { session: SessionId, why: String, imported: Vec<ImportedSession> },
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn list(imported: &[ImportedSession]) -> String {
    match imported {
        [] => "none".to_owned(),
        some => some.iter().map(|one| format!("{} as {}", one.was, one.is)).collect::<Vec<_>>().join(", "),
    }
}
