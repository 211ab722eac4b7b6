//! Rechecks: another oracle's verdict on what a session recorded.

use serde::{Deserialize, Serialize};

use super::{SessionId, Slot, Verdict};

/// An oracle that can be applied to stored traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecheckOracle {
    /// What a seed did and its mutant lacks.
    Genie,
    /// Behaviour that hardly any input shows in a state on an event.
    Odin,
    /// Crashes and ANRs.
    Crash,
    /// What one run of the same events does and another does not.
    Effects,
    /// What holds between the screens of one trace in any sane app.
    Relations,
}

/// Everything one oracle says about one session. A later recheck by the same oracle replaces it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recheck {
    /// Which oracle it is; identifies the recheck within its session.
    pub oracle: RecheckOracle,
    /// Milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// How many of the oracle's cases it could judge, violations included.
    pub judged: u64,
    /// What a case is, in the plural: `tests`.
    pub unit: String,
    /// The cases that could not be judged: why, and how many.
    pub unjudged: Vec<(String, u64)>,
    /// Empty when it objects to nothing.
    pub violations: Vec<Objection>,
}

/// A violation with the places in the traces that it is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Objection {
    /// The oracle's statement, as it would be for a job of its own.
    pub verdict: Verdict,
    /// The tests or steps that show it, at least one.
    pub places: Vec<TracePlace>,
}

/// A test of a job, or one step of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TracePlace {
    /// A session whose traces were looked at.
    pub session: SessionId,
    /// The job of that session.
    pub slot: Slot,
    /// The test's number in its job, from 0.
    pub test: u16,
    /// The step's number in its test, from 1, the reset being 0; `None` for the whole test.
    pub step: Option<u16>,
}

impl RecheckOracle {
    /// In the order of their numbers.
    pub const ALL: [Self; 5] = [Self::Genie, Self::Odin, Self::Crash, Self::Effects, Self::Relations];

    /// As verdicts name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Genie => "genie",
            Self::Odin => "odin",
            Self::Crash => "crash",
            Self::Effects => "effects",
            Self::Relations => "relations",
        }
    }

    /// Its number in stored keys; the order of [`Self::ALL`] never changes.
    pub fn number(self) -> u8 {
        match self {
            Self::Genie => 0,
            Self::Odin => 1,
            Self::Crash => 2,
            Self::Effects => 3,
            Self::Relations => 4,
        }
    }

    /// The oracle with a stored number; `None` for one that this version does not know.
    pub fn numbered(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|oracle| oracle.number() == number)
    }
}

impl TracePlace {
    /// True when both are about the same test and, where both name a step, about the same step.
    pub fn meets(&self, other: &Self) -> bool {
        let same_test = (self.session, self.slot, self.test) == (other.session, other.slot, other.test);
        same_test && self.step.zip(other.step).is_none_or(|(a, b)| a == b)
    }
}
