//! Shrinking in the session that found it: what stands for its cluster gets shorter tests.
//!
//! In: findings with the tests that show them, and replays of shorter versions. Out: the next version to run, and
//! what each finding was shrunk to.
//!
//! Invariants: versions take no more events than they are given; a version that shows the violation with an innocent
//! explanation does not show the same.

use std::collections::BTreeMap;

use super::ddmin::Kept;
use super::versions::{Next, Versions};
use crate::findings::Replay;
use droidmux_record::{
    Batch, Confirmation, Experiment, FindingId, JobRun, Judgement, Purpose, SessionId, ShrinkEnding, Shrunk,
    Test, Work, events_of,
};

/// The most replays for one finding.
const ROUNDS: u32 = 60;

/// The findings of a session that are or were shrunk.
#[derive(Clone, Debug, Default)]
pub struct Representatives {
    shrinking: BTreeMap<FindingId, Shrinking>,
}

#[derive(Clone, Debug)]
struct Shrinking {
    versions: Versions,
    /// The confirmation of the whole.
    confirmation: Confirmation,
    asked: BTreeMap<u32, Kept>,
    ending: ShrinkEnding,
}

impl Representatives {
    /// A shorter version of the first of these findings that can be shrunk further, of no more than `room` events.
    pub fn next<'a>(
        &mut self,
        findings: impl Iterator<Item = (&'a FindingId, Confirmation, &'a [Test])>,
        room: u64,
    ) -> Option<Work> {
        for (id, confirmation, tests) in findings {
            let shrinking =
                self.shrinking.entry(id.clone()).or_insert_with(|| Shrinking::of(tests, confirmation));
            if let Some((round, tests)) = shrinking.next(room) {
                let purpose = Purpose::Shrink { finding: id.clone(), round };
                return Some(Work::Batch(Batch { purpose, tests }));
            }
        }
        None
    }

    /// Takes in what a version of the finding with this key showed. Returns the tests it is shrunk to, once that is
    /// over.
    pub fn absorb(
        &mut self,
        (id, key): (&FindingId, &str),
        round: u32,
        run: &JobRun,
        judgement: &Judgement,
    ) -> Option<Vec<Test>> {
        let shrinking = self.shrinking.get_mut(id)?;
        let version = shrinking.asked.remove(&round)?;
        let Work::Batch(batch) = &run.job.work else { return None };
        let mut shown = judgement.violations_of(key);
        let is_excused = shown.any(|verdict| verdict.experiments.iter().any(Experiment::excuses));
        let replay = match Replay::read(key, &batch.tests, run, judgement) {
            Replay::Shown if is_excused => Replay::Absent,
            replay => replay,
        };
        shrinking.versions.judged(&version, replay, true);
        let is_over = shrinking.next_of(u64::MAX).is_none() && shrinking.ending == ShrinkEnding::Minimal;
        is_over.then(|| shrinking.versions.best_tests())
    }

    /// What was shortened so far.
    pub fn shrunk(&self, session: SessionId) -> Vec<Shrunk> {
        self.shrinking.iter().filter_map(|(id, shrinking)| shrinking.told(id, session)).collect()
    }
}

impl Shrinking {
    fn of(tests: &[Test], confirmation: Confirmation) -> Self {
        let versions = Versions::of(tests, confirmation.needed.max(1));
        Self { versions, confirmation, asked: BTreeMap::new(), ending: ShrinkEnding::Unfinished }
    }

    /// The next version and the number of its replay; it notes that this is under way.
    fn next(&mut self, room: u64) -> Option<(u32, Vec<Test>)> {
        let version = self.next_of(room)?;
        let tests = self.versions.begin(&version);
        let round = self.versions.replays();
        self.asked.insert(round, version);
        Some((round, tests))
    }

    fn next_of(&mut self, room: u64) -> Option<Kept> {
        let may_replay = self.versions.replays() < ROUNDS;
        match self.versions.next(|tests| may_replay && events_of(tests) <= room) {
            Next::Run(version) => {
                self.ending = ShrinkEnding::Unfinished;
                Some(version)
            }
            Next::Wait => None,
            Next::Over(ending) => {
                self.ending = ending;
                None
            }
        }
    }

    /// What it was shrunk to; `None` when nothing could be left out yet.
    fn told(&self, id: &FindingId, session: SessionId) -> Option<Shrunk> {
        let shown = self.versions.known(&self.versions.best()).shown;
        let confirmation = Confirmation { shown, absent: 0, unfaithful: 0, ..self.confirmation };
        let shrunk = self.versions.shrunk((id, session), confirmation, self.ending);
        (shrunk.to < shrunk.from).then_some(shrunk)
    }
}
