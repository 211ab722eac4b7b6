//! Recently read layouts, bounded in bytes.

use std::sync::Arc;

use droidmux_gui::{Layout, LayoutHash};
use lru::LruCache;

/// The least recently used one leaves first.
#[derive(Debug)]
pub(super) struct LayoutCache {
    limit: usize,
    /// Of all entries.
    bytes: usize,
    /// Layouts, each with its bytes.
    entries: LruCache<LayoutHash, (Arc<Layout>, usize)>,
}

impl LayoutCache {
    /// `limit` in bytes of layouts.
    pub fn new(limit: usize) -> Self {
        Self { limit, bytes: 0, entries: LruCache::unbounded() }
    }

    pub fn get(&mut self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.entries.get(&hash).map(|(layout, _)| Arc::clone(layout))
    }

    /// Keeps a layout; one larger than the limit is not kept.
    pub fn put(&mut self, hash: LayoutHash, layout: &Arc<Layout>) {
        let bytes = layout.memory();
        if bytes > self.limit || self.get(hash).is_some() {
            return;
        }
        self.bytes += bytes;
        self.entries.put(hash, (Arc::clone(layout), bytes));
        while self.bytes > self.limit {
            let Some((_, (_, bytes))) = self.entries.pop_lru() else { break };
            self.bytes -= bytes;
        }
    }

    pub fn clear(&mut self) {
        *self = Self::new(self.limit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{LayoutBuilder, NewWidget};

    fn layout(text: &str) -> (LayoutHash, Arc<Layout>) {
        let mut builder = LayoutBuilder::new();
        builder.open(NewWidget { text, ..NewWidget::default() });
        let layout = builder.finish();
        (layout.hash(), Arc::new(layout))
    }

    #[test]
    fn the_least_recently_used_leaves_and_the_limit_holds() {
        let layouts: Vec<_> = ["a", "b", "c"].map(layout).to_vec();
        let size = layouts[0].1.memory();
        let mut cache = LayoutCache::new(2 * size);
        cache.put(layouts[0].0, &layouts[0].1);
        cache.put(layouts[1].0, &layouts[1].1);
        assert!(cache.get(layouts[0].0).is_some());
        cache.put(layouts[2].0, &layouts[2].1);
        let held: Vec<bool> = layouts.iter().map(|(hash, _)| cache.get(*hash).is_some()).collect();
        assert_eq!(held, [true, false, true]);
        assert!(cache.bytes <= cache.limit);
        let (hash, large) = layout(&"x".repeat(3 * size));
        cache.put(hash, &large);
        assert!(cache.get(hash).is_none() && cache.get(layouts[2].0).is_some());
    }
}
