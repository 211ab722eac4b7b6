//! What was made lately, bounded in bytes.

/// Least recently used leaves first. Looked through from the newest: it holds some dozens.
pub(super) struct Kept<K, V> {
    limit: usize,
    bytes: usize,
    /// Oldest first, each with its bytes.
    entries: Vec<(K, V, usize)>,
}

impl<K: PartialEq, V: Clone> Kept<K, V> {
    /// `limit` in bytes of values.
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, bytes: 0, entries: Vec::new() }
    }

    pub(super) fn get(&mut self, key: &K) -> Option<V> {
        let at = self.entries.iter().rposition(|(known, ..)| known == key)?;
        let entry = self.entries.remove(at);
        let value = entry.1.clone();
        self.entries.push(entry);
        Some(value)
    }

    /// Keeps a value of so many bytes; one larger than the limit is not kept.
    pub(super) fn put(&mut self, key: K, value: V, bytes: usize) {
        if bytes > self.limit || self.get(&key).is_some() {
            return;
        }
        self.bytes += bytes;
        self.entries.push((key, value, bytes));
        while self.bytes > self.limit && !self.entries.is_empty() {
            let (_, _, bytes) = self.entries.remove(0);
            self.bytes -= bytes;
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
        assert_eq!((held, kept.bytes), (vec!['a', 'c'], 8));
    }
}
