//! The store's handle: opening it, and the paths that every read and write takes.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::{RwLock, Semaphore};

use super::core::{Core, Reserve};
use super::engine::{Write, decode};
use super::key::Key;
use super::writer::{Commit, Writer};
use super::{StoreError, StoreOptions};

/// An open store. Clones share it; it closes with the last one.
///
/// All calls except [`Store::append`] wait for the disk: async code makes them on a blocking thread. What a call wrote
/// is durable when it returns.
#[derive(Clone)]
pub struct Store {
    pub(super) inner: Arc<Inner>,
}

pub(super) struct Inner {
    // Before `core`: the thread must end before the lock is released.
    pub writer: Writer,
    pub core: Arc<Core>,
    /// Bounds the appends under way.
    pub appends: Arc<Semaphore>,
    /// The limit on them, and how many there were at the same time.
    pub places: usize,
    pub most_waiting: AtomicUsize,
    /// Session numbers are given out one at a time.
    pub numbering: Mutex<()>,
    /// Archives are imported one at a time.
    pub importing: Mutex<()>,
    /// Held for writing while data that nothing names any more is removed.
    pub cleaning: Arc<RwLock<()>>,
}

impl Inner {
    pub(super) fn note_waiting(&self) {
        let waiting = self.places.saturating_sub(self.appends.available_permits());
        self.most_waiting.fetch_max(waiting, Ordering::Relaxed);
    }
}

impl Store {
    /// Opens the store in this folder, creating it when it is missing.
    ///
    /// # Errors
    /// `InUse` names the process that has it open, `TooNew` means a format of a later droidmux, `NotAStore` a folder
    /// that belongs to something else.
    pub fn open(folder: &Path, options: StoreOptions) -> Result<Self, StoreError> {
        let core = Arc::new(Core::open(folder, &options)?);
        let writer = Writer::start(Arc::clone(&core)).map_err(|source| StoreError::Io {
            action: "cannot start the writer of",
            path: folder.to_owned(),
            source: Arc::new(source),
        })?;
        let places = options.queue.clamp(1, Semaphore::MAX_PERMITS);
        let inner = Inner {
            writer,
            core,
            appends: Arc::new(Semaphore::new(places)),
            places,
            most_waiting: AtomicUsize::new(0),
            numbering: Mutex::new(()),
            importing: Mutex::new(()),
            cleaning: Arc::new(RwLock::new(())),
        };
        let store = Self { inner: Arc::new(inner) };
        if let Err(error) = store.sweep_imports() {
            // Leftovers of an import hide nothing and can wait until there is more room.
            tracing::warn!(folder = %folder.display(), %error, "an unfinished import is still there");
        }
        Ok(store)
    }

    /// The highest number of appends that were under way at the same time.
    pub fn most_waiting(&self) -> u64 {
        self.inner.most_waiting.load(Ordering::Relaxed) as u64
    }

    /// The store's folder.
    pub fn folder(&self) -> &Path {
        &self.inner.core.folder
    }

    /// Whether an append would be admitted now: `SpaceLow` with the figures if not. A paused session asks this before
    /// it continues.
    ///
    /// # Errors
    /// `SpaceLow` when it would not; `Io` when the disk does not tell its free space.
    pub fn room(&self) -> Result<(), StoreError> {
        self.inner.core.room(Reserve::Recording, 0)
    }

    /// The decoded value of a key.
    pub(super) fn get<T: DeserializeOwned>(&self, key: &Key) -> Result<Option<T>, StoreError> {
        match self.inner.core.with(|engine| engine.value(key))? {
            Some(bytes) => decode(&key.bytes(), &bytes).map(Some),
            None => Ok(None),
        }
    }

    pub(super) fn put<T: Serialize>(&self, key: Key, value: &T, room: Reserve) -> Result<(), StoreError> {
        self.write(vec![Write::of(key, value)?], room)
    }

    /// Writes all of this or nothing; durable on return.
    pub(super) fn write(&self, writes: Vec<Write>, room: Reserve) -> Result<(), StoreError> {
        let (tell, told) = mpsc::channel();
        self.inner.writer.send(Commit {
            writes,
            layouts: Vec::new(),
            named: Default::default(),
            entries: None,
            room,
            done: Box::new(move |result| {
                let _ = tell.send(result.map(|_| ()));
            }),
        });
        told.recv().unwrap_or(Err(StoreError::Closed))
    }
}
