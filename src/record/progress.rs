//! How far a session is.

use serde::{Deserialize, Serialize};

/// What a session is busy with. Each technique goes through its own phases in their order, to `Done`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Exploring: Genie and Odin mine their model, InputBlaster looks for forms, Monkey does nothing
    /// else.
    #[default]
    Mine,
    /// Genie: recording tests to mutate.
    Seeds,
    /// Genie: running mutants of the seeds.
    Mutants,
    /// Fresh replays of what violations showed; also the replays that a person asked for.
    Confirm,
    /// Nothing is left to plan.
    Done,
    /// Odin: running walks, so that every state has inputs enough.
    Calibrate,
    /// Odin: appending events to inputs, and weighing what came of it.
    Manifest,
    /// PBFDroid: interleaving functions and random events.
    Properties,
    /// Running a finding with ever fewer events.
    Shrink,
    /// InputBlaster: filling in forms.
    Forms,
    /// VisionDroid: three agents explore.
    Tour,
}

/// How far a session is, with the counts of its technique; those of other techniques are 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// What it is busy with.
    pub phase: Phase,
    /// Done of `total` in this phase.
    pub done: u64,
    /// To be done in this phase, as far as is known by now; may grow.
    pub total: u64,
    /// What `done` and `total` count, in the plural: `events`, `mutants`.
    pub unit: String,
    /// Events performed in absorbed jobs.
    pub events: u64,
    /// The limit on events.
    pub max_events: u64,
    /// Different states of the mined model.
    pub states: u32,
    /// Different transitions of the mined model.
    pub transitions: u32,
    /// Genie's counts; the last of them (distinct and on) are every technique's.
    pub funnel: Funnel,
    /// Odin's counts.
    pub tally: Tally,
    /// PBFDroid's counts.
    pub dmf: DmfTally,
    /// InputBlaster's counts, also those of its baseline.
    pub form: FormTally,
    /// VisionDroid's counts.
    pub tour: TourTally,
}

/// InputBlaster's counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormTally {
    /// Different forms met.
    pub forms: u64,
    /// Forms of which valid texts are known.
    pub passed: u64,
    /// Forms that no texts passed, in all tries.
    pub given_up: u64,
    /// Unusual texts that were entered and submitted.
    pub inputs: u64,
    /// Unusual texts that the device could not type.
    pub untypable: u64,
    /// Of the inputs: accepted by the app.
    pub accepted: u64,
    /// Of the inputs: refused with a message, or ignored.
    pub refused: u64,
    /// Generators that were run.
    pub generators: u64,
    /// Of the generators: ended with a failure, whatever they yielded before.
    pub failures: u64,
    /// Questions to a model that were answered.
    pub questions: u64,
    /// Questions to a model without a reply.
    pub unanswered: u64,
}

/// VisionDroid's counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TourTally {
    /// Tests that were run, from a reset on.
    pub tests: u64,
    /// Functions that the Monitor saw begin.
    pub functions: u64,
    /// Functions that the Detector judged.
    pub judged: u64,
    /// Of those judged, the ones that did not do what they are for.
    pub mismatches: u64,
    /// Events that were performed, or failed, in the tests.
    pub steps: u64,
    /// Questions to the three agents.
    pub questions: u64,
    /// Of the questions: no reply, or one that says nothing.
    pub in_vain: u64,
    /// Operations of the Explorer that the Detector calls wrong.
    pub wrong_operations: u64,
}

/// PBFDroid's counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DmfTally {
    /// Functions of the specification that can be used.
    pub functions: u64,
    /// Of the functions: carried out at least once.
    pub reached: u64,
    /// Tests that were run, from a reset on.
    pub tests: u64,
    /// Executions of functions that came to their end.
    pub completed: u64,
    /// Executions that failed on the way.
    pub partial: u64,
    /// Random events.
    pub random: u64,
    /// Postconditions that were judged.
    pub checked: u64,
    /// Postconditions that did not hold.
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
    /// Behaviours that were recorded already.
    pub reused: u64,
    /// Behaviours that were run for their own sake.
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
    /// Recorded tests that were kept to be mutated.
    pub seeds: u64,
    /// Seeds left out later: a receiver was lost in a replay.
    pub seeds_dropped: u64,
    /// Mutants made of the seeds, those that never ran included.
    pub generated: u64,
    /// Mutants that ran, whole or not.
    pub executed: u64,
    /// Executed, but dropped: not replayable, or the layout after the insertion is not the pivot's.
    pub dropped: u64,
    /// With a violation before volatile widgets were masked.
    pub unmasked: u64,
    /// Mutants with a violation, volatile widgets masked.
    pub violations: u64,
    /// Findings: violations with different canonical keys.
    pub distinct: u64,
    /// Findings that showed in one test only, replays not counted.
    pub once_only: u64,
    /// Findings that enough fresh replays showed.
    pub confirmed: u64,
    /// Marked true by a person.
    pub marked_true: u64,
}
