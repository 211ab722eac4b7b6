//! What the mutants of a seed try, in little memory: what that is worth is asked again and again, for tens of thousands.
//!
//! In: inserted traces. Out: the pairs and events of each, by numbers. Invariants: what several traces try is kept once;
//! numbers depend on the order of the traces alone.

use std::collections::BTreeMap;

use super::mutants::{Inserted, Kind};
use super::waiting::Numbered;
use droidmux_model::EventShape;
use droidmux_words::number::count;

/// What the mutants of a seed try, one trial's pairs and events after the other's.
#[derive(Clone, Debug, Default)]
pub(super) struct Trials {
    /// Where the pairs and the events of each end.
    ends: Vec<(u32, u32)>,
    pairs: Vec<Pair>,
    events: Vec<u32>,
}

/// What one insertion tries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial<'a> {
    pub(super) pairs: &'a [Pair],
    /// The numbers of all its events among those inserted anywhere.
    pub(super) events: &'a [u32],
}

/// A pair of events that an insertion tries; a single event counts as a pair with itself. Its number among the pairs of
/// its seed, and above that what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair(u32);

/// The trials of one seed while they are collected.
#[derive(Debug, Default)]
pub(super) struct Collected {
    trials: Trials,
    numbers: BTreeMap<(Kind, Box<[EventShape]>), u32>,
    pairs: BTreeMap<(EventShape, EventShape), u32>,
}

impl Pair {
    const PLAIN: u32 = 1 << 31;
    const KINDRED: u32 = 1 << 30;
    const NUMBER: u32 = Self::KINDRED - 1;

    fn new(number: u32, plain: bool, kindred: bool) -> Self {
        let flag = |set, bit| if set { bit } else { 0 };
        Self(number.min(Self::NUMBER) | flag(plain, Self::PLAIN) | flag(kindred, Self::KINDRED))
    }

    /// Among the pairs of its seed.
    pub(super) fn number(self) -> u32 {
        self.0 & Self::NUMBER
    }

    /// An event that changes no data.
    pub(super) fn is_plain(self) -> bool {
        self.0 & Self::PLAIN != 0
    }

    /// The seed does both events, too.
    pub(super) fn is_kindred(self) -> bool {
        self.0 & Self::KINDRED != 0
    }
}

impl Trials {
    pub(super) fn get(&self, number: u32) -> Option<Trial<'_>> {
        let at = number as usize;
        let (pairs, events) = *self.ends.get(at)?;
        let (first_pair, first_event) = at.checked_sub(1).map_or((0, 0), |before| self.ends[before]);
        Some(Trial {
            pairs: self.pairs.get(first_pair as usize..pairs as usize)?,
            events: self.events.get(first_event as usize..events as usize)?,
        })
    }
}

impl Collected {
    /// The number of what this tries; `does` tells whether the seed does an event, `events` numbers those inserted
    /// anywhere.
    pub(super) fn number(
        &mut self,
        inserted: &Inserted,
        does: impl Fn(EventShape) -> bool,
        events: &mut Numbered<EventShape>,
    ) -> u32 {
        let number = number_of(&mut self.numbers, (inserted.kind.clone(), inserted.shapes.clone()));
        if number as usize == self.trials.ends.len() {
            let pairs = pairs(inserted).into_iter().map(|((first, second), plain)| {
                Pair::new(number_of(&mut self.pairs, (first, second)), plain, does(first) && does(second))
            });
            self.trials.pairs.extend(pairs);
            self.trials.events.extend(inserted.shapes.iter().map(|shape| events.number(*shape)));
            self.trials.ends.push((count(self.trials.pairs.len()), count(self.trials.events.len())));
        }
        number
    }

    /// All of them, once there are no more.
    pub(super) fn finish(mut self) -> Trials {
        self.trials.ends.shrink_to_fit();
        self.trials.pairs.shrink_to_fit();
        self.trials.events.shrink_to_fit();
        self.trials
    }
}

fn number_of<K: Ord>(numbers: &mut BTreeMap<K, u32>, key: K) -> u32 {
    let next = count(numbers.len());
    *numbers.entry(key).or_insert(next)
}

/// The pairs an insertion tries, and whether they are plain: those of its data-changing events in
/// their order, and each of its other events alone.
fn pairs(inserted: &Inserted) -> Vec<((EventShape, EventShape), bool)> {
    let mut pairs = Vec::new();
    for (n, &first) in inserted.kind.iter().enumerate() {
        pairs.extend(inserted.kind.iter().skip(n).map(|&second| ((first, second), false)));
    }
    let plain = inserted.shapes.iter().filter(|shape| !inserted.kind.contains(shape));
    pairs.extend(plain.map(|&shape| ((shape, shape), true)));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_come_out_as_they_went_in_and_are_kept_once() {
        let shapes =
            |numbers: &[u64]| -> Box<[EventShape]> { numbers.iter().copied().map(EventShape).collect() };
        // Events that change data, and all events; then the numbers of the pairs, which are plain, which kindred.
        let cases: [(&[u64], &[u64], &[(u32, bool, bool)]); 4] = [
            (&[7], &[7], &[(0, false, true)]),
            (&[7, 8], &[7, 9, 8], &[(0, false, true), (1, false, false), (2, false, false), (3, true, true)]),
            (&[], &[9], &[(3, true, true)]),
            (&[7], &[7], &[(0, false, true)]),
        ];
        let (mut collected, mut events) = (Collected::default(), Numbered::default());
        let numbers = cases.map(|(kind, all, _)| {
            let inserted =
                Inserted { events: Vec::new(), kind: shapes(kind), shapes: shapes(all), likelihood: 1.0 };
            collected.number(&inserted, |shape| shape != EventShape(8), &mut events)
        });
        assert_eq!(numbers, [0, 1, 2, 0]);
        let trials = collected.finish();
        for (number, (_, all, expected)) in numbers.into_iter().zip(cases) {
            let trial = trials.get(number).unwrap();
            let pairs = trial.pairs.iter().map(|pair| (pair.number(), pair.is_plain(), pair.is_kindred()));
            assert_eq!(pairs.collect::<Vec<_>>(), expected);
            let told = trial.events.iter().map(|number| events.get(*number).unwrap().0);
            assert_eq!(told.collect::<Vec<_>>(), all);
        }
        assert!(trials.get(3).is_none());
        assert_eq!(trials.pairs.len(), 6);
    }
}
