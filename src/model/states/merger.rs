//! Merging states, each with everything that follows from it, or not at all.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::EventLabel;
use super::union::UnionFind;
use droidmux_gui::StateId;

/// The states in the making. Layouts are numbers in content-hash order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Merger<'h> {
    /// By layout: the events it handles. Layouts are similar when these are equal.
    handled: &'h [StateId],
    sets: UnionFind,
    /// By root: for each label the layouts it leads to, one from each state they are in.
    targets: Vec<BTreeMap<EventLabel, Vec<u32>>>,
    /// What was added to `targets`, oldest first: root, label and the number of targets before.
    added: Vec<(u32, EventLabel, usize)>,
    /// Pairs of states, by their lowest layouts, that could not be merged in this pass.
    pub(super) failed: HashSet<(u32, u32)>,
}

impl<'h> Merger<'h> {
    pub(super) fn new(
        handled: &'h [StateId],
        edges: impl IntoIterator<Item = (u32, EventLabel, u32)>,
    ) -> Self {
        let mut targets: Vec<BTreeMap<EventLabel, Vec<u32>>> = vec![BTreeMap::new(); handled.len()];
        for (from, label, to) in edges {
            let known = targets[from as usize].entry(label).or_default();
            if !known.contains(&to) {
                known.push(to);
            }
        }
        let sets = UnionFind::new(u32::try_from(handled.len()).unwrap_or(u32::MAX));
        Self { handled, sets, targets, added: Vec::new(), failed: HashSet::new() }
    }

    /// Tries all pairs of similar states in content-hash order, and repeats as long as any merge succeeds: an earlier
    /// one may have removed what vetoed it. Returns for every layout the lowest layout of its state.
    pub(super) fn merge_all(&mut self) -> Vec<u32> {
        let count = u32::try_from(self.handled.len()).unwrap_or(u32::MAX);
        let mut similar: BTreeMap<StateId, Vec<u32>> = BTreeMap::new();
        for n in 0..count {
            similar.entry(self.handled[n as usize]).or_default().push(n);
        }
        // Groups by their first layout, so that everything depends on content hashes only.
        let mut groups: Vec<Vec<u32>> = similar.into_values().collect();
        groups.sort_unstable();
        let mut merged = true;
        while merged {
            merged = false;
            self.failed.clear();
            for group in &groups {
                merged |= self.merge_group(group);
            }
        }
        (0..count).map(|n| self.sets.lowest(self.sets.find(n))).collect()
    }

    fn merge_group(&mut self, group: &[u32]) -> bool {
        let mut merged = false;
        let states: BTreeSet<u32> = group.iter().map(|&n| self.name(n)).collect();
        let states: Vec<u32> = states.into_iter().collect();
        for (n, &a) in states.iter().enumerate() {
            if self.name(a) != a {
                continue;
            }
            for &b in &states[n + 1..] {
                merged |= self.name(b) != self.name(a) && self.merge(a, b);
            }
        }
        merged
    }

    /// Merges two states and, in turn, all that must be merged because of it; false, with nothing changed, when some of
    /// those are not similar.
    ///
    /// All pairs on the way to one that cannot be joined are remembered for the rest of the pass: what cannot be merged
    /// on its own is not merged as part of something else either, and nothing repeats that work.
    pub(super) fn merge(&mut self, a: u32, b: u32) -> bool {
        let (unions, added) = (self.sets.mark(), self.added.len());
        // Every pair, with the index of the one it follows from.
        let mut pairs: Vec<(u32, u32, usize)> = vec![(a, b, usize::MAX)];
        let mut names: Vec<(u32, u32)> = Vec::new();
        let mut open = vec![0];
        names.push(self.names(a, b));
        let mut next: Vec<(u32, u32)> = Vec::new();
        while let Some(at) = open.pop() {
            let (a, b, _) = pairs[at];
            next.clear();
            if !self.failed.contains(&self.names(a, b)) && self.join(a, b, &mut next) {
                for &(a, b) in &next {
                    open.push(pairs.len());
                    names.push(self.names(a, b));
                    pairs.push((a, b, at));
                }
                continue;
            }
            let mut way = at;
            while let Some(&(.., before)) = pairs.get(way) {
                self.failed.insert(names[way]);
                way = before;
            }
            self.sets.undo_to(unions);
            self.forget(added);
            return false;
        }
        true
    }

    fn names(&self, a: u32, b: u32) -> (u32, u32) {
        let (a, b) = (self.name(a), self.name(b));
        (a.min(b), a.max(b))
    }

    /// Joins two states and notes what must be joined next; false when they cannot be joined.
    fn join(&mut self, a: u32, b: u32, open: &mut Vec<(u32, u32)>) -> bool {
        let (a, b) = (self.sets.find(a), self.sets.find(b));
        if a == b {
            return true;
        }
        if self.handled[a as usize] != self.handled[b as usize] {
            return false;
        }
        let (few, many) =
            if self.targets[a as usize].len() <= self.targets[b as usize].len() { (a, b) } else { (b, a) };
        for (label, left) in &self.targets[few as usize] {
            let Some(right) = self.targets[many as usize].get(label) else { continue };
            if !self.consequences(left, right, open) {
                return false;
            }
        }
        let (stays, goes) = self.sets.union(a, b);
        self.adopt(stays, goes);
        true
    }

    /// Adds what must be merged when an event that led to `left` from one state and to `right` from the other becomes
    /// one event; false when that is impossible.
    ///
    /// Only pairs that were not both reached from one of the two states before are new ambiguity.
    /// Similar states of the two sides are paired in order; a state without a partner does no harm
    /// as long as all of the other side have one, for then it was beside them already.
    fn consequences(&self, left: &[u32], right: &[u32], pairs: &mut Vec<(u32, u32)>) -> bool {
        if let (&[a], &[b]) = (left, right) {
            if self.name(a) != self.name(b) {
                pairs.push((a, b));
            }
            return self.handled[a as usize] == self.handled[b as usize];
        }
        let names = |side: &[u32]| side.iter().map(|&n| self.name(n)).collect::<BTreeSet<u32>>();
        let (left, right) = (names(left), names(right));
        let mut rest: BTreeMap<StateId, Vec<u32>> = BTreeMap::new();
        for &n in right.difference(&left) {
            rest.entry(self.handled[n as usize]).or_default().push(n);
        }
        // From the end, so that the first pair is processed first.
        rest.values_mut().for_each(|side| side.reverse());
        let mut alone = false;
        for &n in left.difference(&right) {
            match rest.get_mut(&self.handled[n as usize]).and_then(Vec::pop) {
                Some(partner) => pairs.push((n, partner)),
                None => alone = true,
            }
        }
        !(alone && rest.values().any(|side| !side.is_empty()))
    }

    /// Adds the targets of a root that was put below another to the other's.
    fn adopt(&mut self, stays: u32, goes: u32) {
        let theirs = std::mem::take(&mut self.targets[goes as usize]);
        for (&label, targets) in &theirs {
            for &target in targets {
                let root = self.sets.find(target);
                let known = self.targets[stays as usize].get(&label);
                if known.is_some_and(|known| known.iter().any(|&n| self.sets.find(n) == root)) {
                    continue;
                }
                let ours = self.targets[stays as usize].entry(label).or_default();
                self.added.push((stays, label, ours.len()));
                ours.push(target);
            }
        }
        self.targets[goes as usize] = theirs;
    }

    fn forget(&mut self, keep: usize) {
        while self.added.len() > keep {
            let Some((root, label, before)) = self.added.pop() else { return };
            let targets = &mut self.targets[root as usize];
            if before == 0 {
                targets.remove(&label);
            } else if let Some(targets) = targets.get_mut(&label) {
                targets.truncate(before);
            }
        }
    }

    /// The lowest layout of the state a layout is in.
    fn name(&self, n: u32) -> u32 {
        self.sets.lowest(self.sets.find(n))
    }
}
