//! What the planner learns from finished jobs.

use std::sync::Arc;

use super::mix;
use super::planner::GeniePlanner;
use super::rounds::End;
use super::seeds::Recording;
use crate::record::{
    Explore, Failure, Goal, Hint, JobRun, Judgement, Layouts, Outcome, Purpose, Role, Test, Trace, Verdict,
    Work,
};

impl GeniePlanner {
    pub(super) fn learn(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        self.ledger.finish(run.job.slot, run.events());
        let learned = Arc::make_mut(&mut self.model).absorb(run, &mut self.familiar, layouts);
        match &run.job.work {
            Work::Explore(Explore { goal: Goal::Mine, .. }) => self.mining.learn(learned),
            Work::Explore(Explore { goal: Goal::Seed, .. }) => self.absorb_seed(run, layouts),
            Work::Batch(batch) => match &batch.purpose {
                Purpose::Mutants { seed } => {
                    self.absorb_mutants(*seed, run, &batch.tests, judgement);
                    self.count_verdicts(judgement);
                }
                Purpose::Confirm { finding, .. } => {
                    self.suspects.absorb_confirmation(finding, &batch.tests, run, judgement);
                    return;
                }
                Purpose::Examine { finding, kind } => {
                    self.suspects.absorb_experiment(finding, *kind, run, judgement);
                    return;
                }
                Purpose::Replay { .. }
                | Purpose::Shrink { .. }
                | Purpose::Calibrate { .. }
                | Purpose::Manifest(_) => return,
            },
            Work::Errand(_) => return,
        }
        self.suspects.absorb_violations(run, judgement);
        self.suspects.inquire(run, judgement, layouts);
    }

    /// Keeps a recorded test as a seed when it is none of those there are, with its mutants.
    fn absorb_seed(&mut self, run: &JobRun, layouts: &dyn Layouts) {
        self.seeds.under_way = self.seeds.under_way.saturating_sub(1);
        if self.seeds.kept - self.seeds.dropped >= self.settings.seeds {
            return;
        }
        let Some(recording) = Recording::read(run, &self.app, &self.model, layouts) else { return };
        if !self.seeds.courses.insert(recording.course()) {
            return;
        }
        let coverage = Arc::make_mut(&mut self.seeds.coverage);
        for shape in recording.shapes() {
            *coverage.entry(shape).or_insert(0) += 1;
        }
        let number = self.seeds.kept;
        self.seeds.kept += 1;
        self.funnel.seeds += 1;
        let rng = mix(self.rng ^ 0x006d_7574_616e_7473, number.into());
        let positions = recording.mutate(&self.model, layouts, &self.settings, rng);
        self.funnel.generated += positions.iter().map(|p| p.len() as u64).sum::<u64>();
        let shapes = recording.shapes();
        self.rounds.add(number, recording.events, shapes, positions);
    }

    fn absorb_mutants(&mut self, seed: u32, run: &JobRun, tests: &[Test], judgement: &Judgement) {
        let inserted = self.inserted.remove(&run.job.slot).unwrap_or_default();
        let mut inserted = inserted.iter();
        for trace in run.traces() {
            let Some(test) = tests.get(usize::from(trace.test)) else { continue };
            let lost = lost_event(&trace);
            let Role::Mutant(insertion) = test.role else {
                if lost.is_some() && self.rounds.drop_seed(seed) {
                    self.seeds.dropped += 1;
                }
                continue;
            };
            let whole = lost.is_none() && trace.is_whole() && trace.steps.len() == test.events.len();
            self.funnel.executed += 1;
            self.funnel.dropped += u64::from(!whole);
            if let Some(shapes) = inserted.next() {
                let end = match whole {
                    false => End::Cut,
                    true if is_dependent(judgement, trace.test) => End::Dependent,
                    true => End::Independent,
                };
                self.rounds.ended(seed, insertion, shapes, end);
            }
            let first = usize::from(insertion.pivot).saturating_sub(1);
            if let Some(at) = lost.filter(|&at| at >= first) {
                self.prefixes.insert(test.events.iter().take(at + 1));
            }
        }
    }

    fn count_verdicts(&mut self, judgement: &Judgement) {
        let violations = judgement.verdicts.iter().filter(|v| v.outcome == Outcome::Violation);
        self.funnel.violations += violations.filter(|v| v.oracle == "genie").count() as u64;
        self.funnel.unmasked += u64::from(judgement.unmasked);
    }
}

/// The oracle found a violation and reason to think that the inserted events are no extra.
fn is_dependent(judgement: &Judgement, test: u16) -> bool {
    let of_test = |v: &&Verdict| v.test == test && v.outcome == Outcome::Violation;
    let says_so = |hint: &Hint| matches!(hint.cause.as_str(), "not-independent" | "coarse-state");
    judgement.verdicts.iter().filter(of_test).any(|verdict| verdict.hints.iter().any(says_so))
}

/// The number of the event, from 0, that could not be performed because its receiver was lost.
fn lost_event(trace: &Trace<'_>) -> Option<usize> {
    let lost = |failure: &Failure| *failure != Failure::TimedOut;
    trace.steps.iter().position(|step| step.after.is_err_and(lost))
}
