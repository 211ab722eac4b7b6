//! How far a session has got.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Phase, Use};

/// How far a session has got: its phase, and the counts of its technique. Those of other techniques stay 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// What the session is doing.
    pub phase: Phase,
    /// Done in this phase, in the phase's own unit.
    pub done: u64,
    /// To do in this phase, including what is done; an estimate when it grows on the way.
    pub total: u64,
    /// What `done` and `total` count, in the plural: `events`, `mutants`.
    pub unit: String,
    /// Events performed in absorbed jobs.
    pub events: u64,
    /// The limit on events.
    pub max_events: u64,
    /// States of the app in the GUI model; 0 for techniques without one.
    pub states: u32,
    /// Transitions between them, including those from and to the outside.
    pub transitions: u32,
    /// Genie's counts; other techniques fill those from `violations` on.
    pub funnel: Funnel,
    /// Odin's.
    pub tally: Tally,
    /// PBFDroid's.
    pub dmf: DmfTally,
    /// InputBlaster's, and those of its baseline.
    pub form: FormTally,
    /// VisionDroid's.
    pub tour: TourTally,
    /// What the absorbed jobs took, by what they were run for: most events first. Counted by the session; planners leave
    /// it empty.
    pub uses: Vec<Use>,
    /// From tests to bugs: how many of each, in the order in which the technique proceeds from one to the next.
    pub stages: Vec<FunnelStage>,
    /// What a person is told at the end, besides the model and the findings: one line each.
    pub summary: Vec<String>,
}

impl Progress {
    /// Sets how many findings people marked true, in the funnel and in the stage with that name, if there is one.
    pub fn mark_true(&mut self, findings: u64) {
        self.funnel.marked_true = findings;
        for stage in self.stages.iter_mut().filter(|stage| stage.name == FunnelStage::MARKED_TRUE) {
            stage.number = findings;
        }
    }
}

/// A name and a number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunnelStage {
    /// For a person, short.
    pub name: Cow<'static, str>,
    /// How many there are.
    pub number: u64,
    /// When there is no room for all, those with the lowest value are dropped first; a stage without one stays.
    pub spare: Option<u8>,
}

impl FunnelStage {
    /// The last stage: what people believe.
    pub const MARKED_TRUE: &str = "true";

    /// Stages in order; the second list names those that are dropped first when room is short.
    pub fn list(stages: &[(&'static str, u64)], first_to_go: &[&str]) -> Vec<Self> {
        let spare = |name: &str| (0..).zip(first_to_go).find(|(_, gone)| **gone == name).map(|(n, _)| n);
        let stage = |&(name, number)| Self { name: Cow::Borrowed(name), number, spare: spare(name) };
        stages.iter().map(stage).collect()
    }
}

/// InputBlaster's counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormTally {
    /// Forms met.
    pub forms: u64,
    /// Forms that valid texts got past.
    pub passed: u64,
    /// Forms that no valid text got past.
    pub given_up: u64,
    /// Unusual texts that were entered and submitted.
    pub inputs: u64,
    /// Unusual texts that the device could not type.
    pub untypable: u64,
    /// Inputs that led to another page.
    pub accepted: u64,
    /// Inputs after which the form stayed, with a message or as it was.
    pub refused: u64,
    /// Generators that were run.
    pub generators: u64,
    /// Generators that failed or could not be run.
    pub failures: u64,
    /// Questions that were answered.
    pub questions: u64,
    /// Those among them whose answers contained nothing of what was asked for.
    pub in_vain: u64,
    /// Questions without an answer.
    pub unanswered: u64,
}

/// VisionDroid's counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TourTally {
    /// One for each reset.
    pub tests: u64,
    /// Functions that the Monitor saw begin.
    pub functions: u64,
    /// Functions that the Detector judged.
    pub judged: u64,
    /// Judged functions that did not do what they are for.
    pub mismatches: u64,
    /// Operations of the Explorer, including those that could not be performed.
    pub steps: u64,
    /// Questions to the three agents.
    pub questions: u64,
    /// Questions without a useful answer: no reply, or one that says nothing.
    pub in_vain: u64,
    /// Operations of the Explorer that the Detector calls wrong.
    pub wrong_operations: u64,
}

/// PBFDroid's counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DmfTally {
    /// Functions of the specification that can be used.
    pub functions: u64,
    /// Functions that were carried out at least once.
    pub reached: u64,
    /// Tests that were run, whether or not to their end.
    pub tests: u64,
    /// Functions carried out to their end.
    pub completed: u64,
    /// Functions that failed on the way, or whose objects could not be read.
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
    /// Walks that ended in a state other than the intended one.
    pub strayed: u64,
    /// The same by the cause of their first difference.
    pub strays: Strays,
    /// States that no walk of the longest length can end in.
    pub unreachable: u64,
    /// Pairs of a state and an event it handles.
    pub pairs: u64,
    /// Behaviours that had already been recorded.
    pub reused: u64,
    /// Behaviours run deliberately that ended in their state.
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

/// Walks that strayed, by what was the first difference between a walk as planned and as it ran (Odin).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strays {
    /// The app did not start in the state that walks begin in.
    pub start: u64,
    /// The receiver of an event was not there, or the device could not perform the event.
    pub unfound: u64,
    /// The app crashed.
    pub crashed: u64,
    /// The event led out of the app.
    pub left: u64,
    /// A dialog of the system was answered in between.
    pub dialog: u64,
    /// The event acted on a widget that is only similar to the one it was recorded on.
    pub similar: u64,
    /// The very layout is known to lead to the intended state by this event: something decided that it does not show.
    pub hidden: u64,
    /// The event was never performed on this layout, only on others of its state: the state holds together what behaves
    /// differently.
    pub untried: u64,
    /// On this layout, the event was only ever seen to lead elsewhere; on others of its state it leads to where the walk
    /// was to go.
    pub lumped: u64,
    /// It came to a layout that handles the same events as the intended state, but counts as another state.
    pub twin: u64,
    /// Each step led where it was to lead, and what was learned meanwhile made another state of it.
    pub remined: u64,
}

impl Strays {
    /// Each cause that occurred, with how often, most frequent first.
    pub fn causes(&self) -> Vec<(&'static str, u64)> {
        let mut causes = vec![
            ("started elsewhere", self.start),
            ("receiver not found", self.unfound),
            ("crash", self.crashed),
            ("left the app", self.left),
            ("system dialog", self.dialog),
            ("another widget taken", self.similar),
            ("decided by what no layout shows", self.hidden),
            ("event new to the layout", self.untried),
            ("state holds unlike layouts", self.lumped),
            ("equal events, another state", self.twin),
            ("model changed meanwhile", self.remined),
        ];
        causes.retain(|(_, number)| *number > 0);
        causes.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
        causes
    }
}

/// Mutants that were dropped, by what ended them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cuts {
    /// An event of the seed before the insertion could not be performed.
    pub before: u64,
    /// An inserted event could not be performed.
    pub inserted: u64,
    /// The inserted events did not come back to the pivot.
    pub astray: u64,
    /// An event of the seed behind the insertion could not be performed.
    pub behind: u64,
    /// The app crashed.
    pub crashed: u64,
    /// The time was over, or the device was lost.
    pub other: u64,
}

impl Cuts {
    /// Each that occurred, with how often, most frequent first.
    pub fn causes(&self) -> Vec<(&'static str, u64)> {
        let mut causes = vec![
            ("the seed lost before the insertion", self.before),
            ("an inserted event lost", self.inserted),
            ("not back at the pivot", self.astray),
            ("the seed lost behind the insertion", self.behind),
            ("crash", self.crashed),
            ("time", self.other),
        ];
        causes.retain(|(_, number)| *number > 0);
        causes.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
        causes
    }
}

/// Genie's funnel, from mutants to bugs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Funnel {
    /// Seed tests that were kept: no two of them took the same course.
    pub seeds: u64,
    /// Seeds discarded later: a receiver was lost in a replay.
    pub seeds_dropped: u64,
    /// Mutants of all seeds, run or not.
    pub generated: u64,
    /// Mutants that were run.
    pub executed: u64,
    /// Executed, but dropped: not replayable, or the layout after the insertion is not the pivot's.
    pub dropped: u64,
    /// The same by what ended them.
    pub cuts: Cuts,
    /// With a violation before volatile widgets were masked.
    pub unmasked: u64,
    /// Violations that remained after volatile widgets were masked.
    pub violations: u64,
    /// Findings: violations with the same canonical key are one.
    pub distinct: u64,
    /// Findings that one test showed and no other.
    pub once_only: u64,
    /// Findings that showed again in enough fresh replays.
    pub confirmed: u64,
    /// Marked true by a person; planners, which do not know, report 0.
    pub marked_true: u64,
}
