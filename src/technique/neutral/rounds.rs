//! Which insertions run next: the seeds in turn, with what was tried least first.
//!
//! What an insertion shows depends on the page, what is typed and chosen there, and on what is inserted. Each
//! such case is tried a few times over all seeds, since a page may come about in several ways.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::seed::RecordedStep;
use droidmux_gui::{Event, Flags, Layout, StateId};
use droidmux_model::EventShape;
use droidmux_record::{Insertion, NeutralInsertion, Role, Test};

use super::insertion::Inserted;

/// The mutants of all seeds that wait for their turn.
#[derive(Clone, Debug)]
pub(super) struct Rounds {
    /// The most insertions of one case.
    most: u32,
    seeds: Vec<SeedMutants>,
    next: usize,
    tried: BTreeMap<Case, u32>,
    /// How often each kind could be done, and could not.
    ends: BTreeMap<NeutralInsertion, (u32, u32)>,
}

/// A page in a mode, and what is inserted there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Case {
    state: StateId,
    mode: Mode,
    kind: NeutralInsertion,
    opens: Option<EventShape>,
}

/// What a person did to a page that an insertion may lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Mode {
    typed: bool,
    checked: bool,
    selected: bool,
}

#[derive(Clone, Debug)]
struct SeedMutants {
    number: u32,
    events: Vec<Arc<Event>>,
    waiting: Vec<Waiting>,
}

#[derive(Clone, Debug)]
struct Waiting {
    /// The number of the seed's event that comes after the insertion, from 0.
    position: usize,
    case: Case,
    events: Vec<Arc<Event>>,
}

/// Mutants to run between two runs of their seed.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    pub seed: u32,
    pub events: Vec<Arc<Event>>,
    pub tests: Vec<Test>,
}

/// This many failures without a success show that the devices cannot do it.
const IMPOSSIBLE: u32 = 3;

impl Mode {
    fn of(layout: &Layout) -> Self {
        let any = |wanted: fn(droidmux_gui::Widget<'_>) -> bool| layout.widgets().any(wanted);
        Self {
            typed: any(|w| w.is_editable() && !w.text().trim().is_empty() && w.text() != w.hint()),
            checked: any(|w| w.has(Flags::CHECKED)),
            selected: any(|w| w.has(Flags::SELECTED)),
        }
    }
}

impl Rounds {
    /// Nothing to run yet; `most` insertions of one case at most.
    pub(super) fn new(most: u32) -> Self {
        Self { most, seeds: Vec::new(), next: 0, tried: BTreeMap::new(), ends: BTreeMap::new() }
    }

    /// Adds a seed with what can be inserted before each of its steps, and returns how many mutants that makes.
    pub(super) fn add(&mut self, number: u32, steps: &[RecordedStep], inserted: Vec<Vec<Inserted>>) -> u64 {
        let mut waiting = Vec::new();
        for (position, (step, inserted)) in steps.iter().zip(inserted).enumerate() {
            let (state, mode) = (step.state, Mode::of(&step.layout));
            waiting.extend(inserted.into_iter().map(|one| {
                let case = Case { state, mode, kind: one.kind, opens: one.opens };
                Waiting { position, case, events: one.shared() }
            }));
        }
        let count = waiting.len() as u64;
        let events = steps.iter().map(|step| step.event.clone()).collect();
        self.seeds.push(SeedMutants { number, events, waiting });
        count
    }

    /// Leaves a seed out from now on; true when it was in.
    pub(super) fn drop_seed(&mut self, number: u32) -> bool {
        let seed = self.seeds.iter_mut().find(|seed| seed.number == number && !seed.waiting.is_empty());
        seed.map(|seed| seed.waiting.clear()).is_some()
    }

    /// The seed whose turn it is and up to `size` of its mutants; `None` when none are left.
    pub(super) fn batch(&mut self, size: usize) -> Option<Chosen> {
        let impossible: BTreeSet<NeutralInsertion> = self.impossible().collect();
        for _ in 0..self.seeds.len() {
            let at = self.next % self.seeds.len();
            self.next = at + 1;
            let (seed, tried) = (self.seeds.get_mut(at)?, &mut self.tried);
            let most = self.most;
            let is_done = |tried: &BTreeMap<Case, u32>, case: &Case| {
                impossible.contains(&case.kind) || tried.get(case).is_some_and(|&times| times >= most)
            };
            let mut tests = Vec::new();
            while tests.len() < size.max(1) {
                seed.waiting.retain(|waiting| !is_done(tried, &waiting.case));
                let Some(taken) = seed.take_least(tried) else { break };
                *tried.entry(taken.case).or_insert(0) += 1;
                tests.push(seed.test(&taken));
            }
            if !tests.is_empty() {
                return Some(Chosen { seed: seed.number, events: seed.events.clone(), tests });
            }
        }
        None
    }

    /// Notes whether an insertion of this kind could be done at all.
    pub(super) fn ended(&mut self, kind: NeutralInsertion, done: bool) {
        let ends = self.ends.entry(kind).or_default();
        *(if done { &mut ends.0 } else { &mut ends.1 }) += 1;
    }

    /// The kinds that no device could do so far, though several tried.
    fn impossible(&self) -> impl Iterator<Item = NeutralInsertion> + '_ {
        let never = self.ends.iter().filter(|(_, (done, failed))| *done == 0 && *failed >= IMPOSSIBLE);
        never.map(|(kind, _)| *kind)
    }

    /// Mutants that wait.
    pub(super) fn waiting(&self) -> u64 {
        self.seeds.iter().map(|seed| seed.waiting.len() as u64).sum()
    }
}

impl SeedMutants {
    /// The mutant whose case was tried least; on a tie, the one whose kind, and then whose position, comes first after
    /// those taken before: kinds take turns.
    fn take_least(&mut self, tried: &BTreeMap<Case, u32>) -> Option<Waiting> {
        let mut of_kind: BTreeMap<NeutralInsertion, u32> = BTreeMap::new();
        for (case, times) in tried {
            *of_kind.entry(case.kind).or_insert(0) += times;
        }
        let rank = |waiting: &Waiting| {
            let times = tried.get(&waiting.case).copied().unwrap_or(0);
            let kind = of_kind.get(&waiting.case.kind).copied().unwrap_or(0);
            // What is typed or chosen can be lost.
            let plain = !(waiting.case.mode.typed || waiting.case.mode.checked);
            (times, kind, plain, waiting.position)
        };
        let least = (0..self.waiting.len()).min_by_key(|&at| self.waiting.get(at).map(rank))?;
        Some(self.waiting.remove(least))
    }

    fn test(&self, taken: &Waiting) -> Test {
        let (before, after) = self.events.split_at(taken.position.min(self.events.len()));
        let all = before.iter().chain(&taken.events).chain(after);
        let number = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        Test {
            role: Role::Mutant(Insertion {
                pivot: number(taken.position + 1),
                length: number(taken.events.len()),
            }),
            events: all.map(|event| (**event).clone()).collect(),
        }
    }
}
