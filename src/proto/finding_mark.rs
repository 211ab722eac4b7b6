//! What a person says about a finding.

use serde::{Deserialize, Serialize};

use droidmux_record::{FindingId, FindingState};

/// A person's judgement of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingMark {
    /// Which finding.
    pub finding: FindingId,
    /// What the person says about it.
    pub state: FindingState,
    /// The person's words; empty for none.
    pub note: String,
}
