//! Which screenshot shows a layout: a layout seen before is not photographed again.

use std::collections::HashMap;

use crate::gui::LayoutHash;
use crate::record::BlobHash;

/// Layouts of one generation.
const MOST: usize = 4_096;

/// The screenshots of layouts used lately: between [`MOST`] and twice as many. What was not used
/// while a generation filled up is forgotten.
#[derive(Debug, Default)]
pub(super) struct Screenshots {
    young: HashMap<LayoutHash, BlobHash>,
    old: HashMap<LayoutHash, BlobHash>,
}

impl Screenshots {
    pub(super) fn put(&mut self, layout: LayoutHash, screenshot: BlobHash) {
        if self.young.len() >= MOST && !self.young.contains_key(&layout) {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(layout, screenshot);
    }

    pub(super) fn get(&mut self, layout: LayoutHash) -> Option<BlobHash> {
        if let Some(known) = self.young.get(&layout) {
            return Some(*known);
        }
        let known = *self.old.get(&layout)?;
        self.put(layout, known);
        Some(known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(n: u32) -> LayoutHash {
        let mut hash = [0; 16];
        hash[..4].copy_from_slice(&n.to_be_bytes());
        LayoutHash(hash)
    }

    #[test]
    fn what_is_used_stays_and_the_rest_is_forgotten() {
        let mut screenshots = Screenshots::default();
        let blob = |n: u32| BlobHash::of(&n.to_be_bytes());
        for n in 0..100_000 {
            screenshots.put(layout(n), blob(n));
            assert_eq!(screenshots.get(layout(7)), (n >= 7).then(|| blob(7)), "asked for all the time");
            assert!(screenshots.young.len() + screenshots.old.len() <= 2 * MOST);
        }
        assert_eq!(screenshots.get(layout(99_999)), Some(blob(99_999)));
        assert_eq!(screenshots.get(layout(8)), None);
    }
}
