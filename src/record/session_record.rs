//! A session as its store knows it.

use serde::{Deserialize, Serialize};

use super::{JobId, SessionDefinition};

/// What a session was started with and how it ended: with its jobs, turns and judgements, all
/// that is needed to rebuild it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionRecord {
    pub definition: SessionDefinition,
    /// The RNG seed.
    pub rng: u64,
    /// The planner's version: another one may plan other jobs, so a restart under it is refused.
    pub planner_version: u32,
    /// Jobs of other sessions whose traces the planner took in before its first job, in that
    /// order. They stay in the store as long as this session does.
    pub inputs: Vec<JobId>,
    /// The version of droidmux that started the session.
    pub droidmux: String,
    /// Milliseconds since the Unix epoch.
    pub started_ms: u64,
    /// `None` while it runs, and after a crash.
    pub ended_ms: Option<u64>,
    /// Why it ended, for a person; `None` as long as `ended_ms` is.
    pub ending: Option<String>,
}
