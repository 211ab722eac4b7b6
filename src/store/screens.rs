//! Screenshots: files named by their content's BLAKE3, `screens/ab/cdef….png`.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::StoreError;
use super::disk::{Disk, sync_folder};
use super::error::is_full;
use crate::gui::hex;
use crate::record::BlobHash;

/// Unfinished files, removed when the store is opened.
const UNFINISHED: &str = "new";

/// A PNG of a large screen is a few MiB.
const LIMIT: u64 = 64 << 20;

pub(super) struct Screens {
    folder: PathBuf,
    disk: Arc<dyn Disk>,
    counter: AtomicU64,
    /// Folders of names whose own names are durable.
    durable: Mutex<BTreeSet<PathBuf>>,
}

impl Screens {
    pub fn open(store: &Path, disk: Arc<dyn Disk>) -> Result<Self, StoreError> {
        let folder = store.join("screens");
        let unfinished = folder.join(UNFINISHED);
        let clear = || {
            fs::create_dir_all(&unfinished)?;
            for entry in fs::read_dir(&unfinished)? {
                fs::remove_file(entry?.path())?;
            }
            sync_folder(&*disk, &folder)
        };
        clear().map_err(|error| failure("cannot prepare", &folder, error))?;
        Ok(Self { folder, disk, counter: AtomicU64::new(0), durable: Mutex::default() })
    }

    /// Writes a screenshot and returns when file and name are durable.
    pub fn write(&self, hash: BlobHash, content: &[u8]) -> Result<(), StoreError> {
        if content.len() as u64 > LIMIT {
            let limit = usize::try_from(LIMIT).unwrap_or(usize::MAX);
            let (what, size) = ("a screenshot".to_owned(), content.len());
            return Err(StoreError::TooLarge { what, size, limit });
        }
        let actual = BlobHash::of(content);
        if actual != hash {
            return Err(StoreError::WrongHash { given: hash, actual });
        }
        let path = self.path(hash);
        self.place(&path, content).map_err(|error| failure("cannot write", &path, error))
    }

    /// The content; `None` when there is no such screenshot.
    pub fn read(&self, hash: BlobHash) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.path(hash);
        let content = match fs::metadata(&path) {
            Ok(file) if file.len() > LIMIT => Err(io::Error::other("the file is too large")),
            Ok(_) => fs::read(&path),
            Err(error) => Err(error),
        };
        match content {
            Ok(content) if BlobHash::of(&content) == hash => Ok(Some(content)),
            Ok(_) => Err(StoreError::Corrupt {
                key: format!("screenshot {hash}"),
                why: "its content has another hash".to_owned(),
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failure("cannot read", &path, error)),
        }
    }

    pub fn exists(&self, hash: BlobHash) -> bool {
        self.path(hash).is_file()
    }

    pub fn remove(&self, hash: BlobHash) -> Result<(), StoreError> {
        let path = self.path(hash);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(failure("cannot remove", &path, error))
            }
            _ => Ok(()),
        }
    }

    /// Has a screenshot of another store's folder of screenshots, without copying it; false when it is not
    /// there or not what its name says.
    pub fn borrow(&self, hash: BlobHash, from: &Path) -> Result<bool, StoreError> {
        let theirs = path_in(from, hash);
        let is_sound = |content: Vec<u8>| BlobHash::of(&content) == hash;
        let small = fs::metadata(&theirs).is_ok_and(|file| file.len() <= LIMIT);
        if !small || !fs::read(&theirs).is_ok_and(is_sound) {
            return Ok(false);
        }
        let path = self.path(hash);
        let link = || {
            fs::create_dir_all(path.parent().unwrap_or(&self.folder))?;
            std::os::unix::fs::symlink(fs::canonicalize(&theirs)?, &path)
        };
        link().map(|()| true).map_err(|error| failure("cannot link", &path, error))
    }

    /// Calls with every file that is there: its path and, if its name is one, its hash.
    pub fn each(
        &self,
        mut f: impl FnMut(&Path, Option<BlobHash>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let list = |folder: &Path| {
            let mut names: Vec<_> = fs::read_dir(folder)?
                .map(|entry| entry.map(|entry| entry.path()))
                .collect::<io::Result<_>>()?;
            names.sort();
            Ok(names)
        };
        let listed = |folder: &Path| list(folder).map_err(|error| failure("cannot list", folder, error));
        for folder in listed(&self.folder)? {
            if folder.ends_with(UNFINISHED) || !folder.is_dir() {
                continue;
            }
            for path in listed(&folder)? {
                f(&path, named(&path))?;
            }
        }
        Ok(())
    }

    fn place(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        let folder = path.parent().unwrap_or(&self.folder);
        if !path.is_file() {
            let number = self.counter.fetch_add(1, Ordering::Relaxed);
            let unfinished = self.folder.join(UNFINISHED).join(number.to_string());
            let written = File::create(&unfinished)
                .and_then(|mut file| file.write_all(content).map(|()| file))
                .and_then(|file| self.disk.sync(&file, &unfinished))
                .and_then(|()| fs::create_dir_all(folder))
                .and_then(|()| fs::rename(&unfinished, path));
            if let Err(error) = written {
                let _ = fs::remove_file(&unfinished);
                return Err(error);
            }
        }
        // Also for a file that was there: another append may still be syncing its name.
        sync_folder(&*self.disk, folder)?;
        let durable = || self.durable.lock().unwrap_or_else(PoisonError::into_inner);
        if !durable().contains(folder) {
            sync_folder(&*self.disk, &self.folder)?;
            durable().insert(folder.to_owned());
        }
        Ok(())
    }

    fn path(&self, hash: BlobHash) -> PathBuf {
        path_in(&self.folder, hash)
    }
}

fn path_in(folder: &Path, hash: BlobHash) -> PathBuf {
    let name = hash.to_string();
    let (first, rest) = name.split_at(2);
    folder.join(first).join(format!("{rest}.png"))
}

/// The hash that a path of this folder stands for.
fn named(path: &Path) -> Option<BlobHash> {
    let folder = path.parent()?.file_name()?.to_str()?;
    let file = path.file_name()?.to_str()?.strip_suffix(".png")?;
    hex::parse(&format!("{folder}{file}")).map(BlobHash)
}

fn failure(action: &'static str, path: &Path, error: io::Error) -> StoreError {
    let full = is_full(&error);
    let (path, source) = (path.to_owned(), Arc::new(error));
    if full { StoreError::DiskFull { path, source } } else { StoreError::Io { action, path, source } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::RealDisk;

    #[test]
    fn a_screenshot_reads_back_and_damage_is_named() {
        let store = tempfile::tempdir().unwrap();
        let screens = Screens::open(store.path(), Arc::new(RealDisk)).unwrap();
        let hash = BlobHash::of(b"picture");
        assert_eq!(screens.read(hash).unwrap(), None);
        screens.write(hash, b"picture").unwrap();
        screens.write(hash, b"picture").unwrap();
        assert_eq!(screens.read(hash).unwrap().as_deref(), Some(&b"picture"[..]));
        let mut seen = Vec::new();
        let mut note = |_: &Path, name| {
            seen.push(name);
            Ok(())
        };
        screens.each(&mut note).unwrap();
        assert_eq!(seen, [Some(hash)]);
        assert!(matches!(screens.write(hash, b"other"), Err(StoreError::WrongHash { .. })));
        fs::write(screens.path(hash), b"damaged").unwrap();
        let error = screens.read(hash).unwrap_err().to_string();
        assert!(error.contains(&hash.to_string()), "{error}");
    }

    #[test]
    fn what_a_crash_left_unfinished_is_removed() {
        let store = tempfile::tempdir().unwrap();
        drop(Screens::open(store.path(), Arc::new(RealDisk)).unwrap());
        let left = store.path().join("screens/new/7");
        fs::write(&left, b"half").unwrap();
        Screens::open(store.path(), Arc::new(RealDisk)).unwrap();
        assert!(!left.exists());
    }
}
