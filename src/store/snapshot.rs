//! Rebuilding a damaged snapshot of the database.
//!
//! Beside its log, sled keeps a snapshot of where its pages are, and it does not open a database whose snapshot is
//! damaged. The log alone has the same information: without a snapshot, sled reads all of it. This is done on a copy,
//! which replaces the database only when it holds exactly the keys that the log does, read independently.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::compaction::{self, Opening};
use super::engine::Engine;
use super::{StoreError, key, log_file};

/// At the end of a snapshot: its length, and the checksum of everything before the length.
const TRAILER: usize = 12;
/// Keys compared at once.
const PAGE: usize = 1_000;

/// Whether the snapshot that sled would use is damaged; false without one.
pub(super) fn is_damaged(home: &Path) -> bool {
    let Ok(entries) = fs::read_dir(home) else { return false };
    let names = entries.flatten().map(|entry| entry.path()).filter(|path| is_snapshot(path));
    let Some(content) = names.max().and_then(|path| fs::read(path).ok()) else { return false };
    let Some((body, trailer)) =
        content.len().checked_sub(TRAILER).and_then(|at| content.split_at_checked(at))
    else {
        return true;
    };
    trailer.last_chunk().is_none_or(|crc| u32::from_le_bytes(*crc) != crc32fast::hash(body))
}

/// Rebuilds the snapshot of a closed database that nobody else opens.
///
/// # Errors
/// When there is no room for a copy; when the log does not contain everything it should.
pub(super) fn rebuild(opening: Opening<'_>) -> Result<(), StoreError> {
    let folder = opening.folder;
    let (old, new) = (folder.join("db"), folder.join(compaction::NEW));
    tracing::warn!(folder = %folder.display(), "the snapshot of the database is damaged and made anew");
    let rebuilt = copy_without_snapshots(&old, &new)
        .map_err(|source| compaction::failure(&new, source))
        .and_then(|()| compare(&old, &new, opening));
    if let Err(error) = rebuilt {
        let _ = fs::remove_dir_all(&new);
        return Err(error);
    }
    compaction::swap(folder, opening.disk).map_err(|source| compaction::failure(folder, source))
}

/// Requires that sled finds in the copy what is in the log.
fn compare(old: &Path, new: &Path, opening: Opening<'_>) -> Result<(), StoreError> {
    let found = log_file::read(old).map_err(|source| compaction::failure(old, source))?;
    let engine = Engine::open(opening.folder, new, opening.cache, opening.disk)?;
    let mut expected = found.keys();
    let mut after: Option<Vec<u8>> = None;
    let same = loop {
        let page = engine.page(&key::everything(), after.as_deref(), PAGE)?;
        let Some((last, _)) = page.last() else { break expected.next().is_none() };
        after = Some(last.clone());
        if !page.iter().all(|(key, _)| expected.next() == Some(key)) {
            break false;
        }
    };
    engine.close();
    match same {
        true => Ok(()),
        false => Err(StoreError::Database {
            path: opening.folder.to_owned(),
            why: "its snapshot is damaged, and without it some values are not found".to_owned(),
        }),
    }
}

fn copy_without_snapshots(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let into: PathBuf = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_without_snapshots(&path, &into)?;
        } else if !is_snapshot(&path) {
            fs::copy(&path, &into)?;
        }
    }
    Ok(())
}

fn is_snapshot(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("snap."))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{Store, StoreOptions};
    use droidmux_record::{Incident, IncidentKind};

    /// Every bit of a store's snapshot, or as many as time allows.
    #[test]
    fn a_damaged_snapshot_is_made_anew_and_nothing_is_lost() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = || {
            let options = StoreOptions { min_free: 0, ballast: 0, ..StoreOptions::default() };
            Store::open(folder.path(), options)
        };
        let incident = |at_ms| Incident { at_ms, source: "x".repeat(3_000), what: IncidentKind::Began };
        let all: Vec<_> = (0..500).map(incident).collect();
        open().expect("a store").put_incidents(&all).expect("written");
        drop(open().expect("a snapshot is written when it is opened again"));
        let home = folder.path().join("db");
        let snapshot = || {
            let found = fs::read_dir(&home).expect("a list").flatten().map(|entry| entry.path());
            found.filter(|path| is_snapshot(path)).max().expect("a snapshot")
        };
        let length = fs::read(snapshot()).expect("read").len();
        let mut seen = BTreeMap::new();
        for number in 0..12 {
            let path = snapshot();
            let mut bytes = fs::read(&path).expect("read");
            match number {
                0 => bytes.clear(),
                1 => bytes.truncate(length / 2),
                _ => {
                    let at = (bytes.len() - 1) * (number - 2) / 9;
                    bytes[at] ^= 1 << (number % 8);
                }
            }
            fs::write(&path, bytes).expect("damaged");
            let damaged = is_damaged(&home);
            *seen.entry(damaged).or_insert(0) += 1;
            let store = open().expect("it opens");
            let read: Result<Vec<_>, _> = store.incidents().collect();
            assert!(read.expect("read") == all, "damage {number}");
            drop(store);
            assert!(!is_damaged(&home), "damage {number}");
        }
        // The stored length is the only part that sled does not read.
        assert!(seen[&true] >= 11, "{seen:?}");
    }
}
