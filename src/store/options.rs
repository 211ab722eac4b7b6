//! How a store is opened.

use std::sync::Arc;

use super::disk::{Disk, RealDisk};

/// How a store is opened.
#[derive(Clone)]
pub struct StoreOptions {
    /// Turns the folder into a store if it is missing or empty.
    pub create: bool,
    /// Bytes that must stay free: recording stops with `SpaceLow` before they are touched.
    pub min_free: u64,
    /// Bytes of the ballast file, given back when the disk is full; less than `min_free`.
    pub ballast: u64,
    /// Bytes sled may keep of its pages.
    pub sled_cache: u64,
    /// Bytes of layouts kept in memory.
    pub layout_cache: usize,
    /// The most appends under way; further ones wait.
    pub queue: usize,
    /// Syncs and measures: the real disk, or one that tests fill and break.
    pub disk: Arc<dyn Disk>,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self {
            create: true,
            min_free: 64 << 20,
            ballast: 16 << 20,
            sled_cache: 16 << 20,
            layout_cache: 8 << 20,
            queue: 256,
            disk: Arc::new(RealDisk),
        }
    }
}
