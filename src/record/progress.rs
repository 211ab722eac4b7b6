//! How far a session is.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::Phase;

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
    pub tally: Tally,
    pub dmf: DmfTally,
    pub form: FormTally,
    pub tour: TourTally,
    /// From tests to bugs: how many of each, in the order in which the technique goes from one to the
    /// next.
    pub stages: Vec<FunnelStage>,
    /// What a person is told in the end, besides the model and the findings: a line each.
    pub summary: Vec<String>,
}

/// A name and a number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunnelStage {
    pub name: Cow<'static, str>,
    pub number: u64,
    /// Where there is no room for all, those with the lowest go first; without one it stays.
    pub spare: Option<u8>,
}

impl FunnelStage {
    /// Stages in their order; the second list names those that go first when room is short.
    pub fn list(stages: &[(&'static str, u64)], first_to_go: &[&str]) -> Vec<Self> {
        let spare = |name: &str| (0..).zip(first_to_go).find(|(_, gone)| **gone == name).map(|(n, _)| n);
        let stage = |&(name, number)| Self { name: Cow::Borrowed(name), number, spare: spare(name) };
        stages.iter().map(stage).collect()
    }
}

/// InputBlaster's counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormTally {
    /// Forms met, those that were passed with valid texts, and those given up before.
    pub forms: u64,
    pub passed: u64,
    pub given_up: u64,
    /// Unusual texts that were entered and submitted, and those that could not be typed.
    pub inputs: u64,
    pub untypable: u64,
    /// Of the inputs: accepted by the app, and refused or ignored.
    pub accepted: u64,
    pub refused: u64,
    /// Generators that were run, and those that failed.
    pub generators: u64,
    pub failures: u64,
    /// Questions that were answered, and those that were not.
    pub questions: u64,
    pub unanswered: u64,
}

/// VisionDroid's counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TourTally {
    pub tests: u64,
    /// Functions that the Monitor saw begin, and those that the Detector judged.
    pub functions: u64,
    pub judged: u64,
    /// Of those judged, the ones that did not do what they are for.
    pub mismatches: u64,
    pub steps: u64,
    /// Questions to the three agents, and those that came to nothing: no reply, or one that says
    /// nothing.
    pub questions: u64,
    pub in_vain: u64,
    /// Operations of the Explorer that the Detector calls wrong.
    pub wrong_operations: u64,
}

/// PBFDroid's counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DmfTally {
    /// Functions of the specification that can be used, and those carried out at least once.
    pub functions: u64,
    pub reached: u64,
    pub tests: u64,
    /// Functions carried out to their end, and those that failed on the way.
    pub completed: u64,
    pub partial: u64,
    /// Random events.
    pub random: u64,
    /// Postconditions that were judged, and those that did not hold.
    pub checked: u64,
    pub violated: u64,
}

/// Odin's counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Traces taken from other sessions and from folders.
    pub imported: u64,
    /// Traces recorded while exploring.
    pub explored: u64,
    /// Walks that were run.
    pub calibrated: u64,
    /// Walks that ended in another state than they were meant to.
    pub strayed: u64,
    /// States that no walk of the longest length can end in.
    pub unreachable: u64,
    /// Pairs of a state and an event it handles.
    pub pairs: u64,
    /// Behaviours that were recorded already, and those run for their own sake.
    pub reused: u64,
    pub manifested: u64,
    /// Runs whose input did not end in its state again.
    pub discarded: u64,
    /// Pairs that were judged.
    pub weighed: u64,
    /// Pairs with too few behaviours to be judged.
    pub too_few: u64,
    /// Anomalous clusters.
    pub anomalies: u64,
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
