//! What was fetched by hash: the few most recently used.

use std::sync::Arc;

use crate::alignment::{Aligned, LayoutPair};
use crate::picture::{Picture, PictureKey};
use droidmux_gui::{Layout, LayoutHash};
use droidmux_record::BlobHash;

/// A small map that forgets what has not been used for longest. Linear: it holds a few dozen.
pub struct Recent<K, V> {
    entries: Vec<(K, V)>,
    most: usize,
}

impl<K: PartialEq, V> Recent<K, V> {
    pub fn new(most: usize) -> Self {
        Self { entries: Vec::new(), most }
    }

    pub fn get(&self, key: &K) -> Option<&V> {
        self.entries.iter().rev().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    pub fn put(&mut self, key: K, value: V) {
        self.entries.retain(|(known, _)| *known != key);
        if self.entries.len() >= self.most {
            self.entries.remove(0);
        }
        self.entries.push((key, value));
    }

    /// Moves an entry to the end that is kept longest.
    pub fn touch(&mut self, key: &K) {
        if let Some(n) = self.entries.iter().position(|(known, _)| known == key) {
            let entry = self.entries.remove(n);
            self.entries.push(entry);
        }
    }

    pub fn last(&self, wanted: impl Fn(&K) -> bool) -> Option<&V> {
        self.entries.iter().rev().find(|(key, _)| wanted(key)).map(|(_, value)| value)
    }
}

/// Layouts, screenshots and what was made of them. `None` stands for what the lab does not have
/// or cannot be read.
pub struct Cache {
    pub layouts: Recent<LayoutHash, Option<Arc<Layout>>>,
    pub screenshots: Recent<BlobHash, Option<Arc<Vec<u8>>>>,
    pub pictures: Recent<PictureKey, Option<Arc<Picture>>>,
    pub alignments: Recent<LayoutPair, Arc<Aligned>>,
    /// Pictures and alignments being made.
    pub making: Vec<PictureKey>,
    pub aligning: Vec<LayoutPair>,
}

/// Pictures kept.
const PICTURES: usize = 12;

impl Default for Cache {
    fn default() -> Self {
        Self {
            layouts: Recent::new(96),
            screenshots: Recent::new(8),
            pictures: Recent::new(PICTURES),
            alignments: Recent::new(16),
            making: Vec::new(),
            aligning: Vec::new(),
        }
    }
}

impl Cache {
    /// Pictures are to be made another way.
    pub fn forget_pictures(&mut self) {
        self.pictures = Recent::new(PICTURES);
    }

    /// The layout, if it was fetched and exists.
    pub fn layout(&self, hash: LayoutHash) -> Option<&Arc<Layout>> {
        self.layouts.get(&hash)?.as_ref()
    }
}
