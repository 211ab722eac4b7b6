//! sled behind a few calls: the only place where it is named.
//!
//! sled 0.34 may panic on a broken file and stays broken after a full disk, so every call is
//! caught (`panics`) and every failure is classified; `flush` alone is not durable on Linux (it ends in
//! `sync_file_range`), so a commit syncs sled's own file, `db/db`, through a handle kept here.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::disk::{Disk, sync_folder};
use super::error::is_full;
use super::key::{self, Key, Span};
use super::log_file::{self, Break, Torn};
use super::panics;
use super::value::{Head, Packed};
use super::{StoreError, codec, shape};

/// A handle that was just dropped holds sled's lock until its background tasks are done.
const OPEN_TRIES: u32 = 50;
const OPEN_PAUSE: Duration = Duration::from_millis(100);

/// An open database.
pub(super) struct Engine {
    /// `None` only while it is dropped.
    db: Option<sled::Db>,
    /// sled's log, to sync it.
    log: File,
    log_path: PathBuf,
    folder: PathBuf,
    /// Where sled puts pages that are too large for its log.
    pages: PathBuf,
    /// What the end of the log held that is nothing whole, when it was opened.
    torn: Option<Torn>,
    /// The large pages that are durable; there are no such pages as long as values are cut into pieces.
    synced_pages: Mutex<BTreeSet<OsString>>,
}

/// What a commit does.
#[derive(Clone, Debug)]
pub(super) enum Write {
    Put(Key, Packed),
    Remove(Key),
}

impl Write {
    /// Puts a value under its key.
    pub fn of<T: serde::Serialize>(key: Key, value: &T) -> Result<Self, StoreError> {
        let packed = Packed::of(&key, value)?;
        Ok(Self::Put(key, packed))
    }
}

/// Keys and raw heads in key order.
pub(super) type Entries = Vec<(Vec<u8>, Vec<u8>)>;

impl Engine {
    /// Opens the database in `home`, a folder in the store's; `cache` in bytes.
    pub fn open(folder: &Path, home: &Path, cache: u64, disk: &dyn Disk) -> Result<Self, StoreError> {
        let torn = torn(folder, home)?;
        let db = open_sled(folder, home, cache)?;
        let log_path = home.join("db");
        let io = |source| io_failure(folder, source);
        let log = OpenOptions::new().read(true).write(true).open(&log_path).map_err(io)?;
        let engine = Self {
            db: Some(db),
            log,
            log_path,
            folder: folder.to_owned(),
            pages: home.join("blobs"),
            torn,
            synced_pages: Mutex::new(BTreeSet::new()),
        };
        engine.flush(disk)?;
        // sled does not sync the file whose absence makes it take a database for a corrupt one.
        let settings = home.join("conf");
        File::open(&settings).and_then(|file| disk.sync(&file, &settings)).map_err(io)?;
        sync_folder(disk, home).and_then(|()| sync_folder(disk, folder)).map_err(io)?;
        Ok(engine)
    }

    /// Closes the database and returns when nothing holds its file any more, after a few seconds at the latest: until
    /// then, removing the file would not give its room back.
    pub fn close(self) {
        let path = self.log_path.clone();
        drop(self);
        for _ in 0..OPEN_TRIES {
            // sled holds a lock on its file as long as one of its tasks has the file open.
            match File::open(&path).map(|file| file.try_lock()) {
                Ok(Err(TryLockError::WouldBlock)) => thread::sleep(OPEN_PAUSE),
                _ => return,
            }
        }
        tracing::warn!(path = %path.display(), "the old database is still open");
    }

    /// What the end of the log held that is nothing whole, when it was opened: sled has dropped it.
    pub fn torn(&self) -> Option<Torn> {
        self.torn
    }

    /// The value of a key, unpacked.
    pub fn value(&self, key: &Key) -> Result<Option<Vec<u8>>, StoreError> {
        let bytes = key.bytes();
        match self.head(&bytes)? {
            Some(head) => self.unpack(&bytes, &head).map(Some),
            None => Ok(None),
        }
    }

    /// The raw head of a key.
    pub fn head(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.call(|db| Ok(db.get(key)?.map(|value| value.to_vec())))
    }

    /// Unpacks a head found by [`Engine::page`]: the value's bytes in the last version of its kind.
    pub fn unpack(&self, key: &[u8], head: &[u8]) -> Result<Vec<u8>, StoreError> {
        let corrupt = |damage| StoreError::Corrupt { key: key::describe(key), damage };
        // First: what follows the version may have another meaning in a later one.
        if let Some(version) = head.first() {
            shape::check(key, *version).map_err(corrupt)?;
        }
        let parsed = Head::parse(head).map_err(corrupt)?;
        let chunk = |number| self.head(&Key::Chunk { head: key.to_vec(), number }.bytes());
        let raw = parsed.unpack(chunk)?.map_err(corrupt)?;
        shape::current(key, parsed.version(), raw).map_err(corrupt)
    }

    pub fn contains(&self, key: &Key) -> Result<bool, StoreError> {
        let bytes = key.bytes();
        self.call(|db| db.contains_key(&bytes))
    }

    /// At most `limit` entries of a span, starting after `after` if given.
    pub fn page(&self, span: &Span, after: Option<&[u8]>, limit: usize) -> Result<Entries, StoreError> {
        let from = match after {
            Some(key) => Bound::Excluded(key),
            None => Bound::Included(span.0.as_slice()),
        };
        self.call(|db| {
            let range = db.range::<&[u8], _>((from, Bound::Excluded(span.1.as_slice())));
            range.take(limit).map(|entry| entry.map(|(key, value)| (key.to_vec(), value.to_vec()))).collect()
        })
    }

    /// The last entry of a span.
    pub fn last(&self, span: &Span) -> Result<Option<(Vec<u8>, Vec<u8>)>, StoreError> {
        self.call(|db| {
            let last = db.range::<&[u8], _>(span.0.as_slice()..span.1.as_slice()).next_back();
            last.map(|entry| entry.map(|(key, value)| (key.to_vec(), value.to_vec()))).transpose()
        })
    }

    /// Writes all of this, or nothing, and returns when it is durable.
    pub fn commit(&self, writes: Vec<Write>, disk: &dyn Disk) -> Result<(), StoreError> {
        disk.admit(&self.log_path).map_err(|source| io_failure(&self.folder, source))?;
        let mut batch = sled::Batch::default();
        for write in writes {
            self.add(&mut batch, write)?;
        }
        self.call(|db| db.apply_batch(batch.clone()))?;
        self.flush(disk)
    }

    /// Writes raw entries of another database, durable on return.
    pub fn copy(&self, entries: Entries, disk: &dyn Disk) -> Result<(), StoreError> {
        let mut batch = sled::Batch::default();
        for (key, value) in entries {
            batch.insert(key, value);
        }
        self.call(|db| db.apply_batch(batch.clone()))?;
        self.flush(disk)
    }

    fn add(&self, batch: &mut sled::Batch, write: Write) -> Result<(), StoreError> {
        let (key, packed) = match write {
            Write::Put(key, packed) => (key, Some(packed)),
            Write::Remove(key) => (key, None),
        };
        let bytes = key.bytes();
        let kept = packed.as_ref().map_or(0, |packed| packed.chunks.len());
        // The chunks that the value had before and no longer has. A head that cannot be read has no chunks.
        let before = self.head(&bytes)?;
        let before = before.and_then(|head| Head::parse(&head).ok().map(|head| head.chunks())).unwrap_or(0);
        for number in (1..=before).filter(|number| usize::from(*number) > kept) {
            batch.remove(Key::Chunk { head: bytes.clone(), number }.bytes());
        }
        let Some(packed) = packed else {
            batch.remove(bytes);
            return Ok(());
        };
        for (number, chunk) in (1..).zip(packed.chunks) {
            batch.insert(Key::Chunk { head: bytes.clone(), number }.bytes(), chunk);
        }
        batch.insert(bytes, packed.head);
        Ok(())
    }

    fn flush(&self, disk: &dyn Disk) -> Result<(), StoreError> {
        self.call(|db| db.flush())?;
        let synced = self.sync_pages(disk).and_then(|()| disk.sync(&self.log, &self.log_path));
        synced.map_err(|source| {
            if is_full(&source) {
                return io_failure(&self.folder, source);
            }
            StoreError::Poisoned { path: self.log_path.clone(), why: source.to_string() }
        })
    }

    /// Syncs pages that sled wrote to files of their own.
    fn sync_pages(&self, disk: &dyn Disk) -> io::Result<()> {
        let folder = &self.pages;
        let mut synced = self.synced_pages.lock().unwrap_or_else(PoisonError::into_inner);
        let mut present = BTreeSet::new();
        for entry in fs::read_dir(folder)? {
            let name = entry?.file_name();
            if !synced.contains(&name) {
                let path = folder.join(&name);
                match File::open(&path) {
                    Ok(file) => disk.sync(&file, &path)?,
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    Err(error) => return Err(error),
                }
            }
            present.insert(name);
        }
        if !present.is_subset(&synced) {
            sync_folder(disk, folder)?;
        }
        *synced = present;
        Ok(())
    }

    fn call<T>(&self, f: impl FnOnce(&sled::Db) -> sled::Result<T>) -> Result<T, StoreError> {
        let Some(db) = &self.db else { return Err(StoreError::Closed) };
        caught(&self.folder, || f(db))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let db = self.db.take();
        // sled asserts that its last fsync succeeds; what was acknowledged is already durable.
        let _ = panics::caught(move || drop(db));
    }
}

/// Decodes the value of a key, or says which key is corrupt.
pub(super) fn decode<T: serde::de::DeserializeOwned>(key: &[u8], bytes: &[u8]) -> Result<T, StoreError> {
    codec::decode(bytes).map_err(|damage| StoreError::Corrupt { key: key::describe(key), damage })
}

/// What sled is about to drop at the end of its log.
fn torn(folder: &Path, home: &Path) -> Result<Option<Torn>, StoreError> {
    let condition = log_file::condition(home).map_err(|source| io_failure(folder, source))?;
    if let Some(Break { at, commits }) = condition.broken {
        // sled would take it for the end of the log.
        let why = format!("byte {at} of its log is wrong, and {commits} commits after it would be dropped");
        return Err(StoreError::Database { path: folder.to_owned(), why });
    }
    Ok(condition.torn)
}

fn open_sled(folder: &Path, home: &Path, cache: u64) -> Result<sled::Db, StoreError> {
    let config = sled::Config::new().path(home).cache_capacity(cache).mode(sled::Mode::LowSpace);
    let mut tries = OPEN_TRIES;
    loop {
        clear_unfinished_snapshots(home).map_err(|source| io_failure(folder, source))?;
        match caught(folder, || config.open()) {
            Err(error) if tries > 0 && error.to_string().contains("could not acquire lock") => {
                tries -= 1;
                thread::sleep(OPEN_PAUSE);
            }
            other => return other,
        }
    }
}

/// sled writes a snapshot to `snap.….generating` and renames it. If a crash or a full disk left one unfinished, sled
/// would take it for the newest, find it corrupt and never open again.
fn clear_unfinished_snapshots(home: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(home) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        other => other?,
    };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with("snap.") && name.ends_with(".generating") {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn caught<T>(folder: &Path, f: impl FnOnce() -> sled::Result<T>) -> Result<T, StoreError> {
    match panics::caught(f) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(sled::Error::Io(source))) if !is_damage(&source) => Err(io_failure(folder, source)),
        Ok(Err(error)) => Err(StoreError::Database { path: folder.to_owned(), why: error.to_string() }),
        Err(panic) => Err(StoreError::Database { path: folder.to_owned(), why: panic.to_string() }),
    }
}

/// True for the errors of a file that ends too early or has invalid content: the file's own fault, not the disk's.
fn is_damage(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData)
}

fn io_failure(folder: &Path, source: io::Error) -> StoreError {
    let full = is_full(&source);
    let (path, source) = (folder.to_owned(), Arc::new(source));
    if full {
        StoreError::DiskFull { path, source }
    } else {
        StoreError::Io { action: "cannot use the database under", path, source }
    }
}
