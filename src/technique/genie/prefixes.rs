//! The trie of event prefixes that are known not to replay.

use std::collections::{BTreeMap, BTreeSet};

use droidmux_gui::Event;

/// Sequences of events from a reset whose last event could not be performed.
#[derive(Clone, Debug, Default)]
pub struct Prefixes {
    /// (node, hash of the event) → node; the root is 0.
    children: BTreeMap<(u32, u64), u32>,
    /// Nodes at which replays ended.
    dead: BTreeSet<u32>,
}

/// The most nodes: beyond that, nothing more is learned.
const MOST: usize = 200_000;

impl Prefixes {
    /// Notes that the last of these events could not be performed after the others.
    pub fn insert<'a>(&mut self, events: impl IntoIterator<Item = &'a Event>) {
        let mut node = 0;
        for event in events {
            if self.dead.contains(&node) || self.children.len() >= MOST {
                return;
            }
            let next = u32::try_from(self.children.len() + 1).unwrap_or(u32::MAX);
            node = *self.children.entry((node, fingerprint(event))).or_insert(next);
        }
        if node != 0 {
            self.dead.insert(node);
        }
    }

    /// True when the events begin with a sequence known not to replay.
    pub fn blocks<'a>(&self, events: impl IntoIterator<Item = &'a Event>) -> bool {
        let mut node = 0;
        for event in events {
            let Some(&next) = self.children.get(&(node, fingerprint(event))) else { return false };
            if self.dead.contains(&next) {
                return true;
            }
            node = next;
        }
        false
    }

    /// How many prefixes are known.
    pub fn len(&self) -> usize {
        self.dead.len()
    }

    /// True when every replay so far got to its end.
    pub fn is_empty(&self) -> bool {
        self.dead.is_empty()
    }
}

/// Equal for equal events, on every machine.
fn fingerprint(event: &Event) -> u64 {
    // Into a growing buffer: the only error postcard could report is a full one.
    let bytes = postcard::to_stdvec(event).unwrap_or_default();
    let mut short = [0; 8];
    short.copy_from_slice(&blake3::hash(&bytes).as_bytes()[..8]);
    u64::from_le_bytes(short)
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::EventKind::{self, Back, Home, Menu};

    fn events(kinds: &[EventKind]) -> Vec<Event> {
        kinds.iter().map(|&kind| Event::global(kind)).collect()
    }

    #[test]
    fn blocks_what_begins_with_a_known_prefix() {
        let mut known = Prefixes::default();
        known.insert(&events(&[Back, Home]));
        known.insert(&events(&[Menu]));
        known.insert(&events(&[]));
        for (asked, blocked) in [
            (vec![Back, Home], true),
            (vec![Back, Home, Menu], true),
            (vec![Back, Menu], false),
            (vec![Back], false),
            (vec![Menu, Back], true),
            (vec![], false),
        ] {
            assert_eq!(known.blocks(&events(&asked)), blocked, "{asked:?}");
        }
        assert_eq!(known.len(), 2);
    }
}
