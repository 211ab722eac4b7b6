//! What oracles said about a session later.

use serde::{Deserialize, Serialize};

/// What an oracle said later about what a finding's session recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecheckView {
    /// Which oracle it is.
    pub oracle: String,
    /// Milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// How many of its cases it could judge.
    pub judged: u64,
    /// What a case is, in the plural.
    pub unit: String,
    /// How many it objects to.
    pub violations: u64,
    /// One of them concerns the same thing as the finding.
    pub agrees: bool,
}
