//! The jobs of reader and reviewer: one question each; nothing is performed.

use serde::{Deserialize, Serialize};

use droidmux_record::{ErrandContent, FindingId, SessionId};

/// The most questions of one job: a reply that is of no use is asked for once more.
const CALLS: u64 = 2;

/// Stretches are read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadStretches {
    /// Counts the session's questions, from 1.
    pub question: u32,
    /// Whose steps they are: this session's, or another's.
    pub session: SessionId,
    /// In the order in which they are read.
    pub parts: Vec<Part>,
}

/// A stretch, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The job.
    pub slot: u64,
    /// The turns of its first and its last step.
    pub turns: (u32, u32),
}

/// Events are tried that the reader wants to see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TryOut {
    /// The question whose reply wanted it.
    pub question: u32,
    /// The events in words of the account, from a reset on.
    pub wanted: Vec<String>,
}

/// A finding gets a second opinion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewFinding {
    /// Which one.
    pub finding: FindingId,
}

impl ErrandContent for ReadStretches {
    const NAME: &'static str = "read";

    fn events(&self) -> u64 {
        0
    }

    fn calls(&self) -> u64 {
        CALLS
    }

    fn each_session(&mut self, visit: &mut dyn FnMut(&mut SessionId)) {
        visit(&mut self.session);
    }
}

impl ErrandContent for TryOut {
    const NAME: &'static str = "try";

    fn events(&self) -> u64 {
        self.wanted.len() as u64
    }
}

impl ErrandContent for ReviewFinding {
    const NAME: &'static str = "review";

    fn events(&self) -> u64 {
        0
    }

    fn calls(&self) -> u64 {
        CALLS
    }

    fn each_session(&mut self, visit: &mut dyn FnMut(&mut SessionId)) {
        visit(&mut self.finding.session);
    }
}
