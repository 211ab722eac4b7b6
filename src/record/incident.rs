//! Incidents: what a person who was away wants to hear about.

use serde::{Deserialize, Serialize};

use super::{FindingId, SessionId};

/// One event that happened while nobody was watching, kept in the store so that it survives the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incident {
    /// Milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// Device serial or session, empty for the lab itself.
    pub source: String,
    /// What happened to the source.
    pub what: IncidentKind,
}

/// What can happen that is worth reporting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum IncidentKind {
    /// The lab's server began.
    Began,
    /// The first viewer came.
    Came,
    /// The last viewer left.
    Left,
    /// Something is wrong, but the lab continues; in words.
    Warning(String),
    /// Something has ended for the source; in words.
    Error(String),
    /// A finding is new, or its confirmation has finished.
    Found(FindingId),
    /// A session ended, and how.
    Ended(SessionId, String),
}
