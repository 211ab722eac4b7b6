//! Experiments on confirmed findings: tests that ask whether the violation stays under another condition.
//!
//! In: violations of Genie and of relations with their runs, the findings as they stand, and what came of experiments.
//! Out: batches to run, each a job of its own, and what they mean for their finding.
//!
//! Invariants: only findings that are confirmed and not excused are examined; what is planned depends on absorbed jobs
//! alone.

mod exchange;
mod missed;
mod passing;
mod subject;
#[cfg(test)]
mod tests;
mod trial;

use std::collections::BTreeMap;

use self::subject::{Subject, restored};
use self::trial::Trial;
use super::findings::Findings;
use droidmux_record::{
    Batch, Evidence, Experiment, ExperimentKind, FindingId, JobRun, Judgement, Layouts, Purpose, Verdict,
    Work,
};

/// The experiments of one session.
#[derive(Clone, Debug, Default)]
pub struct Inquiry {
    trials: BTreeMap<FindingId, Vec<Trial>>,
}

impl Inquiry {
    /// Notes what could be tried on a finding that this verdict stands for.
    pub fn consider(&mut self, id: &FindingId, run: &JobRun, verdict: &Verdict, layouts: &dyn Layouts) {
        // What was begun is not begun again where a shorter test comes up.
        let begun = |trials: &Vec<Trial>| trials.is_empty() || trials.iter().any(|trial| trial.planned);
        if self.trials.get(id).is_some_and(begun) {
            return;
        }
        let trials = match &verdict.evidence {
            Evidence::Broken(broken) => {
                let passes = passing::trial(run, verdict, broken);
                passes.into_iter().chain(missed::trials(run, (verdict, broken), layouts)).collect()
            }
            Evidence::Deviation(deviation) => restored(deviation),
            Evidence::Effects(_) => match Subject::of(run, verdict, layouts) {
                Some(subject) => subject.trials(),
                None => return,
            },
            _ => return,
        };
        self.trials.insert(id.clone(), trials);
    }

    /// The experiment that matters most; `None` when there is none, or its events do not fit.
    pub fn next(&mut self, findings: &Findings, fits: impl Fn(u64) -> bool) -> Option<Work> {
        let wanted = |id: &FindingId| {
            let finding = findings.get(id)?;
            let open = finding.confirmation.is_confirmed() && !findings.is_excused(id);
            open.then_some((finding.verdict.harm, finding.occurrences))
        };
        let waits = self.trials.iter().filter(|(_, trials)| trials.iter().any(|trial| !trial.planned));
        let (_, id) = waits.filter_map(|(id, _)| Some((wanted(id)?, id.clone()))).min()?;
        let trials = self.trials.get_mut(&id)?;
        let at = trials.iter().position(|trial| !trial.planned)?;
        let trial = trials.get_mut(at)?;
        let purpose = Purpose::Examine { finding: id, kind: trial.kind() };
        let work = Work::Batch(Batch { purpose, tests: trial.tests.clone() });
        if !fits(work.events()) {
            trials.remove(at);
            return None;
        }
        trial.planned = true;
        Some(work)
    }

    /// True while an experiment on this finding waits or is under way.
    pub fn is_open(&self, id: &FindingId) -> bool {
        self.trials.get(id).is_some_and(|trials| !trials.is_empty())
    }

    /// What came of an experiment on the finding with this key.
    pub fn result(
        &mut self,
        (id, key): (&FindingId, &str),
        kind: ExperimentKind,
        came: (&JobRun, &Judgement),
        layouts: &dyn Layouts,
    ) -> Vec<Experiment> {
        let Some(trials) = self.trials.get_mut(id) else { return Vec::new() };
        let Some(at) = trials.iter().position(|trial| trial.kind() == kind) else { return Vec::new() };
        trials.remove(at).result(key, came, layouts)
    }
}
