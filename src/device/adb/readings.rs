//! Recently read dumps: a test comes back to the same screens again and again, byte for byte.

use std::collections::hash_map::RandomState;
use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasher;
use std::sync::Arc;

use droidmux_gui::{Dump, Layout, Note};

/// Bytes of dumps and their layouts kept for one device.
const LIMIT: usize = 2 << 20;

/// A dump with what was read from it.
#[derive(Debug)]
pub(super) struct Reading {
    pub bytes: Vec<u8>,
    pub layout: Arc<Layout>,
    pub notes: Vec<Note>,
}

impl Reading {
    pub(super) fn new(bytes: Vec<u8>, dump: Dump) -> Self {
        Self { bytes, layout: Arc::new(dump.layout), notes: dump.notes }
    }

    fn size(&self) -> usize {
        self.bytes.capacity() + self.layout.memory()
    }
}

/// The readings of one device; the oldest are dropped first.
#[derive(Debug, Default)]
pub(super) struct Readings {
    hasher: RandomState,
    known: HashMap<u64, Arc<Reading>>,
    order: VecDeque<u64>,
    size: usize,
}

impl Readings {
    /// What was read from these very bytes.
    pub(super) fn get(&self, bytes: &[u8]) -> Option<Arc<Reading>> {
        let known = self.known.get(&self.hasher.hash_one(bytes))?;
        (known.bytes == bytes).then(|| Arc::clone(known))
    }

    pub(super) fn put(&mut self, reading: &Arc<Reading>) {
        let hash = self.hasher.hash_one(reading.bytes.as_slice());
        self.size += reading.size();
        match self.known.insert(hash, Arc::clone(reading)) {
            Some(before) => self.size -= before.size(),
            None => self.order.push_back(hash),
        }
        while self.size > LIMIT {
            let Some(oldest) = self.order.pop_front() else { break };
            self.size -= self.known.remove(&oldest).map_or(0, |reading| reading.size());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::read_dump;

    fn reading(text: &str) -> Arc<Reading> {
        let bytes = format!("<hierarchy><node class=\"a.B\" text=\"{text}\"/></hierarchy>").into_bytes();
        let dump = read_dump(&bytes).expect("a dump");
        Arc::new(Reading::new(bytes, dump))
    }

    #[test]
    fn the_same_bytes_are_read_once() {
        let mut readings = Readings::default();
        let (one, other) = (reading("one"), reading("other"));
        readings.put(&one);
        readings.put(&one);
        let found = readings.get(&one.bytes).expect("known");
        assert!(Arc::ptr_eq(&found, &one));
        assert!(readings.get(&other.bytes).is_none());
        assert_eq!(readings.size, one.size());
    }

    #[test]
    fn the_oldest_leave() {
        let mut readings = Readings::default();
        let large: Vec<_> = ["a", "b", "c"].map(|text| reading(&text.repeat(LIMIT / 8))).to_vec();
        large.iter().for_each(|reading| readings.put(reading));
        let held: Vec<bool> = large.iter().map(|reading| readings.get(&reading.bytes).is_some()).collect();
        assert!(held.ends_with(&[true]) && held.contains(&false), "{held:?}");
        assert!(readings.size <= LIMIT);
        assert_eq!(readings.order.len(), readings.known.len());
    }
}
