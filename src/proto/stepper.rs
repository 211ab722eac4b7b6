//! A test that a person leads through, as viewers see it.

use std::fmt;

use serde::{Deserialize, Serialize};

use droidmux_gui::LayoutHash;
use droidmux_record::{BlobHash, FindingId, SessionId, Slot, WidgetNote};

/// The state of a stepped test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepperView {
    /// The session that steps it.
    pub session: SessionId,
    /// What is needed to open it again.
    pub subject: StepSubject,
    /// Whose test it is; for a test without a violation, an id that no finding has.
    pub finding: FindingId,
    /// What people call it: the finding's id, with the test unless it is the first that showed it, or the test's name.
    pub name: String,
    /// Serial of the device it runs on; empty before it has one.
    pub device: String,
    /// Counted from 1; if it is higher, a device was lost and the orders are being carried out on another one.
    pub attempt: u32,
    /// The number of the question that waits for an order; `None` while orders are carried out.
    pub question: Option<u32>,
    /// Both lanes, aligned.
    pub rows: Vec<StepRow>,
    /// The row of the next event; `None` at the end.
    pub next_row: Option<u32>,
    /// What comes next, shown before it happens.
    pub next: Option<NextStep>,
    /// The current layout.
    pub live: Option<LayoutHash>,
    /// Its screenshot, if one was taken.
    pub screenshot: Option<BlobHash>,
    /// The layout at this point when the test was recorded.
    pub recorded: Option<LayoutHash>,
    /// The differences between the current layout and the recorded one.
    pub differences: Vec<String>,
    /// What became of the seed's effect for the last event; `None` if it has none to compare.
    pub effect: Option<SeedEffect>,
    /// What the finding says.
    pub violation: ViolationNote,
    /// What a person should know before the next order; empty when all went well.
    pub trouble: String,
    /// How long going back one event takes, in milliseconds.
    pub back_ms: u64,
    /// How long running all of it again took, in milliseconds: the upper bound for going back.
    pub again_ms: u64,
}

/// A test to step through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepSubject {
    /// The one that shows this finding.
    Finding(FindingId),
    /// A test of a session, possibly one of those that show a finding.
    Test {
        /// Whose test.
        session: SessionId,
        /// Its job.
        slot: Slot,
        /// Its number in the job, from 0.
        test: u16,
        /// The canonical key of the violation that is meant; empty for whatever is wrong with the test.
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
    /// The number of its widget on the current layout; `None` for an event without one, or if it is not found.
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
    /// Its number in the stepped test, from 1; `None` for an event that is not from the recorded test.
    pub number: Option<u16>,
    /// Where it comes from.
    pub origin: RowOrigin,
    /// What became of it.
    pub state: RowState,
    /// The layout after it when it was recorded.
    pub recorded: Option<LayoutHash>,
    /// The layout after it now.
    pub live: Option<LayoutHash>,
}

/// Where an event of a row comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowOrigin {
    /// The test, and the seed if there is one.
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

/// What became of the effects of the seed's event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeedEffect {
    /// Differences that both the seed's event and this one made.
    pub came: u32,
    /// Those that are missing, in words.
    pub missing: Vec<String>,
}

/// The violation that the stepping leads to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ViolationNote {
    /// The finding's sentence.
    pub title: String,
    /// Events of the test after which it shows.
    pub at: u16,
    /// The test has reached that point.
    pub reached: bool,
    /// Whether it shows this time; `None` before the test has reached that point, and for a test without one.
    pub shows: Option<Shows>,
    /// The oracle's reasons, in sentences.
    pub reasons: Vec<String>,
    /// What it concerns.
    pub parts: Vec<ViolationPart>,
}

/// Whether what was reported for a recorded test shows in the test as a person led it.
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
    /// What identifies its place on the screen.
    pub context: String,
    /// Whether what was missing in the recorded test came this time; `None` if that cannot be told yet.
    pub came: Option<bool>,
}

impl SeedEffect {
    /// Everything that the seed's event did happened here, too.
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
