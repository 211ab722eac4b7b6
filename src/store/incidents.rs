//! Incidents in the order they happened; the oldest make room for new ones.

use super::core::Reserve;
use super::engine::Write;
use super::key::{self, Key};
use super::{Records, Store, StoreError};
use droidmux_record::Incident;

/// The most incidents kept; old ones are removed in batches.
const KEPT: u64 = 20_000;
const REMOVED_AT_ONCE: u64 = 1_000;

impl Store {
    /// Appends incidents after the existing ones; possible on a nearly full disk.
    ///
    /// # Errors
    /// `SpaceLow` when hardly anything is free any more; also when the database fails.
    pub fn put_incidents(&self, incidents: &[Incident]) -> Result<(), StoreError> {
        let core = &self.inner.core;
        let span = key::incidents();
        let number = |found: Option<(Vec<u8>, Vec<u8>)>| match found.and_then(|(key, _)| Key::parse(&key)) {
            Some(Key::Incident(number)) => Some(number),
            _ => None,
        };
        let next = number(core.with(|engine| engine.last(&span))?).map_or(0, |last| last.saturating_add(1));
        let mut writes = Vec::with_capacity(incidents.len());
        for (number, incident) in (next..).zip(incidents) {
            writes.push(Write::of(Key::Incident(number), incident)?);
        }
        let first = number(core.with(|engine| engine.page(&span, None, 1))?.into_iter().next());
        if let Some(first) = first.filter(|first| next.saturating_sub(*first) > KEPT + REMOVED_AT_ONCE) {
            writes
                .extend((first..first + REMOVED_AT_ONCE).map(|number| Write::Remove(Key::Incident(number))));
        }
        self.write(writes, Reserve::Closing)
    }

    /// All incidents kept, oldest first.
    pub fn incidents(&self) -> Records<Incident> {
        Records::new(self, key::incidents(), |store, key, head| store.record(key, head).map(Some))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StoreOptions;
    use droidmux_record::IncidentKind;

    #[test]
    fn incidents_keep_their_order_and_their_number_is_bounded() {
        let folder = tempfile::tempdir().expect("a folder");
        let options = StoreOptions { min_free: 0, ballast: 0, ..StoreOptions::default() };
        let store = Store::open(folder.path(), options).expect("a store");
        let incident = |at_ms| Incident { at_ms, source: String::new(), what: IncidentKind::Began };
        for round in 0..12 {
            let all: Vec<_> = (round * 2_000..(round + 1) * 2_000).map(incident).collect();
            store.put_incidents(&all).expect("written");
        }
        let kept: Vec<u64> = store.incidents().map(|incident| incident.expect("read").at_ms).collect();
        assert!(kept.windows(2).all(|pair| pair[0] + 1 == pair[1]));
        assert_eq!(kept.last(), Some(&23_999));
        assert!((20_000..=23_000).contains(&kept.len()), "{}", kept.len());
    }
}
