//! The open store's shared state: the database, which is reopened when it breaks, the room left on the disk, the cache
//! of layouts.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use super::ballast::Ballast;
use super::cache::LayoutCache;
use super::compaction::Opening;
use super::disk::Disk;
use super::engine::{Engine, Write};
use super::holder::Holder;
use super::screens::{ScreenPacker, Screens};
use super::{StoreError, StoreOptions, compaction, format, snapshot};

pub(super) struct Core {
    pub folder: PathBuf,
    pub disk: Arc<dyn Disk>,
    pub ballast: Ballast,
    pub screens: Screens,
    pub packer: ScreenPacker,
    pub cache: Mutex<LayoutCache>,
    min_free: u64,
    /// Bytes.
    sled_cache: u64,
    /// The store's format, which is raised to ours before the first value is written.
    format: AtomicU32,
    /// `None` while broken: the next use opens it again.
    engine: RwLock<Option<Engine>>,
    /// Set for good by an fsync that failed for a reason other than a full disk.
    poisoned: OnceLock<StoreError>,
    _holder: Holder,
}

/// How much room a write must leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reserve {
    /// What a session records: stops at the threshold.
    Recording,
    /// A few bytes that end or mark something: may use most of what the threshold reserves.
    Closing,
    /// Removal: always allowed, the ballast makes room for it.
    Cleaning,
}

impl Core {
    pub fn open(folder: &Path, options: &StoreOptions) -> Result<Self, StoreError> {
        let disk = Arc::clone(&options.disk);
        format::check(folder, options.create)?;
        let holder = Holder::take(folder)?;
        let ballast = Ballast::new(folder, options.ballast);
        // sled has to write in order to open: make room first.
        if disk.free(folder).is_ok_and(|free| free < options.ballast / 2) {
            ballast.release();
        }
        let format = format::settle(folder, &*disk)?;
        let core = Self {
            screens: Screens::open(folder, Arc::clone(&disk))?,
            packer: ScreenPacker::default(),
            folder: folder.to_owned(),
            disk,
            ballast,
            cache: Mutex::new(LayoutCache::new(options.layout_cache)),
            min_free: options.min_free,
            sled_cache: options.sled_cache,
            format: AtomicU32::new(format),
            engine: RwLock::new(None),
            poisoned: OnceLock::new(),
            _holder: holder,
        };
        core.reopen()?;
        core.restock();
        Ok(core)
    }

    /// Reads from the database, opening it again first if it broke. A disk that was full when sled last wrote in the
    /// background makes reads fail, too: these are retried once on a fresh handle.
    pub fn with<T>(&self, mut f: impl FnMut(&Engine) -> Result<T, StoreError>) -> Result<T, StoreError> {
        match self.with_open(&mut f) {
            Err(error @ StoreError::DiskFull { .. }) => {
                self.recover(&error);
                self.with_open(f)
            }
            other => other,
        }
    }

    /// Commits durably, all or nothing. A failure leaves the database as it was before.
    pub fn commit(&self, writes: Vec<Write>) -> Result<(), StoreError> {
        if let Some(error) = self.poisoned.get() {
            return Err(error.clone());
        }
        if writes.iter().any(|write| matches!(write, Write::Put(..))) {
            self.raise_format()?;
        }
        let done = self.with_open(|engine| engine.commit(writes, &*self.disk));
        if let Err(error) = &done {
            self.recover(error);
        }
        done
    }

    /// Fails with `SpaceLow` when this many more bytes must not be written now.
    pub fn room(&self, room: Reserve, bytes: usize) -> Result<(), StoreError> {
        let free = match self.disk.free(&self.folder) {
            Ok(free) => free,
            Err(source) => {
                let (path, source) = (self.folder.clone(), Arc::new(source));
                return Err(StoreError::Io { action: "cannot tell the free space under", path, source });
            }
        };
        let needed = match room {
            // The room that the ballast gave back is not for recording.
            Reserve::Recording => self.min_free.saturating_add(self.ballast.wanted()),
            Reserve::Closing => self.min_free / 8,
            Reserve::Cleaning => 0,
        };
        let needed = needed.saturating_add(bytes as u64);
        if room == Reserve::Cleaning && free < self.ballast.held() {
            self.ballast.release();
        }
        if room != Reserve::Cleaning && free < needed {
            return Err(StoreError::SpaceLow { path: self.folder.clone(), free, needed });
        }
        if room == Reserve::Recording && self.ballast.wanted() > 0 {
            self.restock();
        }
        Ok(())
    }

    /// The highest format that the store's values may have.
    pub fn format(&self) -> u32 {
        self.format.load(Ordering::Acquire)
    }

    /// From here on values may be written that earlier versions cannot read.
    fn raise_format(&self) -> Result<(), StoreError> {
        if self.format() < format::FORMAT {
            format::raise(&self.folder, &*self.disk)?;
            self.format.store(format::FORMAT, Ordering::Release);
        }
        Ok(())
    }

    /// Copies the entries whose keys are kept; everyone else waits. Needs room for the copy; fails with `DiskFull` and
    /// changes nothing when there is not enough.
    pub fn keep_only(&self, keep: &dyn Fn(&[u8]) -> bool) -> Result<(), StoreError> {
        self.with(|_| Ok(()))?;
        let mut engine = self.engine.write().unwrap_or_else(PoisonError::into_inner);
        let Some(old) = engine.as_ref() else { return Err(StoreError::Closed) };
        if let Err(error) = compaction::copy(old, keep, self.opening()) {
            let _ = fs::remove_dir_all(self.folder.join(compaction::NEW));
            return Err(error);
        }
        // The lock is kept: nobody may open a database that is between two names.
        if let Some(old) = engine.take() {
            old.close();
        }
        let swapped = compaction::swap(&self.folder, &*self.disk)
            .map_err(|source| compaction::failure(&self.folder, source));
        *engine = Some(self.open_engine()?);
        swapped
    }

    fn opening(&self) -> Opening<'_> {
        Opening { folder: &self.folder, cache: self.sled_cache, disk: &*self.disk }
    }

    fn with_open<T>(&self, f: impl FnOnce(&Engine) -> Result<T, StoreError>) -> Result<T, StoreError> {
        loop {
            {
                let engine = self.engine.read().unwrap_or_else(PoisonError::into_inner);
                if let Some(engine) = &*engine {
                    return f(engine);
                }
            }
            self.reopen()?;
        }
    }

    /// Recreates the ballast when there is room for it in addition to the threshold.
    fn restock(&self) {
        let wanted = self.ballast.wanted();
        let enough = self.min_free.max(wanted).saturating_add(wanted);
        if wanted > 0
            && self.disk.free(&self.folder).is_ok_and(|free| free >= enough)
            && let Err(error) = self.ballast.take(&*self.disk)
        {
            tracing::warn!(folder = %self.folder.display(), %error, "the ballast cannot be taken");
        }
    }

    /// After a failed commit: the database's state in memory may differ from what is on disk, and after a full disk its
    /// handle stays broken. So it is dropped, room is made, and it is opened again.
    fn recover(&self, error: &StoreError) {
        if let StoreError::Poisoned { .. } = error {
            // The kernel has forgotten which pages failed; a second fsync would lie.
            let _ = self.poisoned.set(error.clone());
            return;
        }
        let database = matches!(
            error,
            StoreError::DiskFull { .. } | StoreError::Io { .. } | StoreError::Database { .. }
        );
        if !database {
            return;
        }
        tracing::warn!(folder = %self.folder.display(), %error, "a commit failed, reopening the database");
        *self.engine.write().unwrap_or_else(PoisonError::into_inner) = None;
        if error.is_space() {
            self.ballast.release();
        }
        if let Err(error) = self.reopen() {
            tracing::error!(folder = %self.folder.display(), %error, "the database cannot be reopened");
        }
    }

    fn reopen(&self) -> Result<(), StoreError> {
        let mut engine = self.engine.write().unwrap_or_else(PoisonError::into_inner);
        if engine.is_none() {
            *engine = Some(self.open_engine()?);
        }
        Ok(())
    }

    /// Opens the database; the caller holds the lock on `engine`, and nobody else has it open.
    fn open_engine(&self) -> Result<Engine, StoreError> {
        compaction::settle(&self.folder, &*self.disk)?;
        let home = self.folder.join("db");
        let open = || Engine::open(&self.folder, &home, self.sled_cache, &*self.disk);
        match open() {
            Err(error) if error.is_space() && self.ballast.release() => open(),
            Err(StoreError::Database { .. }) if snapshot::is_damaged(&home) => {
                snapshot::rebuild(self.opening())?;
                open()
            }
            other => other,
        }
    }
}
