//! Requests of a viewer and the lab's replies.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{FindingView, LogView, StepView, VerdictView};
use crate::gui::{Layout, LayoutHash};
use crate::record::{BlobHash, Finding, FindingId, FindingState, JobRun, SessionId, Shrunk};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Steps of a session's log from sequence `from`, at most `limit`.
    Steps {
        session: SessionId,
        from: u64,
        limit: u32,
    },
    Verdicts {
        session: SessionId,
        from: u64,
        limit: u32,
    },
    Log {
        from: u64,
        limit: u32,
    },
    /// The findings of all sessions.
    Findings,
    Finding(FindingId),
    Layout(LayoutHash),
    Screenshot(BlobHash),
    /// A person's judgement of a finding.
    Mark {
        finding: FindingId,
        state: FindingState,
        note: String,
    },
    /// No further job or act begins until resumed.
    Pause(SessionId),
    Resume(SessionId),
    /// Ends the session cleanly after the acts under way.
    Stop(SessionId),
}

#[derive(Clone, Debug)]
pub enum Reply {
    Steps {
        session: SessionId,
        from: u64,
        steps: Vec<StepView>,
    },
    Verdicts {
        session: SessionId,
        from: u64,
        verdicts: Vec<VerdictView>,
    },
    Log {
        from: u64,
        lines: Vec<LogView>,
    },
    Findings(Vec<FindingView>),
    Finding(Box<FindingDetail>),
    /// `None` when the store does not have it.
    Layout(LayoutHash, Option<Arc<Layout>>),
    /// PNG bytes.
    Screenshot(BlobHash, Option<Arc<Vec<u8>>>),
    /// A request that could not be fulfilled, and why.
    Refused {
        request: Request,
        why: String,
    },
}

/// A finding with what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingDetail {
    pub finding: Finding,
    /// The job it was first seen in.
    pub run: Option<JobRun>,
    /// The oracles besides its own that say the same.
    pub agrees: Vec<String>,
    /// What it was shrunk to.
    pub shrunk: Option<Shrunk>,
}
