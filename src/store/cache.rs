//! Recently read layouts, bounded in bytes.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use droidmux_gui::{Layout, LayoutHash};

/// The least recently used one leaves first.
#[derive(Debug)]
pub(super) struct LayoutCache {
    limit: usize,
    bytes: usize,
    clock: u64,
    entries: HashMap<LayoutHash, Entry>,
    /// By the time of last use.
    order: BTreeMap<u64, LayoutHash>,
}

#[derive(Debug)]
struct Entry {
    layout: Arc<Layout>,
    bytes: usize,
    used: u64,
}

impl LayoutCache {
    /// `limit` in bytes of layouts.
    pub fn new(limit: usize) -> Self {
        Self { limit, bytes: 0, clock: 0, entries: HashMap::new(), order: BTreeMap::new() }
    }

    pub fn get(&mut self, hash: LayoutHash) -> Option<Arc<Layout>> {
        let entry = self.entries.get_mut(&hash)?;
        self.clock += 1;
        self.order.remove(&entry.used);
        self.order.insert(self.clock, hash);
        entry.used = self.clock;
        Some(Arc::clone(&entry.layout))
    }

    /// Keeps a layout; one larger than the limit is not kept.
    pub fn put(&mut self, hash: LayoutHash, layout: &Arc<Layout>) {
        let bytes = layout.memory();
        if bytes > self.limit || self.get(hash).is_some() {
            return;
        }
        self.clock += 1;
        self.entries.insert(hash, Entry { layout: Arc::clone(layout), bytes, used: self.clock });
        self.order.insert(self.clock, hash);
        self.bytes += bytes;
        while self.bytes > self.limit {
            let Some((_, oldest)) = self.order.pop_first() else { break };
            if let Some(entry) = self.entries.remove(&oldest) {
                self.bytes -= entry.bytes;
            }
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
