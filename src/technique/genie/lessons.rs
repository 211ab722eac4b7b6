//! What the hunt learns from finished jobs.

use super::mix;
use super::planner::GenieHunt;
use super::rounds::End;
use super::seeds::mutate;
use crate::seed::Recording;
use droidmux_record::{
    Batch, Cuts, Failure, Hint, Insertion, JobRun, Judgement, Layouts, Outcome, Purpose, Role, Test, Trace,
    Verdict, Work,
};

impl GenieHunt {
    pub(super) fn learn_from(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        self.exploration.learn(run, layouts);
        match &run.job.work {
            Work::Explore(explore) => {
                let fresh = self.exploration.harvest(run, layouts);
                let kept = self.seeds.take(run, explore.goal, fresh, &self.exploration, layouts);
                if let Some((number, recording)) = kept {
                    self.add_seed(number, &recording, layouts);
                }
            }
            Work::Batch(Batch { purpose: Purpose::Mutants { seed }, tests }) => {
                self.absorb_mutants(*seed, run, tests, judgement);
                self.count_verdicts(judgement);
            }
            Work::Batch(_) | Work::Errand(_) => {}
        }
    }

    fn add_seed(&mut self, number: u32, recording: &Recording, layouts: &dyn Layouts) {
        self.funnel.seeds += 1;
        let rng = mix(self.rng ^ 0x006d_7574_616e_7473, number.into());
        let positions = mutate(recording, self.exploration.model(), layouts, self.settings(), rng);
        self.funnel.generated += positions.iter().map(|p| p.len() as u64).sum::<u64>();
        self.rounds.add(number, recording.events(), recording.shapes(), positions);
    }

    fn absorb_mutants(&mut self, seed: u32, run: &JobRun, tests: &[Test], judgement: &Judgement) {
        let inserted = self.inserted.remove(&run.job.slot).unwrap_or_default();
        let mut inserted = inserted.iter();
        for trace in run.traces() {
            let Some(test) = tests.get(usize::from(trace.test)) else { continue };
            let lost = lost_event(&trace);
            let Role::Mutant(insertion) = test.role else {
                if lost.is_some() && self.rounds.drop_seed(seed) {
                    self.seeds.drop_one();
                }
                continue;
            };
            let whole = lost.is_none() && trace.is_whole() && trace.steps.len() == test.events.len();
            self.funnel.executed += 1;
            if !whole {
                self.funnel.dropped += 1;
                *cut(&mut self.funnel.cuts, &trace, insertion, lost, self.exploration.app()) += 1;
            }
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

/// The oracle found a violation and reason to think that the inserted events are not independent.
fn is_dependent(judgement: &Judgement, test: u16) -> bool {
    let of_test = |v: &&Verdict| v.test == test && v.outcome == Outcome::Violation;
    let says_so = |hint: &Hint| matches!(hint.cause.as_str(), "not-independent" | "coarse-state");
    judgement.verdicts.iter().filter(of_test).any(|verdict| verdict.hints.iter().any(says_so))
}

/// What ended a mutant that did not run to its end; `lost` is the number of the event that could not be performed.
fn cut<'c>(
    cuts: &'c mut Cuts,
    trace: &Trace<'_>,
    insertion: Insertion,
    lost: Option<usize>,
    app: &str,
) -> &'c mut u64 {
    let first = usize::from(insertion.pivot).saturating_sub(1);
    let end = first + usize::from(insertion.length);
    let crashed = trace.steps.last().is_some_and(|step| step.after.is_ok_and(|seen| seen.crashed(app)));
    match lost {
        Some(at) if at < first => &mut cuts.before,
        Some(at) if at < end => &mut cuts.inserted,
        Some(_) => &mut cuts.behind,
        None if crashed => &mut cuts.crashed,
        None if trace.is_whole() && trace.steps.len() == end => &mut cuts.astray,
        None => &mut cuts.other,
    }
}

/// The number of the event, from 0, that could not be performed because its receiver was lost.
fn lost_event(trace: &Trace<'_>) -> Option<usize> {
    let lost = |failure: &Failure| *failure != Failure::TimedOut;
    trace.steps.iter().position(|step| step.after.is_err_and(lost))
}
