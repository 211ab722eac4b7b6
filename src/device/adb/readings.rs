//! Recently read dumps: tests come back to the same screens again and again, byte for byte, and on every device of a
//! lab.
//!
//! In: dumps, and what was read from them. Out: the same again, without reading. Invariants: bytes are told apart by
//! their BLAKE3, and those that are read in different ways by the way; memory is bounded for the whole lab, however
//! many devices it has.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lru::LruCache;

use super::dump::Dumper;
use droidmux_gui::{Dump, Layout, Note};
use droidmux_record::BlobHash;

/// Bytes of layouts kept for all devices behind one server. A layout of a phone's screen takes some 20 KB: these are
/// the last 400 screens, more than most apps show in an hour.
const LIMIT: usize = 8 << 20;

/// Which bytes were read, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ReadingKey {
    bytes: BlobHash,
    /// Whose dump it is, and the version of Android that the layout is adapted to.
    pub dumper: Dumper,
    pub api: u32,
}

impl ReadingKey {
    pub(super) fn new(bytes: &[u8], dumper: Dumper, api: u32) -> Self {
        Self { bytes: BlobHash::of(bytes), dumper, api }
    }

    /// True for dumps of these very bytes, by whatever tool.
    pub(super) fn has_bytes(&self, of: &Self) -> bool {
        self.bytes == of.bytes
    }
}

/// What was read from a dump.
#[derive(Debug)]
pub(super) struct Reading {
    pub key: ReadingKey,
    pub layout: Arc<Layout>,
    pub notes: Vec<Note>,
}

impl Reading {
    pub(super) fn new(key: ReadingKey, dump: Dump) -> Self {
        Self { key, layout: Arc::new(dump.layout), notes: dump.notes }
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.layout.memory() + self.notes.capacity() * size_of::<Note>()
    }
}

/// The readings of a lab; the least recently used are dropped first.
#[derive(Debug)]
pub(super) struct Readings {
    kept: Mutex<Kept>,
}

#[derive(Debug)]
struct Kept {
    known: LruCache<ReadingKey, Arc<Reading>>,
    size: usize,
}

impl Default for Readings {
    fn default() -> Self {
        Self { kept: Mutex::new(Kept { known: LruCache::unbounded(), size: 0 }) }
    }
}

impl Readings {
    /// What was read from these very bytes.
    pub(super) fn get(&self, key: &ReadingKey) -> Option<Arc<Reading>> {
        self.kept().known.get(key).map(Arc::clone)
    }

    pub(super) fn put(&self, reading: &Arc<Reading>) {
        let mut kept = self.kept();
        kept.size += reading.size();
        if let Some(before) = kept.known.put(reading.key, Arc::clone(reading)) {
            kept.size -= before.size();
        }
        while kept.size > LIMIT {
            let Some((_, oldest)) = kept.known.pop_lru() else { break };
            kept.size -= oldest.size();
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::read_dump;

    fn reading(text: &str, dumper: Dumper) -> Arc<Reading> {
        let bytes = format!("<hierarchy><node class=\"a.B\" text=\"{text}\"/></hierarchy>").into_bytes();
        let dump = read_dump(&bytes).expect("a dump");
        Arc::new(Reading::new(ReadingKey::new(&bytes, dumper, 34), dump))
    }

    #[test]
    fn the_same_bytes_are_read_once() {
        let readings = Readings::default();
        let (one, other) = (reading("one", Dumper::Uiautomator), reading("other", Dumper::Uiautomator));
        readings.put(&one);
        readings.put(&one);
        let found = readings.get(&one.key).expect("known");
        assert!(Arc::ptr_eq(&found, &one));
        assert!(readings.get(&other.key).is_none());
        assert_eq!(readings.kept().size, one.size());
    }

    #[test]
    fn the_same_bytes_of_another_dumper_are_read_again() {
        let readings = Readings::default();
        readings.put(&reading("one", Dumper::Uiautomator));
        let by_agent = reading("one", Dumper::Agent);
        assert!(readings.get(&by_agent.key).is_none());
        assert!(readings.get(&ReadingKey { dumper: Dumper::Uiautomator, ..by_agent.key }).is_some());
        assert!(readings.get(&ReadingKey { dumper: Dumper::Uiautomator, api: 28, ..by_agent.key }).is_none());
    }

    #[test]
    fn the_least_recently_used_leave() {
        let readings = Readings::default();
        let large: Vec<_> =
            ["a", "b", "c"].map(|text| reading(&text.repeat(LIMIT * 2 / 5), Dumper::Uiautomator)).to_vec();
        readings.put(&large[0]);
        readings.put(&large[1]);
        assert!(readings.get(&large[0].key).is_some());
        readings.put(&large[2]);
        let held: Vec<bool> = large.iter().map(|reading| readings.get(&reading.key).is_some()).collect();
        assert_eq!(held, [true, false, true]);
        let kept = readings.kept();
        assert!(kept.size <= LIMIT);
        assert_eq!(kept.known.len(), 2);
    }
}
