//! What was fetched by hash: the few most recently used.

use std::hash::Hash;
use std::num::NonZeroUsize;
use std::sync::Arc;

use lru::LruCache;

use crate::alignment::{Aligned, LayoutPair};
use crate::picture::{Picture, PictureKey};
use droidmux_gui::{Layout, LayoutHash};
use droidmux_record::BlobHash;

/// Keeps the few that were put or promoted last; looking at one while drawing changes nothing.
pub(super) fn recent<K: Hash + Eq, V>(most: usize) -> LruCache<K, V> {
    LruCache::new(NonZeroUsize::new(most).unwrap_or(NonZeroUsize::MIN))
}

/// Layouts, screenshots and what was made of them. `None` stands for what the lab does not have
/// or cannot be read.
pub struct Cache {
    pub layouts: LruCache<LayoutHash, Option<Arc<Layout>>>,
    pub screenshots: LruCache<BlobHash, Option<Arc<Vec<u8>>>>,
    pub pictures: LruCache<PictureKey, Option<Arc<Picture>>>,
    pub alignments: LruCache<LayoutPair, Arc<Aligned>>,
    /// Pictures and alignments being made.
    pub making: Vec<PictureKey>,
    pub aligning: Vec<LayoutPair>,
}

/// Pictures kept.
const PICTURES: usize = 12;

impl Default for Cache {
    fn default() -> Self {
        Self {
            layouts: recent(96),
            screenshots: recent(8),
            pictures: recent(PICTURES),
            alignments: recent(16),
            making: Vec::new(),
            aligning: Vec::new(),
        }
    }
}

impl Cache {
    /// Pictures are to be made another way.
    pub fn forget_pictures(&mut self) {
        self.pictures.clear();
    }

    /// The layout, if it was fetched and exists.
    pub fn layout(&self, hash: LayoutHash) -> Option<&Arc<Layout>> {
        self.layouts.peek(&hash)?.as_ref()
    }
}
