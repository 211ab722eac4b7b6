//! Screenshots: files named by their content's BLAKE3, `screens/ab/cdef….pix` where they are packed, `….png` where
//! they are not: pictures of earlier versions, and those that were sent to models.
//!
//! In: contents and hashes. Out: the same again. Invariants: a file and its name are durable when a write returns; a
//! file whose content does not match its name is an error; equal content is one file.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::disk::{Disk, sync_folder};
use super::error::is_full;
use super::{Damage, StoreError};
use droidmux_gui::hex;
use droidmux_record::BlobHash;

mod colours;
mod damage;
mod packed;
mod packer;

pub use damage::PictureDamage;
pub use packed::ScreenPixels;
pub use packer::ScreenPacker;

/// Unfinished files, removed when the store is opened.
const UNFINISHED: &str = "new";

/// A PNG of a large screen is a few MiB.
const LIMIT: u64 = 64 << 20;

/// How a file's content is encoded, given by its suffix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// See [`packed`].
    Packed,
    /// As a device or a model's picture gave it.
    Png,
}

impl Form {
    const ALL: [Self; 2] = [Self::Packed, Self::Png];

    pub fn of(content: &[u8]) -> Self {
        if content.starts_with(packed::MAGIC) { Self::Packed } else { Self::Png }
    }

    pub fn suffix(self) -> &'static str {
        match self {
            Self::Packed => ".pix",
            Self::Png => ".png",
        }
    }

    /// A name without its suffix, and what the suffix says.
    pub fn parse(name: &str) -> Option<(&str, Self)> {
        Self::ALL.into_iter().find_map(|form| Some((name.strip_suffix(form.suffix())?, form)))
    }
}

/// The PNG of a packed screenshot: the bytes differ from the device's, the pixels do not.
///
/// # Errors
/// What is wrong with it.
pub fn unpacked_screenshot(packed: &[u8]) -> Result<Vec<u8>, PictureDamage> {
    packed::unpack(packed)
}

/// Whether the stored content can be unpacked.
pub(super) fn check(hash: BlobHash, content: &[u8]) -> Result<(), StoreError> {
    match Form::of(content) {
        Form::Png => Ok(()),
        Form::Packed => packed::check(content).map_err(|damage| unreadable(hash, damage)),
    }
}

/// A PNG of the stored content.
pub(super) fn as_png(hash: BlobHash, content: Vec<u8>) -> Result<Vec<u8>, StoreError> {
    match Form::of(&content) {
        Form::Png => Ok(content),
        Form::Packed => packed::unpack(&content).map_err(|damage| unreadable(hash, damage)),
    }
}

/// The pixels of the stored content.
pub(super) fn pixels(hash: BlobHash, content: &[u8]) -> Result<ScreenPixels, StoreError> {
    let read = match Form::of(content) {
        Form::Png => ScreenPixels::of_png(content).ok_or(PictureDamage::Form),
        Form::Packed => ScreenPixels::unpack(content),
    };
    read.map_err(|damage| unreadable(hash, damage))
}

fn unreadable(hash: BlobHash, damage: impl Into<Damage>) -> StoreError {
    StoreError::Corrupt { key: format!("screenshot {hash}"), damage: damage.into() }
}

pub(super) struct Screens {
    folder: PathBuf,
    disk: Arc<dyn Disk>,
    counter: AtomicU64,
    /// Folders whose own names are durable.
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
        let path = path_in(&self.folder, hash, Form::of(content));
        self.place(&path, content).map_err(|error| failure("cannot write", &path, error))
    }

    /// The content as it was written; `None` when there is no such screenshot.
    pub fn read(&self, hash: BlobHash) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(path) = there(&self.folder, hash) else { return Ok(None) };
        let content = match fs::metadata(&path) {
            Ok(file) if file.len() > LIMIT => Err(io::Error::other("the file is too large")),
            Ok(_) => fs::read(&path),
            Err(error) => Err(error),
        };
        match content {
            Ok(content) if BlobHash::of(&content) == hash => Ok(Some(content)),
            Ok(_) => Err(unreadable(hash, Damage::OtherHash)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failure("cannot read", &path, error)),
        }
    }

    pub fn exists(&self, hash: BlobHash) -> bool {
        there(&self.folder, hash).is_some()
    }

    pub fn remove(&self, hash: BlobHash) -> Result<(), StoreError> {
        let Some(path) = there(&self.folder, hash) else { return Ok(()) };
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(failure("cannot remove", &path, error))
            }
            _ => Ok(()),
        }
    }

    /// Links a screenshot from another store's folder of screenshots, without copying it; false when it does not exist
    /// or its content does not match its name.
    pub fn borrow(&self, hash: BlobHash, from: &Path) -> Result<bool, StoreError> {
        let Some(theirs) = there(from, hash) else { return Ok(false) };
        let small = fs::metadata(&theirs).is_ok_and(|file| file.len() <= LIMIT);
        let content = if small { fs::read(&theirs).ok() } else { None };
        let Some(content) = content.filter(|content| BlobHash::of(content) == hash) else { return Ok(false) };
        let path = path_in(&self.folder, hash, Form::of(&content));
        let link = || {
            fs::create_dir_all(path.parent().unwrap_or(&self.folder))?;
            std::os::unix::fs::symlink(fs::canonicalize(&theirs)?, &path)
        };
        link().map(|()| true).map_err(|error| failure("cannot link", &path, error))
    }

    /// Calls back with every existing file: its path and, if its name is one, its hash.
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
        // Done even for an existing file: another append may still be syncing its name.
        sync_folder(&*self.disk, folder)?;
        let durable = || self.durable.lock().unwrap_or_else(PoisonError::into_inner);
        if !durable().contains(folder) {
            sync_folder(&*self.disk, &self.folder)?;
            durable().insert(folder.to_owned());
        }
        Ok(())
    }
}

/// The file of a screenshot, if there is one.
fn there(folder: &Path, hash: BlobHash) -> Option<PathBuf> {
    Form::ALL.into_iter().map(|form| path_in(folder, hash, form)).find(|path| path.is_file())
}

fn path_in(folder: &Path, hash: BlobHash, form: Form) -> PathBuf {
    let name = hash.to_string();
    let (first, rest) = name.split_at(2);
    folder.join(first).join(format!("{rest}{}", form.suffix()))
}

/// The hash that a path of this folder stands for.
fn named(path: &Path) -> Option<BlobHash> {
    let folder = path.parent()?.file_name()?.to_str()?;
    let (file, _) = Form::parse(path.file_name()?.to_str()?)?;
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
    use crate::RealDisk;

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
        fs::write(there(&screens.folder, hash).unwrap(), b"damaged").unwrap();
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
