//! Steps that people want to find again.

use serde::{Deserialize, Serialize};

use super::SessionId;

/// A step that somebody marked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bookmark {
    /// Whose step.
    pub session: SessionId,
    /// Its number in the session's log of steps, from 0.
    pub seq: u64,
    /// What was done there, as shown in lists: `j12/3 click Button "Delete"`.
    pub words: String,
}
