//! Suspected bugs with what to run to see them again.

use std::collections::BTreeMap;

use super::claims::{Claims, Waiting};
use super::findings::{Findings, Replay};
use super::inquiry::Inquiry;
use super::ledger::Ledger;
use super::recipe;
use crate::record::{
    Batch, Evidence, ExperimentKind, Finding, FindingId, Funnel, JobRun, Judgement, Layouts, Outcome,
    Purpose, Slot, Test, Verdict, Work, events_told,
};

/// The findings of a session and, for those not settled, their recipes; and what rests on claims that lack support.
#[derive(Clone, Debug)]
pub struct Suspects {
    pub findings: Findings,
    recipes: BTreeMap<FindingId, Vec<Test>>,
    claims: Claims,
    inquiry: Inquiry,
}

impl Suspects {
    /// No suspects yet; `experiments` is the percentage of the session's events that experiments on confirmed
    /// findings may take.
    pub fn new(findings: Findings, experiments: u32) -> Self {
        let (recipes, claims, inquiry) = (BTreeMap::new(), Claims::default(), Inquiry::new(experiments));
        Self { findings, recipes, claims, inquiry }
    }

    /// The replay that matters most, else the experiment that does; `None` when none is wanted or the budget has no
    /// room for it.
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
        self.inquiry.next(&self.findings, ledger)
    }

    /// Notes what experiments could be made on the findings that violations of a job stand for.
    pub fn inquire(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        for verdict in judgement.verdicts.iter().filter(|v| v.outcome == Outcome::Violation) {
            let stands = |finding: &&Finding| {
                (finding.verdict.slot, finding.verdict.test) == (verdict.slot, verdict.test)
            };
            let Some(finding) = self.findings.of_key(&verdict.key).filter(stands) else { continue };
            self.inquiry.consider(&finding.id, run, verdict, layouts);
        }
    }

    /// Takes in what an experiment came to.
    pub fn absorb_experiment(
        &mut self,
        id: &FindingId,
        kind: ExperimentKind,
        run: &JobRun,
        judgement: &Judgement,
    ) {
        let Some(key) = self.findings.get(id).map(|finding| finding.verdict.key.clone()) else { return };
        let experiments = self.inquiry.result((id, &key), kind, run, judgement);
        self.findings.examined(id, experiments);
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
        let shows = |verdict: &&Verdict| verdict.outcome == Outcome::Violation && verdict.key == known;
        if let Some(shown) = judgement.verdicts.iter().find(shows) {
            self.findings.replayed_with(id, &shown.experiments);
        }
        if self.findings.replayed(id, replay) {
            self.recipes.remove(id);
        }
    }

    /// How many findings no replay can change any more, of how many, and their name: how far a
    /// session is that only confirms.
    pub fn settled(&self) -> (u64, u64, &'static str) {
        let (all, open) = (self.findings.len() as u64, self.findings.unsettled() as u64);
        (all - open, all, "findings")
    }

    /// The funnel with its end, from findings to confirmed ones.
    pub fn funnel(&self, before: Funnel) -> Funnel {
        Funnel {
            distinct: self.findings.len() as u64,
            once_only: self.findings.once_only() as u64,
            confirmed: self.findings.confirmed() as u64,
            ..before
        }
    }

    /// Adds the violations of a job, with what is to be run to see each again. A counter-example of a claim is
    /// added once its claim has the support it needs, which may be later.
    pub fn absorb_violations(&mut self, run: &JobRun, judgement: &Judgement) {
        judgement.held.iter().for_each(|held| self.claims.hold(held));
        for verdict in judgement.verdicts.iter().filter(|v| v.outcome == Outcome::Violation) {
            let claim = match &verdict.evidence {
                Evidence::Broken(broken) => broken.claim.as_ref(),
                _ => None,
            };
            match claim {
                Some(claim) => {
                    let waiting = || Waiting { verdict: verdict.clone(), tests: recipe(run, verdict) };
                    self.claims.contradict(claim, &verdict.key, waiting);
                }
                None => self.add(run.job.slot, verdict, || recipe(run, verdict)),
            }
        }
        for Waiting { verdict, tests } in self.claims.supported() {
            self.add(verdict.slot, &verdict, || tests);
        }
    }

    fn add(&mut self, slot: Slot, verdict: &Verdict, tests: impl FnOnce() -> Vec<Test>) {
        if let Some(id) = self.findings.add(slot, verdict) {
            let tests = tests();
            self.findings.set_length(&id, events_told(&tests).into());
            self.recipes.insert(id, tests);
        }
    }
}
