//! A finding in full.

use serde::{Deserialize, Serialize};

use super::RecheckView;
use droidmux_record::{Finding, FindingId, JobRun, Shrunk};

/// A finding and what happened to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingDetail {
    /// The finding, in its current tier.
    pub finding: Finding,
    /// The others it stands for, with their sentences.
    pub members: Vec<(FindingId, String)>,
    /// The job it was first seen in.
    pub run: Option<JobRun>,
    /// The oracles besides its own that say the same.
    pub agrees: Vec<String>,
    /// The result of shrinking it.
    pub shrunk: Option<Shrunk>,
    /// What oracles said about its session later.
    pub rechecks: Vec<RecheckView>,
}
