//! Which mutants run next: rounds over all seeds and positions, rarest kinds of insertion first.
//!
//! A night on a phone runs some hundreds of the tens of thousands of mutants that a session
//! generates. So each seed in turn gets one batch; a third of a batch goes to its positions in
//! turn, the rest to whatever is worth most anywhere in the seed. A budget cut anywhere has sampled
//! everywhere.
//!
//! What an insertion is worth: the pairs of data-changing events that it does in an order not
//! inserted into this seed before. A defect seldom waits for one event alone, and a trace of eight
//! events tries many pairs at once. Events that the seed does too are worth more, since functions
//! that share data are the likeliest to disturb each other; events that were seen to be dependent
//! after all are worth less.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::mutants::Inserted;
use super::prefixes::Prefixes;
use super::trials::{Collected, Pair, Trial, Trials};
use super::waiting::{Numbered, Phrases, Vocabulary, Waiting};
use droidmux_gui::Event;
use droidmux_model::EventShape;
use droidmux_record::{Insertion, Role, Test};
use droidmux_words::number::real;

/// The mutants of all seeds that wait for their turn.
#[derive(Clone, Debug, Default)]
pub struct Rounds {
    seeds: Vec<SeedMutants>,
    next: usize,
    /// The events inserted anywhere.
    inserted: Numbered<EventShape>,
    vocabulary: Vocabulary,
    trust: Trust,
}

/// How a mutant ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// An event of it could not be performed.
    Cut,
    /// It ran through, and what was inserted looks independent.
    Independent,
    /// It ran through, but what was inserted changed what the seed needs.
    Dependent,
}

/// What is counted of an event, by the event's number among all that are inserted anywhere: two
/// counts, both 0 where there are none.
#[derive(Clone, Debug, Default)]
struct Counts(Vec<(u32, u32)>);

/// For each event inserted anywhere, how often it looked independent, and how often not.
type Trust = Counts;

#[derive(Clone, Debug)]
struct SeedMutants {
    number: u32,
    events: Vec<Arc<Event>>,
    positions: Vec<Position>,
    /// What its mutants try, and what they insert.
    trials: Trials,
    phrases: Phrases,
    /// The position whose turn it is.
    turn: usize,
    tally: Tally,
}

#[derive(Clone, Debug, Default)]
struct Position {
    waiting: Vec<Waiting>,
    tally: Tally,
    /// For each event inserted here, how often the mutant ran to its end, and how often it did not.
    ended: Counts,
}

/// Mutants to run between two runs of their seed.
#[derive(Clone, Debug)]
pub struct Chosen {
    pub seed: u32,
    pub tests: Vec<Test>,
    /// For each test, the shapes of what is inserted.
    pub shapes: Vec<Box<[EventShape]>>,
}

/// How often pairs of events were inserted, the first before the second, by the pairs' numbers.
#[derive(Clone, Debug, Default)]
struct Tally(Vec<u32>);

/// Repeats at the same position count this many times more than elsewhere in the seed.
const SAME_POSITION: f64 = 3.0;

/// The worth of an event that changes no data, compared with one that does.
const PLAIN: f64 = 0.03;

/// The worth of an event that the seed does too, compared with one that it does not.
const KINDRED: f64 = 3.0;

/// One time that an event looked dependent weighs as much as this many times that it did not.
const DEPENDENT: u32 = 4;

impl Rounds {
    /// Adds a seed with the inserted traces for each of its positions.
    pub fn add(
        &mut self,
        number: u32,
        events: Vec<Arc<Event>>,
        shapes: BTreeSet<EventShape>,
        positions: Vec<Vec<Inserted>>,
    ) {
        let (mut trials, mut phrases) = (Collected::default(), Phrases::default());
        let mut wait = |inserted: Inserted| {
            let tries = trials.number(&inserted, |shape| shapes.contains(&shape), &mut self.inserted);
            self.vocabulary.waiting(&inserted, tries, &mut phrases)
        };
        let mut position = |inserted: Vec<Inserted>| {
            // Collected, they would stay in the memory of what they are made from, three times as large.
            let mut waiting = Vec::with_capacity(inserted.len());
            waiting.extend(inserted.into_iter().map(&mut wait));
            Position { waiting, ..Position::default() }
        };
        let positions = positions.into_iter().map(&mut position).collect();
        phrases.shrink();
        let (trials, turn, tally) = (trials.finish(), 0, Tally::default());
        self.seeds.push(SeedMutants { number, events, positions, trials, phrases, turn, tally });
    }

    /// Leaves a seed out from now on; true when it was in.
    pub fn drop_seed(&mut self, number: u32) -> bool {
        let seed = self.seeds.iter_mut().find(|s| s.number == number && !s.positions.is_empty());
        let empty = |seed: &mut SeedMutants| {
            (seed.positions, seed.trials, seed.phrases) = Default::default();
        };
        seed.map(empty).is_some()
    }

    /// The seed whose turn it is and up to `size` of its mutants. `None` when none are left.
    pub fn batch(&mut self, size: usize, known: &Prefixes) -> Option<Chosen> {
        for _ in 0..self.seeds.len() {
            let at = self.next % self.seeds.len();
            self.next = at + 1;
            let seed = self.seeds.get_mut(at)?;
            let chosen = seed.batch(size.max(1), known, &self.trust, (&self.vocabulary, &self.inserted));
            if !chosen.tests.is_empty() {
                return Some(chosen);
            }
        }
        None
    }

    /// Notes how a mutant with these events inserted ended.
    pub fn ended(&mut self, seed: u32, insertion: Insertion, shapes: &[EventShape], end: End) {
        let numbers: Vec<u32> = shapes.iter().map(|shape| self.inserted.number(*shape)).collect();
        for number in numbers.iter().filter(|_| end != End::Cut) {
            let trust = self.trust.of_mut(*number);
            *(if end == End::Independent { &mut trust.0 } else { &mut trust.1 }) += 1;
        }
        let seed = self.seeds.iter_mut().find(|s| s.number == seed);
        let at = usize::from(insertion.pivot).saturating_sub(1);
        let Some(position) = seed.and_then(|seed| seed.positions.get_mut(at)) else { return };
        for number in numbers {
            let ended = position.ended.of_mut(number);
            *(if end == End::Cut { &mut ended.1 } else { &mut ended.0 }) += 1;
        }
    }

    /// The events of a seed.
    pub fn events(&self, number: u32) -> Option<&[Arc<Event>]> {
        self.seeds.iter().find(|s| s.number == number).map(|s| s.events.as_slice())
    }

    /// Mutants that wait.
    pub fn waiting(&self) -> u64 {
        self.seeds.iter().flat_map(|s| &s.positions).map(|p| p.waiting.len() as u64).sum()
    }
}

impl SeedMutants {
    fn batch(
        &mut self,
        size: usize,
        known: &Prefixes,
        trust: &Trust,
        (vocabulary, inserted): (&Vocabulary, &Numbered<EventShape>),
    ) -> Chosen {
        let mut chosen = Chosen { seed: self.number, tests: Vec::new(), shapes: Vec::new() };
        while chosen.tests.len() < size {
            let in_turn = chosen.tests.len() < size.div_ceil(3);
            let Some(position) = (if in_turn { self.position_in_turn() } else { self.best_position(trust) })
            else {
                break;
            };
            let Some(taken) = self.take(position, trust) else { break };
            let test = self.test(position, &taken, vocabulary);
            // A sequence known not to replay is not tried again.
            if !known.blocks(&test.events) {
                self.count(position, &taken);
                chosen.tests.push(test);
                let shapes = |trial: Trial<'_>| {
                    trial.events.iter().filter_map(|number| inserted.get(*number).copied()).collect()
                };
                chosen.shapes.extend(self.trials.get(taken.tries).map(shapes));
            }
        }
        chosen
    }

    fn position_in_turn(&mut self) -> Option<usize> {
        let all = self.positions.len();
        let has_waiting = |n: &usize| self.positions.get(*n).is_some_and(|p| !p.waiting.is_empty());
        let turn = (0..all).map(|n| (self.turn + n) % all).find(has_waiting)?;
        self.turn = turn + 1;
        Some(turn)
    }

    fn best_position(&self, trust: &Trust) -> Option<usize> {
        let all = self.positions.iter().enumerate();
        let best = all.filter_map(|(n, position)| Some((self.best_of(position, trust)?.0, n)));
        // On a tie, the first.
        best.rev().max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, n)| n)
    }

    fn take(&mut self, position: usize, trust: &Trust) -> Option<Waiting> {
        let (_, at) = self.best_of(self.positions.get(position)?, trust)?;
        self.positions.get_mut(position).map(|position| position.waiting.remove(at))
    }

    /// The waiting mutant worth most; on a tie, the first, since they were sampled at random.
    fn best_of(&self, position: &Position, trust: &Trust) -> Option<(f64, usize)> {
        let waiting = position.waiting.iter().enumerate();
        let worth = waiting.map(|(at, mutant)| (self.worth(position, mutant, trust), at));
        worth.rev().max_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// What it tries that was not tried, times how likely it replays and is independent, for each
    /// event it takes.
    fn worth(&self, position: &Position, mutant: &Waiting, trust: &Trust) -> f64 {
        let repeats =
            |pair: u32| f64::from(self.tally.of(pair)) + SAME_POSITION * f64::from(position.tally.of(pair));
        let worth_of = |pair: &Pair| {
            let weight = if pair.is_plain() { PLAIN } else { 1.0 };
            let kin = if pair.is_kindred() { KINDRED } else { 1.0 };
            weight * kin * (1.0 / (1.0 + repeats(pair.number())))
        };
        let Some(trial) = self.trials.get(mutant.tries) else { return 0.0 };
        let worth: f64 = trial.pairs.iter().map(worth_of).sum();
        let likelihood = mutant.likelihood * position.share_ended(trial) * independence(trial, trust);
        worth * likelihood / real((self.events.len() + mutant.len()).max(1))
    }

    fn count(&mut self, position: usize, mutant: &Waiting) {
        let Some(trial) = self.trials.get(mutant.tries) else { return };
        for pair in trial.pairs {
            self.tally.count(pair.number());
            if let Some(position) = self.positions.get_mut(position) {
                position.tally.count(pair.number());
            }
        }
    }

    fn test(&self, position: usize, inserted: &Waiting, vocabulary: &Vocabulary) -> Test {
        let (before, after) = self.events.split_at(position.min(self.events.len()));
        let own = |events: &[Arc<Event>]| -> Vec<Event> { events.iter().map(|e| (**e).clone()).collect() };
        let mut events = own(before);
        events.extend(vocabulary.events(inserted, &self.phrases));
        events.extend(own(after));
        let number = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        Test {
            role: Role::Mutant(Insertion { pivot: number(position + 1), length: number(inserted.len()) }),
            events,
        }
    }
}

impl Position {
    /// How many mutants with these events inserted here ran to their end: of the event that did
    /// worst, above 0 to 1.
    fn share_ended(&self, trial: Trial<'_>) -> f64 {
        let share = |number: &u32| {
            let (whole, cut) = self.ended.of(*number);
            f64::from(1 + whole) / f64::from(1 + whole + cut)
        };
        trial.events.iter().map(share).fold(1.0, f64::min)
    }
}

impl Counts {
    fn of(&self, number: u32) -> (u32, u32) {
        self.0.get(number as usize).copied().unwrap_or_default()
    }

    fn of_mut(&mut self, number: u32) -> &mut (u32, u32) {
        let at = number as usize;
        if at >= self.0.len() {
            self.0.resize(at + 1, (0, 0));
        }
        &mut self.0[at]
    }
}

impl Tally {
    fn of(&self, pair: u32) -> u32 {
        self.0.get(pair as usize).copied().unwrap_or(0)
    }

    fn count(&mut self, pair: u32) {
        let at = pair as usize;
        if at >= self.0.len() {
            self.0.resize(at + 1, 0);
        }
        self.0[at] += 1;
    }
}

/// How often its least trusted event looked independent, above 0 to 1.
fn independence(trial: Trial<'_>, trust: &Trust) -> f64 {
    let share = |number: &u32| {
        let (independent, dependent) = trust.of(*number);
        f64::from(1 + independent) / f64::from(1 + independent + DEPENDENT * dependent)
    };
    trial.events.iter().map(share).fold(1.0, f64::min)
}
