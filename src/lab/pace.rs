//! How long a session waits after its events: what it has learnt of where events lead, and how often looking swiftly
//! was premature.
//!
//! In: where an event is made, and what each look found. Out: the manner of the next look, and whether it is checked.
//! Shared by all devices of a session.
//!
//! Invariants: whatever a finding rests on is looked at strictly, and so is the first visit to a page; an activity on
//! which swift looks were premature is looked at strictly from then on; whether a look is checked depends on the job
//! and the step alone.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use droidmux_device::{Expectation, Manner};
use droidmux_gui::{Event, Layout, LayoutHash, WidgetId};
use droidmux_model::{Action, EventShape};
use droidmux_record::{Goal, Job, Purpose, SettlingChoice, Work};

/// One swift look in this many is followed by a strict one.
const CHECKED: u64 = 20;
/// An activity goes strict when more than one in this many checked looks were premature.
const TOLERATED: u64 = 100;
/// A single premature look may be chance.
const NOTICED: u64 = 2;
/// What is remembered of one event: the last screens that it led to.
const SUCCESSORS: usize = 64;
/// Events that are remembered.
const STEPS: usize = 20_000;

/// What a session knows of its pace.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    choice: SettlingChoice,
    learnt: Mutex<Learnt>,
}

#[derive(Debug, Default)]
struct Learnt {
    successors: BTreeMap<Step, Successors>,
    visited: BTreeSet<String>,
    checks: BTreeMap<String, Checks>,
}

/// Where one event led.
#[derive(Debug, Default)]
struct Successors {
    screens: VecDeque<LayoutHash>,
    /// How often it was seen where it led, and how often that was known already.
    seen: u64,
    known: u64,
}

/// Checked looks after events on an activity.
#[derive(Clone, Copy, Debug, Default)]
struct Checks {
    made: u64,
    premature: u64,
}

/// An event on an activity, whatever its page shows and whichever row of a list it is on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Step {
    activity: String,
    /// `None` for the start of the app after a reset.
    event: Option<EventShape>,
}

impl Step {
    /// The start of the app after a reset.
    pub(crate) fn start() -> Self {
        Self { activity: String::new(), event: None }
    }

    /// An event where this layout is shown.
    pub(crate) fn of(event: &Event, widget: Option<WidgetId>, activity: &str, layout: &Layout) -> Self {
        let action = match widget {
            Some(widget) => Action::on(event.kind, layout, widget),
            None => Action::global(event.kind),
        };
        Self { activity: activity.to_owned(), event: Some(action.shape) }
    }
}

impl Pace {
    pub(crate) fn new(choice: SettlingChoice) -> Self {
        Self { choice, learnt: Mutex::default() }
    }

    /// How to look after a step of this job.
    pub(crate) fn manner(&self, job: &Job, step: &Step, before: Option<LayoutHash>) -> Manner {
        if self.choice == SettlingChoice::Strict || rests_on(&job.work) {
            return Manner::Strict;
        }
        let learnt = self.learnt();
        if !learnt.visited.contains(&step.activity) || learnt.is_hasty(&step.activity) {
            return Manner::Strict;
        }
        let after = learnt.successors.get(step).filter(|known| known.repeat());
        let after = after.map(|known| known.screens.iter().copied().collect());
        Manner::Swift(Expectation { before, after: after.unwrap_or_default() })
    }

    /// Whether the swift look after the turn of this number is checked.
    pub(crate) fn checks(job: &Job, turn: u32) -> bool {
        // Any mixing will do: neighbours must not be checked together.
        let mixed = (job.rng ^ u64::from(turn)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32).is_multiple_of(CHECKED)
    }

    /// A screen at rest was found after a step. `activity` is the one that it shows.
    pub(crate) fn learn(&self, step: &Step, activity: &str, found: LayoutHash) {
        let mut learnt = self.learnt();
        // The app's first start was looked at strictly.
        learnt.visited.insert(String::new());
        if !learnt.visited.contains(activity) {
            learnt.visited.insert(activity.to_owned());
        }
        if learnt.successors.len() >= STEPS && !learnt.successors.contains_key(step) {
            return;
        }
        learnt.successors.entry(step.clone()).or_default().add(found);
    }

    /// A swift look after a step was checked; `premature` is what it had taken for the screen at rest, where it was not.
    /// Words, when its activity goes strict from now on.
    pub(crate) fn checked(&self, step: &Step, premature: Option<LayoutHash>) -> Option<String> {
        let mut learnt = self.learnt();
        if let Some((passing, known)) = premature.zip(learnt.successors.get_mut(step)) {
            known.screens.retain(|screen| *screen != passing);
        }
        let was_hasty = learnt.is_hasty(&step.activity);
        let checks = learnt.checks.entry(step.activity.clone()).or_default();
        checks.made += 1;
        checks.premature += u64::from(premature.is_some());
        let Checks { made, premature } = *checks;
        (!was_hasty && learnt.is_hasty(&step.activity)).then(|| {
            let activity = if step.activity.is_empty() { "the start" } else { &step.activity };
            format!("{premature} of {made} checked looks after events on {activity} were premature: strict there from now on")
        })
    }

    fn learnt(&self) -> MutexGuard<'_, Learnt> {
        self.learnt.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Successors {
    fn add(&mut self, found: LayoutHash) {
        self.seen += 1;
        if self.screens.contains(&found) {
            self.known += 1;
            return;
        }
        if self.screens.len() >= SUCCESSORS {
            self.screens.pop_front();
        }
        self.screens.push_back(found);
    }

    /// After its first time, the event has led to what it had led to before in two of three cases.
    fn repeat(&self) -> bool {
        self.known > 0 && self.known * 3 >= (self.seen - 1) * 2
    }
}

impl Learnt {
    fn is_hasty(&self, activity: &str) -> bool {
        let checks = self.checks.get(activity).copied().unwrap_or_default();
        checks.premature >= NOTICED && checks.premature * TOLERATED > checks.made
    }
}

/// Whether a finding rests on what such a job sees: the seeds that mutants are compared with, and replays.
fn rests_on(work: &Work) -> bool {
    match work {
        Work::Explore(explore) => explore.goal == Goal::Seed,
        Work::Batch(batch) => match batch.purpose {
            Purpose::Mutants { .. } | Purpose::Calibrate { .. } | Purpose::Manifest(_) => false,
            Purpose::Confirm { .. }
            | Purpose::Replay { .. }
            | Purpose::Shrink { .. }
            | Purpose::Examine { .. } => true,
        },
        // Only its technique knows what it is for.
        Work::Errand(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{EventKind, LayoutBuilder, NewWidget};
    use droidmux_record::{Choice, Explore, Slot, Texts};

    fn job(goal: Goal, rng: u64) -> Job {
        let choice = Choice::Random;
        let explore = Explore { goal, choice, events: 9, texts: Texts::Unique, revisits: false };
        Job { slot: Slot(0), rng, work: Work::Explore(explore) }
    }

    fn layout(text: &str) -> Layout {
        let mut builder = LayoutBuilder::new();
        builder.open(NewWidget { text, ..NewWidget::default() });
        builder.finish()
    }

    fn back(activity: &str) -> Step {
        Step::of(&Event::global(EventKind::Back), None, activity, &layout(""))
    }

    fn expected(pace: &Pace, goal: Goal, step: &Step) -> Option<usize> {
        match pace.manner(&job(goal, 0), step, None) {
            Manner::Strict => None,
            Manner::Swift(expected) => Some(expected.after.len()),
        }
    }

    #[test]
    fn a_visited_page_is_looked_at_swiftly_unless_a_finding_rests_on_it() {
        let pace = Pace::new(SettlingChoice::Swift);
        assert_eq!(expected(&pace, Goal::Roam, &Step::start()), None, "nothing is known");
        pace.learn(&Step::start(), "Main", layout("a").hash());
        assert_eq!(expected(&pace, Goal::Roam, &Step::start()), Some(0), "it may be another each time");
        pace.learn(&Step::start(), "Main", layout("a").hash());
        assert_eq!(expected(&pace, Goal::Roam, &Step::start()), Some(1));
        assert_eq!(expected(&pace, Goal::Seed, &Step::start()), None, "mutants are compared with it");
        assert_eq!(expected(&pace, Goal::Roam, &back("Main")), Some(0), "known, but not where this leads");
        pace.learn(&back("Main"), "Main", layout("b").hash());
        pace.learn(&back("Main"), "Main", layout("b").hash());
        assert_eq!(expected(&pace, Goal::Roam, &back("Main")), Some(1));
        assert_eq!(expected(&pace, Goal::Roam, &back("Other")), None, "never visited");
        for text in ["c", "d", "e"] {
            pace.learn(&back("Main"), "Main", layout(text).hash());
        }
        assert_eq!(expected(&pace, Goal::Roam, &back("Main")), Some(0), "mostly something new");
        for _ in 0..6 {
            pace.learn(&back("Main"), "Main", layout("e").hash());
        }
        assert_eq!(expected(&pace, Goal::Roam, &back("Main")), Some(4), "again and again");
        let strict = Pace::new(SettlingChoice::Strict);
        for _ in 0..2 {
            strict.learn(&Step::start(), "Main", layout("a").hash());
        }
        assert_eq!(expected(&strict, Goal::Roam, &Step::start()), None);
    }

    #[test]
    fn an_activity_with_premature_looks_goes_strict() {
        let pace = Pace::new(SettlingChoice::Swift);
        for _ in 0..2 {
            pace.learn(&Step::start(), "Main", layout("a").hash());
        }
        let main = back("Main");
        for _ in 0..150 {
            assert_eq!(pace.checked(&main, None), None);
        }
        let passing = Some(layout("p").hash());
        assert_eq!(pace.checked(&main, passing), None, "one may be chance");
        let words = pace.checked(&main, passing).expect("words");
        assert!(words.starts_with("2 of 152 checked looks after events on Main"), "{words}");
        assert_eq!(pace.checked(&main, passing), None, "told once");
        assert_eq!(expected(&pace, Goal::Roam, &main), None);
        assert_eq!(expected(&pace, Goal::Roam, &Step::start()), Some(1), "elsewhere nothing changes");
    }

    #[test]
    fn what_a_premature_look_took_is_not_expected_any_more() {
        let pace = Pace::new(SettlingChoice::Swift);
        for text in ["a", "half", "a", "half"] {
            pace.learn(&Step::start(), "Main", layout(text).hash());
        }
        assert_eq!(expected(&pace, Goal::Roam, &Step::start()), Some(2));
        assert_eq!(pace.checked(&Step::start(), Some(layout("half").hash())), None);
        assert_eq!(expected(&pace, Goal::Roam, &Step::start()), Some(1));
    }

    #[test]
    fn one_look_in_twenty_is_checked_and_the_same_ones_again() {
        let made =
            |rng| (0..2_000).filter(|turn| Pace::checks(&job(Goal::Roam, rng), *turn)).collect::<Vec<_>>();
        for rng in [1, 7, u64::MAX] {
            let found = made(rng);
            assert!((60..=140).contains(&found.len()), "{} of 2,000", found.len());
            assert_eq!(found, made(rng));
        }
    }
}
