//! What one replay says of a finding.

use droidmux_record::{Confirmation, JobRun, Judgement, Outcome, Test, Trace};

/// What one replay said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replay {
    /// The violation came again: a verdict with its key.
    Shown,
    /// It followed the recorded events and did not show the violation.
    Absent,
    /// It could not follow the recorded events.
    Unfaithful,
}

impl Replay {
    /// What a run of these tests, and its verdicts, mean for the violation with this key.
    pub fn read(key: &str, tests: &[Test], run: &JobRun, judgement: &Judgement) -> Self {
        if judgement.violations_of(key).next().is_some() {
            return Self::Shown;
        }
        let traces = run.traces();
        let followed =
            |(trace, test): (&Trace<'_>, &Test)| trace.is_whole() && trace.steps.len() == test.events.len();
        let faithful = traces.len() == tests.len() && traces.iter().zip(tests).all(followed);
        let judged = !judgement.verdicts.iter().any(|v| matches!(v.outcome, Outcome::Inconclusive(_)));
        if faithful && judged { Self::Absent } else { Self::Unfaithful }
    }

    /// Counts it among the others.
    pub fn count_in(self, confirmation: &mut Confirmation) {
        match self {
            Self::Shown => confirmation.shown += 1,
            Self::Absent => confirmation.absent += 1,
            Self::Unfaithful => confirmation.unfaithful += 1,
        }
    }
}
