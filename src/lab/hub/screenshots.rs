//! Which screenshot shows a layout: a layout seen before is not photographed again.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use droidmux_record::{AppBuild, BlobHash, DeviceInfo};

/// What determines how a picture of a layout looks: the app's build, the
/// device's model, the system's build, the screen's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Looks(u64);

impl Looks {
    /// Equal for devices on which a layout looks the same.
    pub(crate) fn of(device: &DeviceInfo, app: &AppBuild) -> Self {
        let mut hasher = DefaultHasher::new();
        (&app.package, &app.version_name, app.version_code).hash(&mut hasher);
        (&device.model, &device.build, device.width, device.height).hash(&mut hasher);
        Self(hasher.finish())
    }
}

/// Layouts of one generation.
const MOST: usize = 4_096;

/// The recently used screenshots of layouts, on all devices or on those of one look: between [`MOST`] and twice as
/// many. Those not used while a generation filled up are forgotten.
#[derive(Debug)]
pub(super) struct Screenshots<K> {
    young: HashMap<K, BlobHash>,
    old: HashMap<K, BlobHash>,
}

impl<K> Default for Screenshots<K> {
    fn default() -> Self {
        Self { young: HashMap::new(), old: HashMap::new() }
    }
}

impl<K: Copy + Eq + Hash> Screenshots<K> {
    pub(super) fn put(&mut self, layout: K, screenshot: BlobHash) {
        if self.young.len() >= MOST && !self.young.contains_key(&layout) {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(layout, screenshot);
    }

    pub(super) fn get(&mut self, layout: K) -> Option<BlobHash> {
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
    use droidmux_gui::LayoutHash;

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
