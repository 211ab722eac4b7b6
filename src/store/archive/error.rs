//! Why an archive could not be written or imported.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::fault::ArchiveFault;
use super::imported::ImportedSession;
use crate::StoreError;
use droidmux_record::{FindingId, SessionId};

/// Why an archive could not be written or imported.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The archive's file could not be written or read.
    #[error("{action} {path}: {source}")]
    Io {
        /// What failed, to be read before the path: `cannot write`.
        action: &'static str,
        /// The archive.
        path: PathBuf,
        /// What the operating system or zstd said.
        source: io::Error,
    },
    /// The archive is damaged or was not made by an export.
    #[error("{path}: {entry}: {fault}; nothing was imported from it")]
    Broken {
        /// The archive.
        path: PathBuf,
        /// The entry's name in it, e.g. `sessions/7/00000`.
        entry: String,
        /// What is wrong with the entry.
        fault: ArchiveFault,
    },
    /// A session that is still running, or can be continued, is not exported: an archive holds whole sessions.
    #[error("session {0} has not ended; wait until it has, or end it, and export it then")]
    NotEnded(SessionId),
    /// The runs that would be exported with a finding do not show what it is about.
    #[error("{0} cannot be exported alone: its evidence is about screens of other runs; \
             `droidmux store export {session}` takes its whole session", session = .0.session)]
    NotShown(FindingId),
    /// A session's values name something that does not exist; the sessions before it stay imported.
    #[error("session {session} was not imported: {why}; imported before it: {}", list(.imported))]
    Session {
        /// The session's number in the archive.
        session: SessionId,
        /// The first problem found: the value, and what is wrong with it.
        why: String,
        /// The sessions before it, which stay.
        imported: Vec<ImportedSession>,
    },
    /// The store itself failed, or lacks room for what is in the archive.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn list(imported: &[ImportedSession]) -> String {
    match imported {
        [] => "none".to_owned(),
        some => some.iter().map(|one| format!("{} as {}", one.was, one.is)).collect::<Vec<_>>().join(", "),
    }
}
