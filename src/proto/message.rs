//! Requests of a viewer and the lab's replies.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{ExchangeDetail, ExchangeView, FindingView, LogView, StepView, VerdictView};
use crate::gui::{Layout, LayoutHash};
use crate::record::{Agent, BlobHash, Finding, FindingId, FindingState, JobRun, SessionId, Shrunk};

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
    /// Rows from `from`, at most `limit`, of the list of a session's exchanges, or of those of one
    /// agent.
    Exchanges {
        session: SessionId,
        agent: Option<Agent>,
        from: u64,
        limit: u32,
    },
    /// One exchange in full.
    Exchange {
        session: SessionId,
        seq: u64,
    },
    /// The nearest row of such a list whose prompt or reply holds this text, in upper or lower
    /// case: from row `from` on, or backwards from it.
    FindExchange {
        session: SessionId,
        agent: Option<Agent>,
        from: u64,
        backwards: bool,
        text: String,
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
    /// Lets a paused session perform so many acts; one that runs is paused after them.
    Step {
        session: SessionId,
        acts: u32,
    },
    /// Sessions of a higher priority get devices first; 0 at the beginning.
    Priority {
        session: SessionId,
        priority: i32,
    },
    /// What happened since this person last left.
    Digest,
}

impl Request {
    /// Whether it changes anything but what the viewer sees.
    pub fn changes(&self) -> bool {
        match self {
            Self::Steps { .. }
            | Self::Verdicts { .. }
            | Self::Exchanges { .. }
            | Self::Exchange { .. }
            | Self::FindExchange { .. }
            | Self::Log { .. }
            | Self::Findings
            | Self::Finding(_)
            | Self::Layout(_)
            | Self::Screenshot(_)
            | Self::Digest => false,
            Self::Mark { .. }
            | Self::Pause(_)
            | Self::Resume(_)
            | Self::Stop(_)
            | Self::Step { .. }
            | Self::Priority { .. } => true,
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
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
    Exchanges {
        session: SessionId,
        agent: Option<Agent>,
        from: u64,
        exchanges: Vec<ExchangeView>,
    },
    /// `None` when there is no such exchange.
    Exchange {
        session: SessionId,
        seq: u64,
        detail: Option<Box<ExchangeDetail>>,
    },
    /// The row where the text was found; `None` when nowhere.
    FoundExchange {
        session: SessionId,
        agent: Option<Agent>,
        text: String,
        row: Option<u64>,
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
    Digest(Box<Digest>),
    /// So many replies were lost, because they were not taken in time: what is still wanted must be
    /// asked for again.
    Resync(u64),
}

/// What happened while nobody looked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Digest {
    /// Since when, in milliseconds since the Unix epoch: when the last viewer left, or the server
    /// began.
    pub since_ms: u64,
    /// The server itself was started again since then.
    pub restarted: bool,
    /// New findings and those that were confirmed, as lists show them.
    pub findings: Vec<FindingView>,
    /// Warnings and errors, the latest at the end; at most 200.
    pub incidents: Vec<LogView>,
    /// Further incidents before those.
    pub more_incidents: u64,
    /// Sessions that ended, and how.
    pub ended: Vec<(SessionId, String)>,
}

impl Digest {
    /// True when there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty() && self.incidents.is_empty() && self.ended.is_empty() && !self.restarted
    }
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
