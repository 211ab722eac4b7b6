//! A finding in full.

use serde::{Deserialize, Serialize};

use super::RecheckView;
use crate::record::{Finding, FindingId, JobRun, Shrunk};

/// A finding with what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingDetail {
    /// The finding in the tier that it is in.
    pub finding: Finding,
    /// The others it stands for, with their sentences.
    pub members: Vec<(FindingId, String)>,
    /// The job it was first seen in.
    pub run: Option<JobRun>,
    /// The oracles besides its own that say the same.
    pub agrees: Vec<String>,
    /// What it was shrunk to.
    pub shrunk: Option<Shrunk>,
    /// What oracles said of its session later.
    pub rechecks: Vec<RecheckView>,
}
