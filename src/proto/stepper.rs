//! A test that a person leads, as viewers see it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::gui::LayoutHash;
use crate::record::{BlobHash, FindingId, SessionId, Slot, WidgetNote};

/// Where a stepped test stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepperView {
    /// The session that steps it.
    pub session: SessionId,
    /// What opens it again.
    pub subject: StepSubject,
    /// Whose test it is; of a test without a violation an id that no finding has.
    pub finding: FindingId,
    /// What people call it: the finding's id, with the test where it is not the first that showed it, or the test's name.
    pub name: String,
    /// Serial of the device it runs on; empty before it has one.
    pub device: String,
    /// Counted from 1; above it, a device was lost and the orders are carried out on another one.
    pub attempt: u32,
    /// The number of the question that waits for an order; `None` while orders are carried out.
    pub question: Option<u32>,
    /// Both lanes, aligned.
    pub rows: Vec<StepRow>,
    /// The row of the next event; `None` at the end.
    pub next_row: Option<u32>,
    /// What comes next, told before it happens.
    pub next: Option<NextStep>,
    /// The layout that is there.
    pub live: Option<LayoutHash>,
    /// Its screenshot, where one was taken.
    pub screenshot: Option<BlobHash>,
    /// The layout that was there when the test was recorded.
    pub recorded: Option<LayoutHash>,
    /// What of the layout that is there differs from the recorded one.
    pub differences: Vec<String>,
    /// What became of the seed's effect on the last event; `None` where it has none to compare.
    pub effect: Option<SeedEffect>,
    /// What the finding says.
    pub violation: ViolationNote,
    /// What a person should know before the next order; empty when all went well.
    pub trouble: String,
    /// How long going back one event takes, in milliseconds.
    pub back_ms: u64,
    /// How long running all of it again took, in milliseconds: the bound of any way back.
    pub again_ms: u64,
}

/// A test to step through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepSubject {
    /// The one that shows this finding.
    Finding(FindingId),
    /// A test of a session, be it one of those that show a finding.
    Test {
        /// Whose test.
        session: SessionId,
        /// Its job.
        slot: Slot,
        /// Its number in the job, from 0.
        test: u16,
        /// The canonical key of the violation meant; empty for whatever is wrong with it.
        key: String,
    },
}

impl fmt::Display for StepSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finding(finding) => finding.fmt(f),
            Self::Test { session, slot, test, .. } => write!(f, "{slot}/{test} of {session}"),
        }
    }
}

/// The next event, before it happens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NextStep {
    /// The event in words.
    pub event: String,
    /// The number of its widget on the layout that is there; `None` for an event without one, or where it is not
    /// found.
    pub widget: Option<u32>,
    /// `exact`, `similar 0.87`, `not found`; empty for an event without a receiver.
    pub found: String,
}

/// A row of the two lanes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepRow {
    /// The seed's event in words.
    pub seed: Option<String>,
    /// The stepped test's event in words.
    pub event: Option<String>,
    /// Its number in the stepped test, from 1; `None` for what is not of the recorded test.
    pub number: Option<u16>,
    /// Where it is from.
    pub origin: RowOrigin,
    /// What became of it.
    pub state: RowState,
    /// The layout after it when it was recorded.
    pub recorded: Option<LayoutHash>,
    /// The layout after it now.
    pub live: Option<LayoutHash>,
}

/// Where an event of a row is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowOrigin {
    /// The test, and the seed where there is one.
    Test,
    /// The trace that was inserted into the seed.
    Inserted,
    /// Only the seed.
    Seed,
    /// The person who leads it.
    Added,
}

/// What became of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowState {
    /// It was performed.
    Done,
    /// It was left out.
    Skipped,
    /// It is the next one.
    Next,
    /// It comes later.
    Ahead,
}

/// What became of what the seed's event did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeedEffect {
    /// Differences that the seed's event made and this one made, too.
    pub came: u32,
    /// Those that did not come, in words.
    pub missing: Vec<String>,
}

/// The violation that is stepped to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ViolationNote {
    /// The finding's sentence.
    pub title: String,
    /// Events of the test after which it shows.
    pub at: u16,
    /// The test has got there.
    pub reached: bool,
    /// Whether it shows this time; `None` before the test has got there, and for a test without one.
    pub shows: Option<Shows>,
    /// The oracle's reasons, in sentences.
    pub reasons: Vec<String>,
    /// What it is about.
    pub parts: Vec<ViolationPart>,
}

/// Whether what was reported of a recorded test shows in the test as a person led it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shows {
    /// It does.
    Again,
    /// It does not.
    Not,
    /// That cannot be told, and why.
    Unknown(String),
}

/// One difference that a violation is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ViolationPart {
    /// The widget on the earlier screen.
    pub before: Option<WidgetNote>,
    /// The widget on the later screen.
    pub after: Option<WidgetNote>,
    /// What tells where on the screen it is.
    pub context: String,
    /// Whether what was missing in the recorded test came now; `None` where that cannot be told yet.
    pub came: Option<bool>,
}

impl SeedEffect {
    /// All that the seed's event did was done.
    pub fn is_whole(&self) -> bool {
        self.missing.is_empty()
    }
}

impl Shows {
    /// In a sentence.
    pub fn sentence(&self) -> String {
        match self {
            Self::Again => "What was reported shows again.".into(),
            Self::Not => "What was reported does not show this time.".into(),
            Self::Unknown(why) => format!("Whether it shows cannot be told: {why}."),
        }
    }

    /// One word for listings.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Again => "again",
            Self::Not => "not",
            Self::Unknown(_) => "unknown",
        }
    }
}
