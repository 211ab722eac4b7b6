//! Jobs: what a planner has one device do without interruption.

use serde::{Deserialize, Serialize};

use super::{Call, Errand, ErrandContent, Expected, ExperimentKind, FindingId, Slot, Stretch, Suspected};
use droidmux_gui::{Event, EventKind, StateId};

/// A piece of work for one device, as plain data with its own RNG seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Its position among the session's jobs: runs are absorbed in this order.
    pub slot: Slot,
    /// Seeds the driver's own generator.
    pub rng: u64,
    /// What its driver does with the device.
    pub work: Work,
}

/// What a job consists of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// Events that are chosen on the way.
    Explore(Explore),
    /// Tests whose events are known beforehand.
    Batch(Batch),
    /// Work that only the session's technique understands.
    Errand(Box<Errand>),
}

/// Choose events on the screens as they come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Explore {
    /// What its traces are needed for.
    pub goal: Goal,
    /// How each next event is found.
    pub choice: Choice,
    /// Events after the reset, not counting those of the visit at the end.
    pub events: u32,
    /// What its edits type.
    pub texts: Texts,
    /// Ends by starting the app again, with its data kept, and looking at the pages on which the typed texts were last
    /// seen.
    pub revisits: bool,
}

/// What the edits of an exploration type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Texts {
    /// A few short texts, so that names collide, some differing only in case.
    Colliding,
    /// Texts that are unique in their trace: wherever one shows, it is clear where it came from.
    Unique,
}

/// What an exploration is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// Learn the model.
    Mine,
    /// Record a test to mutate.
    Seed,
    /// Change the app's data in any order, for relations to examine; traces with new kinds of effects become seeds.
    Roam,
}

/// How exploration chooses the next event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// By weight (Genie's systematic choice).
    Systematic,
    /// By fixed probabilities of event types.
    Random,
    /// By which events changed rows before, or lead to such events.
    Changing,
}

/// Tests run one after another on one device, each after a fresh reset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    /// Why they are run: tells planner and oracle how to interpret them.
    pub purpose: Purpose,
    /// In the order they run; traces and verdicts name a test by its number here, from 0.
    pub tests: Vec<Test>,
}

/// Why a batch is run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Mutants of the seed test of this number, between two runs of it.
    Mutants {
        /// Counts the seeds that were kept, from 0.
        seed: u32,
    },
    /// A fresh replay of a suspected violation: round `round`, from 1.
    Confirm {
        /// The suspicion, which this session has.
        finding: FindingId,
        /// Counted from 1.
        round: u32,
    },
    /// A replay that a person asked for.
    Replay {
        /// The finding to reproduce, from an earlier session.
        finding: FindingId,
        /// Counted from 1.
        round: u32,
    },
    /// Walks over the model that should end in this state (Odin).
    Calibrate {
        /// Where they lead, according to the model.
        state: StateId,
    },
    /// Inputs that end in a state, each followed by one more event (Odin).
    Manifest(Manifest),
    /// A finding with fewer events: round `round`, from 1.
    Shrink {
        /// The one whose recipe is made shorter; it may be another session's.
        finding: FindingId,
        /// Counts the replays of all recipes that are tried.
        round: u32,
    },
    /// A confirmed finding under another condition.
    Examine {
        /// The finding that is examined, which this session has.
        finding: FindingId,
        /// What is tried on it.
        kind: ExperimentKind,
    },
}

/// The event to append to each test of a batch once it has ended in the right state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The state the tests must end in, at the `events` level; if they do not, the event is left out.
    pub state: StateId,
    /// Performed on the first widget that takes it.
    pub event: Handled,
}

/// An event as a state handles it: a type and the widget that takes it, identified by class, resource-id and
/// description, regardless of its position and text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Handled {
    /// What is done to the widget, or to the device if there is none.
    pub kind: EventKind,
    /// Full class name; empty for events that act on no widget, as are the next two.
    pub class: String,
    /// As in the dump, with its package; empty when the widget has none.
    pub resource_id: String,
    /// The content description; empty when the widget has none.
    pub description: String,
    /// The text of an edit.
    pub data: Option<String>,
}

/// Events to be performed one after another following a reset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// What the test is in its batch.
    pub role: Role,
    /// Performed in order; if one cannot be performed, or the app crashes, the test ends.
    pub events: Vec<Event>,
}

/// The role of a test in its batch: determines what is compared with what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// A seed test, or any sequence that stands alone.
    Seed,
    /// A seed test with events inserted that should change nothing else.
    Mutant(Insertion),
    /// Shows what an app usually does in a state on an event: its last step.
    Usual(Expected),
    /// Shows the behaviour that deviates from the usual one.
    Deviant(Expected),
    /// Carries out these data manipulation functions; its other events are random ones.
    Property(Vec<Call>),
    /// Fills in a form with valid texts and submits it: the last edit is that of the field under test, the events after
    /// it submit the form.
    Valid,
    /// The same with an unusual text in the field under test.
    Unusual,
    /// Carries out a function that the Detector is asked about at the end (VisionDroid).
    Toured(Stretch),
    /// Leads to a screen that a reader takes for wrong; what of it a program can see decides.
    Suspected(Box<Suspected>),
    /// An [`Self::Unusual`] text that the form should refuse, as the model says that proposed it.
    Forbidden,
}

/// The position of a mutant's inserted trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Insertion {
    /// The pivot's number k, from 1: the inserted events act between the seed's events k − 1
    /// and k, on the seed's layout l_k.
    pub pivot: u16,
    /// How many events were inserted, at least 1.
    pub length: u16,
}

impl Purpose {
    /// True when something that showed before is run again.
    pub fn is_replay(&self) -> bool {
        matches!(self, Self::Confirm { .. } | Self::Replay { .. } | Self::Shrink { .. })
    }

    /// The finding that is run again, where no person asked for it.
    pub fn replayed(&self) -> Option<&FindingId> {
        match self {
            Self::Confirm { finding, .. } | Self::Shrink { finding, .. } => Some(finding),
            _ => None,
        }
    }

    /// True for what a session runs because of a finding of its own.
    pub fn is_of_a_finding(&self) -> bool {
        matches!(self, Self::Confirm { .. } | Self::Examine { .. })
    }

    /// True for what is run because of a finding, this session's or another's.
    pub fn follows_a_finding(&self) -> bool {
        self.is_replay() || self.is_of_a_finding()
    }
}

impl Role {
    /// The position of a mutant's inserted trace; `None` for every other test.
    pub fn insertion(&self) -> Option<Insertion> {
        match self {
            Self::Mutant(insertion) => Some(*insertion),
            Self::Seed
            | Self::Usual(_)
            | Self::Deviant(_)
            | Self::Property(_)
            | Self::Valid
            | Self::Unusual
            | Self::Toured(_)
            | Self::Suspected(_)
            | Self::Forbidden => None,
        }
    }
}

impl Explore {
    /// The most events of the visit at the end, including the new start.
    pub const VISIT: u32 = 11;

    /// An exploration that types colliding texts and ends with its last event.
    pub fn new(goal: Goal, choice: Choice, events: u32) -> Self {
        Self { goal, choice, events, texts: Texts::Colliding, revisits: false }
    }

    /// The most events, including the visit.
    pub fn most_events(&self) -> u64 {
        u64::from(self.events) + if self.revisits { u64::from(Self::VISIT) } else { 0 }
    }
}

impl Batch {
    /// The most questions to a language model about one function.
    pub const CALLS_OF_FUNCTION: u64 = 3;

    /// The tests needed to see one of them again: the seeds around it, and the test itself.
    pub fn reduced_to(&self, test: u16) -> Vec<Test> {
        let wanted =
            |number: usize, here: &Test| number == usize::from(test) || here.role.insertion().is_none();
        let tests = self.tests.iter().enumerate().filter(|(number, here)| wanted(*number, here));
        tests.map(|(_, test)| test.clone()).collect()
    }
}

impl Batch {
    fn calls(&self) -> u64 {
        let toured = self.tests.iter().filter(|test| matches!(test.role, Role::Toured(_)));
        toured.count() as u64 * Self::CALLS_OF_FUNCTION
    }
}

impl Work {
    /// Work in a technique's own terms.
    pub fn errand<T: ErrandContent>(work: T) -> Self {
        Self::Errand(Box::new(Errand::new(work)))
    }

    /// Work in a technique's own terms, if it is of this type.
    pub fn content<T: ErrandContent>(&self) -> Option<T> {
        match self {
            Self::Errand(errand) => errand.content(),
            Self::Explore(_) | Self::Batch(_) => None,
        }
    }

    /// One word for listings.
    pub fn name(&self) -> &str {
        match self {
            Self::Explore(Explore { goal: Goal::Mine, .. }) => "mine",
            Self::Explore(Explore { goal: Goal::Seed, .. }) => "seed",
            Self::Explore(Explore { goal: Goal::Roam, .. }) => "roam",
            Self::Batch(batch) => match batch.purpose {
                Purpose::Mutants { .. } => "mutants",
                Purpose::Confirm { .. } => "confirm",
                Purpose::Replay { .. } => "replay",
                Purpose::Calibrate { .. } => "calibrate",
                Purpose::Manifest(_) => "manifest",
                Purpose::Shrink { .. } => "shrink",
                Purpose::Examine { .. } => "examine",
            },
            Self::Errand(errand) => &errand.name,
        }
    }

    /// The most questions to a language model that this work can take.
    pub fn calls(&self) -> u64 {
        match self {
            Self::Errand(errand) => errand.calls,
            Self::Batch(batch) => batch.calls(),
            Self::Explore(_) => 0,
        }
    }

    /// True for work that asks and performs nothing: it needs no device.
    pub fn only_asks(&self) -> bool {
        self.events() == 0 && self.calls() > 0
    }

    /// The most events this work can take, resets not counted.
    pub fn events(&self) -> u64 {
        match self {
            Self::Explore(explore) => explore.most_events(),
            Self::Batch(batch) => {
                let appended = u64::from(matches!(batch.purpose, Purpose::Manifest(_)));
                events_of(&batch.tests) + appended * batch.tests.len() as u64
            }
            Self::Errand(errand) => errand.events,
        }
    }
}

/// Events of tests, resets not counted.
pub fn events_of(tests: &[Test]) -> u64 {
    tests.iter().map(|test| test.events.len() as u64).sum()
}
