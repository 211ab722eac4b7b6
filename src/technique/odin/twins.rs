//! Layouts that differ by chance only: the same input led to them (Odin).

use std::collections::BTreeMap;

/// Places in sets. Which places are in one set does not depend on the order in which they were united.
#[derive(Clone, Debug, Default)]
pub(super) struct Twins {
    /// By place: its set; a place that was never united is in none.
    set_of: BTreeMap<u32, u32>,
    sets: BTreeMap<u32, Vec<u32>>,
}

impl Twins {
    /// Puts two places into one set; true when they were not.
    pub(super) fn unite(&mut self, one: u32, other: u32) -> bool {
        if one == other {
            return false;
        }
        let (kept, gone) = (self.set(one), self.set(other));
        if kept == gone {
            return false;
        }
        let moved = self.sets.remove(&gone).unwrap_or_default();
        self.set_of.extend(moved.iter().map(|place| (*place, kept)));
        self.sets.entry(kept).or_default().extend(moved);
        true
    }

    /// The places of a place's set, itself among them; empty for one that was never united.
    pub(super) fn of(&self, place: u32) -> &[u32] {
        self.set_of.get(&place).and_then(|set| self.sets.get(set)).map_or(&[], Vec::as_slice)
    }

    fn set(&mut self, place: u32) -> u32 {
        if let Some(&set) = self.set_of.get(&place) {
            return set;
        }
        self.set_of.insert(place, place);
        self.sets.insert(place, vec![place]);
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_grow_together() {
        let mut twins = Twins::default();
        for (one, other, is_new) in [(1, 1, false), (1, 2, true), (3, 4, true), (2, 1, false), (4, 1, true)] {
            assert_eq!(twins.unite(one, other), is_new, "{one} {other}");
        }
        let mut all = twins.of(3).to_vec();
        all.sort_unstable();
        assert_eq!((all, twins.of(5)), (vec![1, 2, 3, 4], &[][..]));
    }
}
