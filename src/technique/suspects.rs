//! Suspected bugs with what to run to see them again.

use std::collections::BTreeMap;

use super::findings::{Findings, Replay};
use super::ledger::Ledger;
use crate::record::{
    Act, Batch, Evidence, Finding, FindingId, JobRun, Judgement, Outcome, Purpose, Role, Test, Verdict, Work,
};

/// The findings of a session and, for those not settled, their recipes.
#[derive(Clone, Debug)]
pub struct Suspects {
    pub findings: Findings,
    recipes: BTreeMap<FindingId, Vec<Test>>,
}

impl Suspects {
    pub fn new(findings: Findings) -> Self {
        Self { findings, recipes: BTreeMap::new() }
    }

    /// The replay that matters most; `None` when none is wanted or the budget has no room for it.
    pub fn confirmation(&mut self, ledger: &Ledger) -> Option<Work> {
        while let Some((id, round)) = self.findings.next_replay() {
            let id = id.clone();
            let tests = self.recipes.get(&id).cloned().unwrap_or_default();
            let events: u64 = tests.iter().map(|t| t.events.len() as u64).sum();
            if tests.is_empty() {
                self.findings.cannot_replay(&id);
                continue;
            }
            if !ledger.can_confirm(events) {
                return None;
            }
            self.findings.replay_planned(&id);
            return Some(Work::Batch(Batch { purpose: Purpose::Confirm { finding: id, round }, tests }));
        }
        None
    }

    /// Counts what a replay showed.
    pub fn absorb_confirmation(
        &mut self,
        id: &FindingId,
        tests: &[Test],
        run: &JobRun,
        judgement: &Judgement,
    ) {
        let key = |finding: &Finding| finding.verdict.key.clone();
        let Some(known) = self.findings.get(id).map(key) else { return };
        let replay = Replay::read(&known, tests, run, judgement);
        if self.findings.replayed(id, replay) {
            self.recipes.remove(id);
        }
    }

    /// Adds the violations of a job. `recipe` says what to run to see one again; a crash's is what
    /// led to it.
    pub fn absorb_violations(
        &mut self,
        run: &JobRun,
        judgement: &Judgement,
        recipe: impl Fn(&Verdict) -> Option<Vec<Test>>,
    ) {
        for verdict in judgement.verdicts.iter().filter(|v| v.outcome == Outcome::Violation) {
            let recipe = |verdict: &Verdict| match &verdict.evidence {
                Evidence::Signal { turn, .. } => crash_recipe(run, *turn),
                _ => recipe(verdict),
            };
            if let Some(id) = self.findings.add(run.job.slot, verdict)
                && let Some(recipe) = recipe(verdict)
            {
                self.recipes.insert(id, recipe);
            }
        }
    }
}

/// What to run to see the violation of a stored verdict again. `run` is the job it was said of.
pub fn recipe(run: &JobRun, verdict: &Verdict) -> Vec<Test> {
    match (&run.job.work, &verdict.evidence) {
        (_, Evidence::Deviation(deviation)) => deviation.tests(),
        (_, Evidence::Signal { turn, .. }) => crash_recipe(run, *turn).unwrap_or_default(),
        (Work::Batch(batch), _) => batch.reduced_to(verdict.test),
        (Work::Explore(_) | Work::Weigh(_), _) => run.as_tests(),
    }
}

/// The events from the last reset up to a turn of the job, without those that failed.
fn crash_recipe(run: &JobRun, turn: u32) -> Option<Vec<Test>> {
    let turns = run.turns.get(..=turn as usize)?;
    let reset = turns.iter().rposition(|turn| turn.act == Act::Reset)?;
    let performed = turns.iter().skip(reset).filter(|turn| turn.observation.seen().is_some());
    let events = performed.filter_map(|turn| match &turn.act {
        Act::Perform(event) => Some(event.clone()),
        Act::Reset | Act::Finish(_) => None,
    });
    Some(vec![Test { role: Role::Seed, events: events.collect() }])
}
