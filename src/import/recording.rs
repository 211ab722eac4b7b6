//! What a reader returns.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::published::Published;
use droidmux_gui::{Layout, LayoutHash};
use droidmux_record::{JobRun, Layouts, Work};

/// A recording in our own terms.
#[derive(Debug, Default)]
pub struct Recording {
    /// Package of the app, as far as the recording tells.
    pub app: String,
    /// In the order of the folder's names and numbers.
    pub runs: Vec<Recorded>,
    /// Everything that the runs name.
    pub layouts: RecordingLayouts,
    /// How much was read, and how much of it is in the runs.
    pub counts: Counts,
    /// What could not be imported, and why: one line each.
    pub remarks: Vec<String>,
    /// The tool kept no screens, only what it did: nothing that is seen on screens can be judged.
    pub is_blind: bool,
}

/// One trace, or a seed test with a mutant of it.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// From the folder, e.g. `seed-test-7/mutant-659`.
    pub name: String,
    /// Exploration for a single trace; a batch of mutants if there is something to compare.
    pub run: JobRun,
    /// What the tool itself said about it.
    pub published: Option<Published>,
}

/// What was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// Files with a state or a dump.
    pub states: u64,
    /// States of which part is missing or cannot be told apart; the remarks say what.
    pub degraded: u64,
    /// Files with an event.
    pub events: u64,
    /// Traces made of them.
    pub traces: u64,
    /// Steps of the traces.
    pub steps: u64,
    /// Events that are not in any trace; the remarks say why.
    pub left_out: u64,
    /// Different layouts.
    pub layouts: u64,
}

/// The layouts of a recording by their hash.
#[derive(Clone, Debug, Default)]
pub struct RecordingLayouts {
    layouts: BTreeMap<LayoutHash, Arc<Layout>>,
}

impl Recording {
    /// The runs in which a mutant can be compared with its seed.
    pub fn comparisons(&self) -> impl Iterator<Item = &Recorded> {
        self.runs.iter().filter(|recorded| matches!(recorded.run.job.work, Work::Batch(_)))
    }

    /// Fills in the counts that follow from the runs.
    pub(super) fn finish(mut self) -> Self {
        for recorded in &self.runs {
            let traces = recorded.run.traces();
            self.counts.traces += traces.len() as u64;
            self.counts.steps += traces.iter().map(|trace| trace.steps.len() as u64).sum::<u64>();
        }
        self.counts.layouts = self.layouts.len() as u64;
        self
    }
}

impl RecordingLayouts {
    /// How many different layouts there are.
    pub fn len(&self) -> usize {
        self.layouts.len()
    }

    /// True when not a single layout was read.
    pub fn is_empty(&self) -> bool {
        self.layouts.is_empty()
    }

    /// All layouts, by hash.
    pub fn iter(&self) -> impl Iterator<Item = (LayoutHash, &Arc<Layout>)> {
        self.layouts.iter().map(|(&hash, layout)| (hash, layout))
    }

    pub(super) fn add(&mut self, layout: Arc<Layout>) -> LayoutHash {
        let hash = layout.hash();
        self.layouts.entry(hash).or_insert(layout);
        hash
    }
}

impl Layouts for RecordingLayouts {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.layouts.get(&hash).cloned()
    }
}
