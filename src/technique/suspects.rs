//! Suspected bugs with what to run to see them again.

use std::collections::BTreeMap;

use super::claims::{Claims, Waiting};
use super::findings::{Findings, Replay};
use super::inquiry::Inquiry;
use super::ledger::Ledger;
use super::recipe;
use super::shrink::{Representatives, shape};
use droidmux_record::{
    Batch, Evidence, ExperimentKind, Finding, FindingId, Funnel, JobRun, Judgement, Layouts, Outcome,
    Purpose, Shrunk, Slot, Test, Verdict, Work, events_of, events_told,
};

/// The findings of a session and, for those not settled, their recipes; and what rests on claims that lack support.
#[derive(Clone, Debug)]
pub struct Suspects {
    pub findings: Findings,
    recipes: BTreeMap<FindingId, Vec<Test>>,
    claims: Claims,
    inquiry: Inquiry,
    representatives: Representatives,
    /// Percent of the session's events that experiments and shrinking may take together.
    share: u32,
    /// Events of it that are planned.
    planned: u64,
}

impl Suspects {
    /// No suspects yet; `share` is the percentage of the session's events that experiments on confirmed findings and
    /// the shrinking of their tests may take.
    pub fn new(findings: Findings, share: u32) -> Self {
        Self {
            findings,
            recipes: BTreeMap::new(),
            claims: Claims::default(),
            inquiry: Inquiry::default(),
            representatives: Representatives::default(),
            share,
            planned: 0,
        }
    }

    /// The same without shrinking or experiments.
    pub fn without_shrinking(self) -> Self {
        Self { share: 0, ..self }
    }

    /// The replay that matters most, else the experiment that does, else a shorter version of what stands for a
    /// cluster; `None` when none is wanted or the budget has no room for it.
    pub fn confirmation(&mut self, ledger: &Ledger) -> Option<Work> {
        while let Some((id, round)) = self.findings.next_replay() {
            let id = id.clone();
            let tests = self.recipes.get(&id).cloned().unwrap_or_default();
            if tests.is_empty() {
                self.findings.cannot_replay(&id);
                continue;
            }
            if !ledger.can_confirm(events_of(&tests)) {
                return None;
            }
            self.findings.replay_planned(&id);
            return Some(Work::Batch(Batch { purpose: Purpose::Confirm { finding: id, round }, tests }));
        }
        let most = ledger.share(self.share);
        let fits = |events: u64| self.planned + events <= most && ledger.can_confirm(events);
        let work = self.inquiry.next(&self.findings, fits).or_else(|| {
            // What is found later wants its experiments, too.
            let room = (most / 2).saturating_sub(self.planned).min(ledger.left());
            self.shorter(room)
        })?;
        self.planned += work.events();
        Some(work)
    }

    /// A shorter version of a finding that stands for its cluster and on which all experiments are made.
    fn shorter(&mut self, room: u64) -> Option<Work> {
        if room == 0 {
            return None;
        }
        let standing = self.findings.standing();
        let settled = standing.iter().filter(|id| !self.inquiry.is_open(id));
        let known = settled.filter_map(|id| {
            let confirmation = self.findings.get(id)?.confirmation;
            Some((id, confirmation, self.recipes.get(id)?.as_slice()))
        });
        self.representatives.next(known, room)
    }

    /// What the session shortened the tests of its findings to.
    pub fn shrunk(&self) -> Vec<Shrunk> {
        self.representatives.shrunk(self.findings.session())
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

    /// Takes in a job that was about a finding; false when it was not.
    pub fn absorb(&mut self, run: &JobRun, judgement: &Judgement) -> bool {
        let Work::Batch(Batch { purpose, tests }) = &run.job.work else { return false };
        match purpose {
            Purpose::Confirm { finding, .. } => self.replayed(finding, tests, run, judgement),
            Purpose::Examine { finding, kind } => self.examined(finding, *kind, run, judgement),
            Purpose::Shrink { finding, round } => self.shortened(finding, *round, run, judgement),
            _ => return false,
        }
        true
    }

    fn replayed(&mut self, id: &FindingId, tests: &[Test], run: &JobRun, judgement: &Judgement) {
        let Some(key) = self.key(id) else { return };
        if let Some(shown) = judgement.violations_of(&key).next() {
            self.findings.replayed_with(id, &shown.experiments);
        }
        // The tests of one that is confirmed are to be shortened.
        if self.findings.replayed(id, Replay::read(&key, tests, run, judgement))
            && !self.findings.get(id).is_some_and(|finding| finding.confirmation.is_confirmed())
        {
            self.recipes.remove(id);
        }
    }

    fn examined(&mut self, id: &FindingId, kind: ExperimentKind, run: &JobRun, judgement: &Judgement) {
        let Some(key) = self.key(id) else { return };
        let experiments = self.inquiry.result((id, &key), kind, run, judgement);
        self.findings.examined(id, experiments);
    }

    fn shortened(&mut self, id: &FindingId, round: u32, run: &JobRun, judgement: &Judgement) {
        let known = self.findings.get(id).map(|finding| (finding.verdict.key.clone(), finding.verdict.harm));
        let Some((key, harm)) = known else { return };
        if let Some(tests) = self.representatives.absorb((id, &key), round, run, judgement) {
            self.findings.set_length(id, events_told(&tests).into());
            self.findings.set_shape(id, shape(harm, &tests));
        }
    }

    fn key(&self, id: &FindingId) -> Option<String> {
        self.findings.get(id).map(|finding| finding.verdict.key.clone())
    }

    /// How many findings no replay can change any more, out of how many, and their name: how far a
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

    /// Adds a violation with the tests that show it, whoever found it.
    pub fn suspect(&mut self, verdict: &Verdict, tests: Vec<Test>) {
        self.add(verdict.slot, verdict, || tests);
    }

    fn add(&mut self, slot: Slot, verdict: &Verdict, tests: impl FnOnce() -> Vec<Test>) {
        if let Some(id) = self.findings.add(slot, verdict) {
            let tests = tests();
            self.findings.set_length(&id, events_told(&tests).into());
            self.recipes.insert(id, tests);
        }
    }
}
