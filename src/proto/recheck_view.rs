//! What oracles said of a session later.

use serde::{Deserialize, Serialize};

/// What an oracle said later of what a finding's session recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecheckView {
    /// Whose word it is.
    pub oracle: String,
    /// Milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// How many of its cases it could judge.
    pub judged: u64,
    /// What a case is, in the plural.
    pub unit: String,
    /// To how many it objects.
    pub violations: u64,
    /// One of them is about what the finding is about.
    pub agrees: bool,
}
