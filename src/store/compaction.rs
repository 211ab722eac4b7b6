//! Copying what is kept to a new database that replaces the old one: sled reuses the room of removed data but never
//! gives it back to the disk, and on a full disk it cannot even remove anything.
//!
//! `db.new` is complete before `db` is renamed to `db.old`, so whatever a crash leaves, one of them is complete:
//! [`settle`] determines which.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::StoreError;
use super::disk::{Disk, sync_folder};
use super::engine::Engine;
use super::key;

pub(super) const NEW: &str = "db.new";
const OLD: &str = "db.old";

/// Where a store is, and how its databases are opened.
#[derive(Clone, Copy)]
pub(super) struct Opening<'a> {
    pub folder: &'a Path,
    /// Bytes.
    pub cache: u64,
    pub disk: &'a dyn Disk,
}

/// Entries copied in one commit.
const PAGE: usize = 1_000;

/// Copies the entries of a database whose keys are kept to [`NEW`], which must not be left there on an error.
pub(super) fn copy(
    old: &Engine,
    keep: &dyn Fn(&[u8]) -> bool,
    opening: Opening<'_>,
) -> Result<(), StoreError> {
    let home = opening.folder.join(NEW);
    remove(&home).map_err(|source| failure(&home, source))?;
    let new = Engine::open(opening.folder, &home, opening.cache, opening.disk)?;
    let everything = key::everything();
    let mut after: Option<Vec<u8>> = None;
    loop {
        let mut page = old.page(&everything, after.as_deref(), PAGE)?;
        let Some((last, _)) = page.last() else { return Ok(()) };
        after = Some(last.clone());
        page.retain(|(key, _)| keep(key));
        new.copy(page, opening.disk)?;
    }
}

/// Completes or undoes whatever was interrupted; must be called before the database is opened.
pub(super) fn settle(folder: &Path, disk: &dyn Disk) -> Result<(), StoreError> {
    let home = folder.join("db");
    let settled = || {
        if !home.exists() && folder.join(OLD).exists() && folder.join(NEW).exists() {
            fs::rename(folder.join(NEW), &home)?;
            sync_folder(disk, folder)?;
        }
        remove(&folder.join(NEW))?;
        if home.exists() { remove(&folder.join(OLD)) } else { Ok(()) }
    };
    settled().map_err(|source| failure(folder, source))
}

/// The folder of the database as [`settle`] would leave it; changes nothing.
pub(super) fn home(folder: &Path) -> PathBuf {
    let usual = folder.join("db");
    match usual.exists() || !folder.join(OLD).exists() {
        true => usual,
        false if folder.join(NEW).exists() => folder.join(NEW),
        false => folder.join(OLD),
    }
}

pub(super) fn swap(folder: &Path, disk: &dyn Disk) -> io::Result<()> {
    let home = folder.join("db");
    remove(&folder.join(OLD))?;
    fs::rename(&home, folder.join(OLD))?;
    fs::rename(folder.join(NEW), &home)?;
    sync_folder(disk, folder)?;
    remove(&folder.join(OLD))
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

pub(super) fn failure(path: &Path, source: io::Error) -> StoreError {
    StoreError::Io { action: "cannot rewrite", path: path.to_owned(), source: Arc::new(source) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RealDisk;

    #[test]
    fn whatever_a_crash_leaves_one_database_is_whole() {
        // The folders that exist, and which of them is the database.
        let cases: [(&[&str], Option<&str>); 7] = [
            (&[], None),
            (&["db"], Some("db")),
            (&["db", "db.new"], Some("db")),
            (&["db.old", "db.new"], Some("db.new")),
            (&["db", "db.old"], Some("db")),
            (&["db", "db.old", "db.new"], Some("db")),
            (&["db.new"], None),
        ];
        for (present, expected) in cases {
            let folder = tempfile::tempdir().unwrap();
            for name in present {
                fs::create_dir(folder.path().join(name)).unwrap();
                fs::write(folder.path().join(name).join("name"), name).unwrap();
            }
            settle(folder.path(), &RealDisk).unwrap();
            let left = fs::read_to_string(folder.path().join("db/name")).ok();
            assert_eq!(left.as_deref(), expected, "{present:?}");
            let others = [NEW, OLD].iter().filter(|name| folder.path().join(name).exists()).count();
            assert_eq!(others, 0, "{present:?}");
        }
    }
}
