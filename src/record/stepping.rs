//! Stepping: a person leads a finding's test through on a device, event by event.

use serde::{Deserialize, Serialize};

use super::{ErrandContent, FindingId, SessionId, Test};
use droidmux_gui::{Event, LayoutHash};

/// One test of a finding, to be led by a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepSettings {
    /// The finding; it may be another session's.
    pub finding: FindingId,
    /// The canonical key of its violation; for a test without one, its name, such as `j12/3`.
    pub key: String,
    /// What to run to reproduce it, including the stepped test.
    pub tests: Vec<Test>,
    /// The stepped test's number in `tests`.
    pub stepped: u16,
    /// The number of the test it is compared with; `None` for a test that stands alone.
    pub against: Option<u16>,
    /// Events that are performed before the person is first asked: up to the pivot.
    pub pause: u16,
    /// Events after which the violation shows.
    pub violation: u16,
    /// The layouts that the stepped test showed when it was recorded, before its first event and after each; as far as
    /// they are known.
    pub recorded: Vec<LayoutHash>,
    /// The same for the test it is compared with.
    pub seed: Vec<LayoutHash>,
}

/// What a person orders next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepOrder {
    /// Perform the next event of the test.
    Next,
    /// Leave the next event out.
    Skip,
    /// Perform this event before the next one.
    Insert(Event),
    /// Undo the last of these orders: by running all before it again.
    Back,
    /// Continue until this many events of the test are done or skipped; to go backwards, they are run again.
    RunTo(u16),
    /// Continue until the violation shows in the recorded test.
    RunToViolation,
    /// Continue to the end of the test.
    RunToEnd,
    /// End the stepping.
    Leave,
}

/// The position of a stepped test when the person is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepQuestion {
    /// The number of earlier questions in the same attempt.
    pub number: u32,
    /// Events of the test that are done or skipped.
    pub at: u16,
}

/// The work of a session that a person leads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stepping {
    /// Whose test is stepped.
    pub finding: FindingId,
    /// Events of the test; a person may have more performed.
    pub events: u16,
}

impl StepSettings {
    /// The test that is stepped.
    pub fn test(&self) -> Option<&Test> {
        self.tests.get(usize::from(self.stepped))
    }

    /// The test it is compared with.
    pub fn seed_test(&self) -> Option<&Test> {
        self.tests.get(usize::from(self.against?))
    }
}

impl ErrandContent for Stepping {
    const NAME: &'static str = "step";

    fn events(&self) -> u64 {
        self.events.into()
    }

    fn each_session(&mut self, visit: &mut dyn FnMut(&mut SessionId)) {
        visit(&mut self.finding.session);
    }
}

impl StepOrder {
    /// One word for listings.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Next => "next",
            Self::Skip => "skip",
            Self::Insert(_) => "insert",
            Self::Back => "back",
            Self::RunTo(_) => "run-to",
            Self::RunToViolation => "violation",
            Self::RunToEnd => "end",
            Self::Leave => "leave",
        }
    }
}
