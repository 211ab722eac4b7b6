//! Shrunk findings: a shorter recipe that shows the same, beside the original one.

use serde::{Deserialize, Serialize};

use super::{Confirmation, FindingId, SessionId, Test};

/// The tests of a finding that are to be made shorter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShrinkSettings {
    /// The finding whose recipe is long; it may be another session's.
    pub finding: FindingId,
    /// The canonical key of its violation.
    pub key: String,
    /// The recipe to start from.
    pub tests: Vec<Test>,
    /// The number of replays in a row that must show the violation before events are left out for good, at least 1;
    /// more than 1 for violations that do not show every time.
    pub confirm: u32,
    /// The replays of the result, which count towards its confirmation.
    pub times: u32,
    /// The most replays, not counting those of the result.
    pub rounds: u32,
}

/// The result of shrinking a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shrunk {
    /// Which one was shrunk.
    pub finding: FindingId,
    /// The session that shrank it.
    pub session: SessionId,
    /// What to run to see it again.
    pub tests: Vec<Test>,
    /// Events before shrinking. Runs of a seed around a mutant are not counted: the mutant contains their events.
    pub from: u32,
    /// Events of `tests`, counted the same way.
    pub to: u32,
    /// Different recipes that were run.
    pub candidates: u32,
    /// Replays of all candidates together.
    pub replays: u32,
    /// The replays of the result.
    pub confirmation: Confirmation,
    /// Why it was not shrunk further.
    pub ending: ShrinkEnding,
}

/// How the search for a shorter recipe ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShrinkEnding {
    /// Still in progress, or interrupted.
    #[default]
    Unfinished,
    /// No event can be left out any more, nor any two neighbours.
    Minimal,
    /// The limit on replays or events was reached.
    Budget,
    /// The original did not show, so nothing was left out.
    NotShown,
}

impl Shrunk {
    /// As [`telling_tests`] of its tests.
    pub fn telling_tests(&self) -> impl Iterator<Item = &Test> {
        telling_tests(&self.tests)
    }

    /// Sorts the better of two results first: shown, then finished, then short, then recent.
    pub fn merit(&self) -> impl Ord + use<> {
        let (confirmed, finished) =
            (self.confirmation.is_confirmed(), self.ending != ShrinkEnding::Unfinished);
        (!confirmed, !finished, self.to, std::cmp::Reverse(self.session))
    }
}

impl ShrinkEnding {
    /// For a person.
    pub fn words(self) -> &'static str {
        match self {
            Self::Unfinished => "not finished",
            Self::Minimal => "1-minimal",
            Self::Budget => "the limit was reached",
            Self::NotShown => "the original did not show",
        }
    }
}

/// The tests that contain everything: what a seed does is what its mutant does without the inserted events.
pub fn telling_tests(tests: &[Test]) -> impl Iterator<Item = &Test> {
    let has_mutants = tests.iter().any(|test| test.role.insertion().is_some());
    tests.iter().filter(move |test| !has_mutants || test.role.insertion().is_some())
}

/// The events of tests as a person counts them: those of a seed are contained in its mutants.
pub fn events_told(tests: &[Test]) -> u32 {
    u32::try_from(telling_tests(tests).map(|test| test.events.len()).sum::<usize>()).unwrap_or(u32::MAX)
}
