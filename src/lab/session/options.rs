//! What a session is given beside its definition, and what it tells.

use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::record::{Finding, JobRun, Judgement, Progress, SessionId, Shrunk};

/// How one run of a session differs from another of the same definition.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// Seeds everything random.
    pub rng: u64,
    /// Devices to lease at most; 0 means all that can be had.
    pub most_devices: usize,
    /// When to stop planning, if the budget lasts longer.
    pub until: Option<Instant>,
    /// Stops the session cleanly when cancelled.
    pub stop: CancellationToken,
    /// Where to tell what happens, in slot order; a full channel makes the session wait.
    pub events: Option<mpsc::Sender<SessionEvent>>,
}

/// What a session tells whoever started it.
#[derive(Clone, Debug)]
pub enum SessionEvent {
    Began(SessionId),
    Progress(Box<Progress>),
    /// A job was absorbed.
    Absorbed {
        run: Arc<JobRun>,
        judgement: Arc<Judgement>,
    },
    /// New or changed.
    Finding(Box<Finding>),
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// The planner had nothing more.
    Complete,
    /// The time given was over.
    OutOfTime,
    /// Stopped by a person.
    Stopped,
}

#[derive(Clone, Debug)]
pub struct SessionOutcome {
    pub session: SessionId,
    pub end: SessionEnd,
    pub progress: Progress,
    pub findings: Vec<Finding>,
    /// What a finding was shrunk to; only of a session that did so.
    pub shrunk: Option<Shrunk>,
    /// Steps recorded, resets and jobs that were cut included.
    pub steps: u64,
    /// Rules of the session file that never matched anything.
    pub idle_rules: Vec<String>,
}
