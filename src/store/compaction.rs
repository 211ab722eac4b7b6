//! Copying what is kept to a new database that takes the old one's place: sled reuses the room of
//! what was removed but never gives it back to the disk, and on a full one it cannot even remove.
//!
//! `db.new` is complete before `db` is renamed to `db.old`, so whatever a crash leaves, one of
//! them is whole: [`settle`] says which.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, PoisonError};

use super::StoreError;
use super::core::Core;
use super::disk::{Disk, sync_folder};
use super::engine::Engine;
use super::key;

const NEW: &str = "db.new";
const OLD: &str = "db.old";

/// Entries copied in one commit.
const PAGE: usize = 1_000;

impl Core {
    /// Copies the entries whose keys are kept; everyone else waits. Needs room for them; fails
    /// with `DiskFull` and changes nothing when there is not enough.
    pub fn keep_only(&self, keep: &dyn Fn(&[u8]) -> bool) -> Result<(), StoreError> {
        self.with(|_| Ok(()))?;
        let mut engine = self.engine.write().unwrap_or_else(PoisonError::into_inner);
        let Some(old) = engine.as_ref() else { return Err(StoreError::Closed) };
        if let Err(error) = self.copy(old, keep) {
            let _ = fs::remove_dir_all(self.folder.join(NEW));
            return Err(error);
        }
        // The lock is kept: nobody may open what is between two names.
        if let Some(old) = engine.take() {
            old.close();
        }
        let swapped = swap(&self.folder, &*self.disk).map_err(|source| failure(&self.folder, source));
        *engine = Some(self.open_engine()?);
        swapped
    }

    fn copy(&self, old: &Engine, keep: &dyn Fn(&[u8]) -> bool) -> Result<(), StoreError> {
        let home = self.folder.join(NEW);
        remove(&home).map_err(|source| failure(&home, source))?;
        let new = Engine::open(&self.folder, &home, self.sled_cache, &*self.disk)?;
        let everything = key::everything();
        let mut after: Option<Vec<u8>> = None;
        loop {
            let mut page = old.page(&everything, after.as_deref(), PAGE)?;
            let Some((last, _)) = page.last() else { return Ok(()) };
            after = Some(last.clone());
            page.retain(|(key, _)| keep(key));
            new.copy(page, &*self.disk)?;
        }
    }
}

/// Finishes or undoes what was interrupted; to be called before the database is opened.
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

fn swap(folder: &Path, disk: &dyn Disk) -> io::Result<()> {
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

fn failure(path: &Path, source: io::Error) -> StoreError {
    StoreError::Io { action: "cannot rewrite", path: path.to_owned(), source: Arc::new(source) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::RealDisk;

    #[test]
    fn whatever_a_crash_leaves_one_database_is_whole() {
        // What is there, and what the database then is.
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
