//! How far a session is.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    #[default]
    Mine,
    Seeds,
    Mutants,
    Confirm,
    Done,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    pub phase: Phase,
    /// Done and to do in this phase, in the phase's own unit.
    pub done: u64,
    pub total: u64,
    pub unit: String,
    /// Events performed in absorbed jobs.
    pub events: u64,
    /// The limit on events.
    pub max_events: u64,
    pub states: u32,
    pub transitions: u32,
    pub funnel: Funnel,
}

/// Genie's funnel, from mutants to bugs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Funnel {
    pub seeds: u64,
    /// Seeds left out later: a receiver was lost in a replay.
    pub seeds_dropped: u64,
    pub generated: u64,
    pub executed: u64,
    /// Executed, but dropped: not replayable, or the layout after the insertion is not the pivot's.
    pub dropped: u64,
    /// With a violation before volatile widgets were masked.
    pub unmasked: u64,
    pub violations: u64,
    pub distinct: u64,
    pub once_only: u64,
    pub confirmed: u64,
    /// Marked true by a person.
    pub marked_true: u64,
}
