//! Jobs: what a planner asks one device to do unbroken.

use serde::{Deserialize, Serialize};

use super::{Call, Expected, FindingId, Slot, Stretch, Weighing};
use crate::gui::{Event, EventKind, StateId};

/// A piece of work for one device, as plain data with its own RNG seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Its place in the session's order.
    pub slot: Slot,
    /// Seeds the driver's own generator.
    pub rng: u64,
    /// What is to be done.
    pub work: Work,
}

/// What a job asks for, by kind of driver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// Follow no plan but weights and chances (Genie's model mining, Odin's exploration, Monkey).
    Explore(Explore),
    /// Run given tests event by event.
    Batch(Batch),
    /// Judge behaviours that are recorded already; nothing is performed (Odin).
    Weigh(Box<Weighing>),
    /// Interleave data manipulation functions with random events (PBFDroid).
    Properties(PropertyTest),
    /// Fill in one form again and again (InputBlaster and its baseline).
    Form(Box<FormTest>),
    /// Explore by what language models say (VisionDroid).
    Tour(Tour),
}

/// Tests of one form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormTest {
    /// Leads from a reset to the form.
    pub way: Vec<Event>,
    /// The form where the way ends if the app does as it did, told by its activity and its fields.
    pub state: StateId,
    /// The field that gets the unusual texts, in document order from 0; past the last one they are
    /// counted from the first again.
    pub field: u16,
    /// Inputs at most that are entered and submitted.
    pub attempts: u32,
    /// Events at most, those of the way included each time.
    pub events: u32,
    /// Questions to a model at most.
    pub calls: u32,
    /// What earlier jobs found out about this form; `None` when nothing has passed it yet.
    pub known: Option<FormKnown>,
}

/// How a form is passed, and what was tried on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormKnown {
    /// The texts that passed, one for each field in document order.
    pub valid: Vec<String>,
    /// What submits the form.
    pub submit: Event,
    /// What leads from the page reached to one that shows the texts, where that page does not.
    pub look: Option<Event>,
    /// True when the boxes of the form must be ticked before.
    pub ticks: bool,
    /// True when the form stays and shows a result: a model took what appeared for one.
    pub in_place: bool,
    /// What a model thinks the inputs must keep to, one sentence each.
    pub constraints: Vec<String>,
    /// The rounds so far, oldest first.
    pub rounds: Vec<FormRound>,
}

/// The inputs of one generator and what the app did with them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FormRound {
    /// The field, in document order from 0.
    pub field: u16,
    /// The mutation rule in words; empty for random texts.
    pub rule: String,
    /// In the order they were entered.
    pub tried: Vec<TriedText>,
    /// Why the generator ended early, in words; empty when it did not.
    pub failure: String,
}

/// A text as it is told to a model (shortened), and what the app did with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TriedText {
    /// Cut to what a prompt has room for.
    pub text: String,
    /// What the app did when the form was submitted with it.
    pub reaction: Reaction,
}

/// What an app did with the texts entered into a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reaction {
    /// It crashed or stopped answering.
    Crashed,
    /// Another page came.
    Accepted,
    /// The form stayed, and something appeared on it.
    Refused,
    /// The form stayed as it was.
    Unmoved,
    /// It keeps loading, lost the text, or gave another result than for an equal one.
    Mistreated,
    /// The device could not type it.
    Untypable,
    /// A widget was not there, or the page was not the form: says nothing of the text.
    Strayed,
}

/// One test that three agents lead, from a reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tour {
    /// Events after the reset.
    pub events: u32,
    /// Questions to a model at most.
    pub calls: u32,
}

/// One test of properties, from a reset to its limit or the first violation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyTest {
    /// The one function under test, by its number in the specification; `None` for all of them.
    pub only: Option<u16>,
    /// Functions left out, by number: findings stand for what they do, and a test ends with the
    /// first violation.
    pub without: Vec<u16>,
    /// Events after the reset.
    pub events: u32,
    /// Events that may fail besides; the last of them ends the test.
    pub retries: u32,
}

/// Choose events on the screens as they come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Explore {
    /// What the trace is for; it decides nothing in the driver.
    pub goal: Goal,
    /// How the next event is drawn.
    pub choice: Choice,
    /// Events after the reset.
    pub events: u32,
}

/// What an exploration is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// Learn the model.
    Mine,
    /// Record a test to mutate.
    Seed,
}

/// How exploration chooses the next event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// By weight (Genie's systematic choice).
    Systematic,
    /// By fixed probabilities of event types.
    Random,
}

/// Tests run one after another on one device, each from a fresh reset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    /// Why they are run, and what they are judged by.
    pub purpose: Purpose,
    /// In the order they run; their numbers count from 0.
    pub tests: Vec<Test>,
}

/// Why a batch is run; the oracle judges it accordingly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Mutants of the seed test of this number, between two runs of it.
    Mutants {
        /// The seed's number in its session, from 0.
        seed: u32,
    },
    /// A fresh replay of a suspected violation.
    Confirm {
        /// Whose recipe is run.
        finding: FindingId,
        /// Which of the replays it is, from 1.
        round: u32,
    },
    /// A replay that a person asked for.
    Replay {
        /// Whose recipe is run; it may be another session's.
        finding: FindingId,
        /// Which of the replays it is, from 1.
        round: u32,
    },
    /// Walks over the model that should end in one state (Odin).
    Calibrate {
        /// The state to end in, at the `events` level.
        state: StateId,
    },
    /// Inputs that end in a state, each followed by one more event (Odin).
    Manifest(Manifest),
    /// A finding with fewer events.
    Shrink {
        /// What is being shrunk.
        finding: FindingId,
        /// Which of the tries it is, from 1.
        round: u32,
    },
}

/// The event to append to every test of a batch, once it has ended in the right state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The state the tests must end in, at the `events` level; the event is left out where they
    /// do not.
    pub state: StateId,
    /// What is appended; its widget is looked for on the last layout.
    pub event: Handled,
}

/// An event as a state handles it: a type and the widget that takes it, told by class,
/// resource-id and description, wherever it stands and whatever its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Handled {
    /// Click, edit and so on.
    pub kind: EventKind,
    /// Full class name of the widget; empty for an event without receiver.
    pub class: String,
    /// As in the dump, with its package; empty when it has none.
    pub resource_id: String,
    /// Its content description; empty when it has none.
    pub description: String,
    /// The text of an edit.
    pub data: Option<String>,
}

/// What runs from one reset to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Test {
    /// What it stands for in its batch, and what oracles need to know to judge it.
    pub role: Role,
    /// Performed in order after the reset; one that fails ends the test.
    pub events: Vec<Event>,
}

/// What a test is to the oracle that judges its batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// A seed test, or any sequence that stands alone.
    Seed,
    /// The seed with a trace inserted at this place.
    Mutant(Insertion),
    /// Shows what an app usually does in a state on an event: its last step.
    Usual(Expected),
    /// Shows the behaviour that deviates from it.
    Deviant(Expected),
    /// Carries out these data manipulation functions; its other events are random ones.
    Property(Vec<Call>),
    /// Fills in a form with valid texts and submits it: the last edit is that of the field under
    /// test, what comes after it submits.
    Valid,
    /// The same with an unusual text in the field under test.
    Unusual,
    /// Carries out a function about which the Detector is asked in the end (VisionDroid).
    Toured(Stretch),
}

/// Where a mutant's inserted trace stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Insertion {
    /// The pivot's number k, from 1: the inserted events act between the seed's events k − 1
    /// and k, on the seed's layout l_k.
    pub pivot: u16,
    /// How many events were inserted, at least 1.
    pub length: u16,
}

impl Purpose {
    /// True when what showed before is run again.
    pub fn is_replay(&self) -> bool {
        matches!(self, Self::Confirm { .. } | Self::Replay { .. } | Self::Shrink { .. })
    }
}

impl Reaction {
    /// True for what is a bug.
    pub fn is_bug(self) -> bool {
        matches!(self, Self::Crashed | Self::Mistreated)
    }

    /// For a model: what the app did.
    pub fn words(self) -> &'static str {
        match self {
            Self::Crashed => "the app crashed or stopped answering",
            Self::Accepted => "it was accepted",
            Self::Refused => "it was refused with a message",
            Self::Unmoved => "the page stayed as it was",
            Self::Mistreated => "it showed a bug: endless loading, a lost text or a wrong result",
            Self::Untypable => "the device could not type it",
            Self::Strayed => "the page could not be submitted",
        }
    }
}

impl Role {
    /// Where the inserted trace of a mutant stands; `None` for every other test.
    pub fn insertion(&self) -> Option<Insertion> {
        match self {
            Self::Mutant(insertion) => Some(*insertion),
            Self::Seed
            | Self::Usual(_)
            | Self::Deviant(_)
            | Self::Property(_)
            | Self::Valid
            | Self::Unusual
            | Self::Toured(_) => None,
        }
    }
}

impl Batch {
    /// Questions to a language model about one function at most.
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
    /// One word for listings.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Explore(Explore { goal: Goal::Mine, .. }) => "mine",
            Self::Explore(Explore { goal: Goal::Seed, .. }) => "seed",
            Self::Batch(batch) => match batch.purpose {
                Purpose::Mutants { .. } => "mutants",
                Purpose::Confirm { .. } => "confirm",
                Purpose::Replay { .. } => "replay",
                Purpose::Calibrate { .. } => "calibrate",
                Purpose::Manifest(_) => "manifest",
                Purpose::Shrink { .. } => "shrink",
            },
            Self::Weigh(_) => "weigh",
            Self::Properties(_) => "properties",
            Self::Form(_) => "form",
            Self::Tour(_) => "tour",
        }
    }

    /// The most questions to a language model that this work can take.
    pub fn calls(&self) -> u64 {
        match self {
            Self::Form(form) => form.calls.into(),
            Self::Tour(tour) => tour.calls.into(),
            Self::Batch(batch) => batch.calls(),
            Self::Explore(_) | Self::Weigh(_) | Self::Properties(_) => 0,
        }
    }

    /// The most events this work can take, resets not counted.
    pub fn events(&self) -> u64 {
        match self {
            Self::Explore(explore) => explore.events.into(),
            Self::Batch(batch) => {
                let appended = u64::from(matches!(batch.purpose, Purpose::Manifest(_)));
                batch.tests.iter().map(|t| t.events.len() as u64 + appended).sum()
            }
            Self::Weigh(_) => 0,
            Self::Properties(test) => u64::from(test.events) + u64::from(test.retries),
            Self::Form(form) => form.events.into(),
            Self::Tour(tour) => tour.events.into(),
        }
    }
}
