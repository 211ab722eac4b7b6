//! A cache of recent results, bounded in bytes or in number.

/// The least recently used leaves first. Searched from the newest, which is most likely to be asked for again.
pub(super) struct Kept<K, V> {
    limit: usize,
    /// The total size of all entries.
    size: usize,
    /// Oldest first, each with its size.
    entries: Vec<(K, V, usize)>,
}

impl<K: PartialEq, V: Clone> Kept<K, V> {
    /// `limit` in the units of [`Kept::put`].
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, size: 0, entries: Vec::new() }
    }

    pub(super) fn get(&mut self, key: &K) -> Option<V> {
        let at = self.entries.iter().rposition(|(known, ..)| known == key)?;
        let entry = self.entries.remove(at);
        let value = entry.1.clone();
        self.entries.push(entry);
        Some(value)
    }

    /// Keeps a value of this size; one larger than the limit is not kept.
    pub(super) fn put(&mut self, key: K, value: V, size: usize) {
        if size > self.limit || self.get(&key).is_some() {
            return;
        }
        self.size += size;
        self.entries.push((key, value, size));
        while self.size > self.limit && !self.entries.is_empty() {
            let (_, _, size) = self.entries.remove(0);
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
