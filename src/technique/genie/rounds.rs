//! Which mutants run next: rounds over all seeds and positions, rarest kinds of insertion first.
//!
//! A night on a phone runs some hundreds of the tens of thousands of mutants that a session
//! generates. So each seed in turn gets one batch; half of a batch goes to its positions in turn,
//! the other half to whatever is rarest anywhere in the seed. A budget cut anywhere has sampled
//! everywhere.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::mutants::{Inserted, Kind};
use super::prefixes::Prefixes;
use crate::gui::Event;
use crate::model::EventShape;
use crate::record::{Insertion, Role, Test};

/// The mutants of all seeds that wait for their turn.
#[derive(Clone, Debug, Default)]
pub struct Rounds {
    seeds: Vec<SeedMutants>,
    next: usize,
}

#[derive(Clone, Debug)]
struct SeedMutants {
    number: u32,
    events: Vec<Arc<Event>>,
    positions: Vec<Vec<Inserted>>,
    /// The position whose turn it is.
    turn: usize,
    /// How often each kind, and each event of inserted traces, was planned in this seed.
    kinds: BTreeMap<Kind, u32>,
    shapes: BTreeMap<EventShape, u32>,
    dropped: bool,
}

/// Lower is rarer: repeats of the kind, what changed nothing when recorded after what did, repeats
/// of its single events in thousandths.
type Rarity = (u32, bool, u64);

impl Rounds {
    /// Adds a seed with the inserted traces for each of its positions.
    pub fn add(&mut self, number: u32, events: Vec<Arc<Event>>, positions: Vec<Vec<Inserted>>) {
        let (kinds, shapes) = (BTreeMap::new(), BTreeMap::new());
        self.seeds.push(SeedMutants { number, events, positions, turn: 0, kinds, shapes, dropped: false });
    }

    /// Leaves a seed out from now on; true when it was in.
    pub fn drop_seed(&mut self, number: u32) -> bool {
        match self.seeds.iter_mut().find(|s| s.number == number && !s.dropped) {
            Some(seed) => {
                seed.dropped = true;
                seed.positions.clear();
                true
            }
            None => false,
        }
    }

    /// The seed whose turn it is and up to `size` of its mutants. `None` when none are left.
    pub fn batch(&mut self, size: usize, known: &Prefixes) -> Option<(u32, Vec<Test>)> {
        for _ in 0..self.seeds.len() {
            let at = self.next % self.seeds.len();
            self.next = at + 1;
            let seed = self.seeds.get_mut(at)?;
            let mutants = seed.batch(size.max(1), known);
            if !mutants.is_empty() {
                return Some((seed.number, mutants));
            }
        }
        None
    }

    /// The events of a seed.
    pub fn events(&self, number: u32) -> Option<&[Arc<Event>]> {
        self.seeds.iter().find(|s| s.number == number).map(|s| s.events.as_slice())
    }

    /// Mutants that wait.
    pub fn waiting(&self) -> u64 {
        self.seeds.iter().flat_map(|s| &s.positions).map(|p| p.len() as u64).sum()
    }
}

impl SeedMutants {
    fn batch(&mut self, size: usize, known: &Prefixes) -> Vec<Test> {
        let mut tests = Vec::new();
        while tests.len() < size {
            let in_turn = tests.len() < size.div_ceil(2);
            let position = if in_turn { self.position_in_turn() } else { self.rarest_position() };
            let Some(position) = position else { break };
            let Some(inserted) = self.take(position) else { break };
            let test = self.test(position, &inserted);
            // A sequence known not to replay is not tried again.
            if !known.blocks(&test.events) {
                self.count(&inserted);
                tests.push(test);
            }
        }
        tests
    }

    fn position_in_turn(&mut self) -> Option<usize> {
        let all = self.positions.len();
        let turn = (0..all).map(|n| (self.turn + n) % all).find(|&n| self.has_waiting(n))?;
        self.turn = turn + 1;
        Some(turn)
    }

    fn rarest_position(&self) -> Option<usize> {
        let rarest = |n: usize| self.rarest_of(n).map(|(rarity, _)| (rarity, n));
        (0..self.positions.len()).filter_map(rarest).min().map(|(_, n)| n)
    }

    fn has_waiting(&self, position: usize) -> bool {
        self.positions.get(position).is_some_and(|waiting| !waiting.is_empty())
    }

    fn take(&mut self, position: usize) -> Option<Inserted> {
        let (_, at) = self.rarest_of(position)?;
        self.positions.get_mut(position).map(|waiting| waiting.remove(at))
    }

    /// The rarest waiting mutant of a position, the first of equals: they were sampled at random.
    fn rarest_of(&self, position: usize) -> Option<(Rarity, usize)> {
        let waiting = self.positions.get(position)?;
        waiting.iter().zip(0..).map(|(inserted, at)| (self.rarity(inserted), at)).min()
    }

    fn rarity(&self, inserted: &Inserted) -> Rarity {
        let kind = self.kinds.get(&inserted.kind).copied().unwrap_or(0);
        let used = |shape| u64::from(self.shapes.get(shape).copied().unwrap_or(0));
        let shapes: u64 = inserted.kind.iter().map(used).sum();
        (kind, !inserted.has_effect, shapes * 1_000 / (inserted.kind.len().max(1) as u64))
    }

    fn count(&mut self, inserted: &Inserted) {
        *self.kinds.entry(inserted.kind.clone()).or_insert(0) += 1;
        for shape in &inserted.kind {
            *self.shapes.entry(*shape).or_insert(0) += 1;
        }
    }

    fn test(&self, position: usize, inserted: &Inserted) -> Test {
        let (before, after) = self.events.split_at(position.min(self.events.len()));
        let all = before.iter().chain(&inserted.events).chain(after);
        let number = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        Test {
            role: Role::Mutant(Insertion {
                pivot: number(position + 1),
                length: number(inserted.events.len()),
            }),
            events: all.map(|event| (**event).clone()).collect(),
        }
    }
}
