//! A cache of recent results, bounded in bytes or in number.

use std::hash::Hash;

use lru::LruCache;

/// The least recently used leaves first.
pub(super) struct Kept<K: Hash + Eq, V> {
    limit: usize,
    /// The total size of all entries.
    size: usize,
    /// Values, each with its size.
    entries: LruCache<K, (V, usize)>,
}

impl<K: Hash + Eq, V: Clone> Kept<K, V> {
    /// `limit` in the units of [`Kept::put`].
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, size: 0, entries: LruCache::unbounded() }
    }

    pub(super) fn get(&mut self, key: &K) -> Option<V> {
        self.entries.get(key).map(|(value, _)| value.clone())
    }

    /// Keeps a value of this size; one larger than the limit is not kept.
    pub(super) fn put(&mut self, key: K, value: V, size: usize) {
        if size > self.limit || self.get(&key).is_some() {
            return;
        }
        self.size += size;
        self.entries.put(key, (value, size));
        while self.size > self.limit {
            let Some((_, (_, size))) = self.entries.pop_lru() else { break };
            self.size -= size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_leaves_first() {
        let mut kept = Kept::new(10);
        for (key, bytes) in [('a', 4), ('b', 4), ('a', 4), ('c', 4), ('d', 11)] {
            kept.put(key, key, bytes);
        }
        let held: Vec<char> = "abcd".chars().filter(|key| kept.get(key).is_some()).collect();
        assert_eq!((held, kept.size), (vec!['a', 'c'], 8));
    }
}
