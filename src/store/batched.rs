//! Writes collected into commits: many values, few fsyncs, little memory.

use serde::Serialize;

use super::core::Reserve;
use super::engine::Write;
use super::key::Key;
use super::value::Packed;
use super::{Store, StoreError};

/// Bytes and values of one commit.
const BATCH_BYTES: usize = 4 << 20;
const BATCH: usize = 1_000;

/// Values on their way into the store.
pub(super) struct Batched<'a> {
    store: &'a Store,
    writes: Vec<Write>,
    bytes: usize,
}

impl<'a> Batched<'a> {
    pub fn new(store: &'a Store) -> Self {
        Self { store, writes: Vec::new(), bytes: 0 }
    }

    /// Puts a value.
    pub fn put_value<T: Serialize>(&mut self, key: Key, value: &T) -> Result<(), StoreError> {
        let packed = Packed::of(&key, value)?;
        self.put_packed(key, packed)
    }

    /// Puts an already encoded value.
    pub fn put(&mut self, key: Key, raw: Vec<u8>) -> Result<(), StoreError> {
        let packed = Packed::raw(&key, raw)?;
        self.put_packed(key, packed)
    }

    fn put_packed(&mut self, key: Key, packed: Packed) -> Result<(), StoreError> {
        self.bytes += packed.size();
        self.writes.push(Write::Put(key, packed));
        if self.bytes >= BATCH_BYTES || self.writes.len() >= BATCH { self.commit() } else { Ok(()) }
    }

    /// Writes whatever is left.
    pub fn finish(mut self) -> Result<(), StoreError> {
        self.commit()
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.bytes = 0;
        let writes = std::mem::take(&mut self.writes);
        if writes.is_empty() { Ok(()) } else { self.store.write(writes, Reserve::Recording) }
    }
}
