//! Incidents: what a person wants to hear of who was away.

use serde::{Deserialize, Serialize};

use super::{FindingId, SessionId};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incident {
    /// Milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// Device serial or session, empty for the lab itself.
    pub source: String,
    pub what: IncidentKind,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum IncidentKind {
    /// The lab's server began.
    Began,
    /// The first viewer came, or the last one left.
    Came,
    Left,
    Warning(String),
    Error(String),
    /// A finding is new, or its confirmation has come to an end.
    Found(FindingId),
    /// A session ended, and how.
    Ended(SessionId, String),
}
