//! Which screenshot shows a layout: a layout seen before is not photographed again.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroUsize;

use lru::LruCache;

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

/// The most layouts whose screenshots are known.
const MOST: NonZeroUsize = NonZeroUsize::new(8_192).unwrap();

/// The recently used screenshots of layouts, on all devices or on those of one look.
#[derive(Debug)]
pub(super) struct Screenshots<K: Hash + Eq>(LruCache<K, BlobHash>);

impl<K: Hash + Eq> Default for Screenshots<K> {
    fn default() -> Self {
        Self(LruCache::new(MOST))
    }
}

impl<K: Hash + Eq> Screenshots<K> {
    pub(super) fn put(&mut self, layout: K, screenshot: BlobHash) {
        self.0.put(layout, screenshot);
    }

    pub(super) fn get(&mut self, layout: K) -> Option<BlobHash> {
        self.0.get(&layout).copied()
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
            assert!(screenshots.0.len() <= MOST.get());
        }
        assert_eq!(screenshots.get(layout(99_999)), Some(blob(99_999)));
        assert_eq!(screenshots.get(layout(8)), None);
    }
}
