//! What a returning viewer is told first.

use serde::{Deserialize, Serialize};

use super::{FindingView, LogView};
use droidmux_record::SessionId;

/// What happened while nobody was watching.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Digest {
    /// The start of that time, in milliseconds since the Unix epoch: when the last viewer left, or the server began.
    pub since_ms: u64,
    /// The server itself has been restarted since then.
    pub restarted: bool,
    /// New findings and those that were confirmed, as lists show them.
    pub findings: Vec<FindingView>,
    /// Warnings and errors, the latest at the end; at most 200.
    pub incidents: Vec<LogView>,
    /// The number of further incidents before those.
    pub more_incidents: u64,
    /// Sessions that ended, and how.
    pub ended: Vec<(SessionId, String)>,
}

impl Digest {
    /// True when there is nothing to report.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty() && self.incidents.is_empty() && self.ended.is_empty() && !self.restarted
    }
}
