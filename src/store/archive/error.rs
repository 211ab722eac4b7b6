//! Why an archive was not written or not taken in.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::imported::ImportedSession;
use crate::record::SessionId;
use crate::store::StoreError;

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
