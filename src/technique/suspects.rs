//! Suspected bugs with what to run to see them again.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::claims::{Claims, Kind, claim_of};
use super::findings::{Findings, Replay};
use super::inquiry::Inquiry;
use super::ledger::Ledger;
use super::questions::Questions;
use super::recipe::recipe;
use super::shrink::{Representatives, shape};
use super::ways::{Ways, Weight};
use droidmux_record::{
    Batch, Evidence, ExperimentKind, Finding, FindingId, Funnel, JobRun, Judgement, Layouts, Outcome,
    Purpose, Role, Shrunk, Slot, Test, Verdict, Work, events_of, events_told,
};

/// The findings of a session and, for those not settled, their recipes; and what rests on claims that lack support.
#[derive(Clone, Debug)]
pub struct Suspects {
    pub findings: Findings,
    recipes: BTreeMap<FindingId, Ways>,
    /// Nothing is shrunk: the shortest of what was seen is replayed.
    as_seen: bool,
    claims: Claims,
    questions: Arc<Questions>,
    inquiry: Inquiry,
    representatives: Representatives,
    /// Percent of the session's events that experiments and shrinking may take together.
    share: u32,
    /// Events of it that are planned.
    planned: u64,
}

/// The most findings that rest on what was counted of the app.
const MOST_OF_COUNTS: usize = 300;

impl Suspects {
    /// No suspects yet; `share` is the percentage of the session's events that experiments on confirmed findings and
    /// the shrinking of their tests may take.
    pub fn new(findings: Findings, share: u32) -> Self {
        Self {
            findings,
            recipes: BTreeMap::new(),
            as_seen: false,
            claims: Claims::default(),
            questions: Arc::default(),
            inquiry: Inquiry::default(),
            representatives: Representatives::default(),
            share,
            planned: 0,
        }
    }

    /// The same without shrinking or experiments.
    pub fn without_shrinking(self) -> Self {
        Self { share: 0, as_seen: true, ..self }
    }

    /// The replay that matters most, else the experiment that does, else a shorter version of what stands for a
    /// cluster; `None` when none is wanted or the budget has no room for it.
    pub fn confirmation(&mut self, ledger: &Ledger) -> Option<Work> {
        if let Some(replay) = self.replay(ledger) {
            return Some(replay);
        }
        if !self.as_seen && self.findings.next_replay().is_some() {
            return None;
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

    /// The replay that matters most; where the tests are as long as they were seen, the first that the budget has room for.
    fn replay(&mut self, ledger: &Ledger) -> Option<Work> {
        let wanted: Vec<FindingId> = self.findings.replays().into_iter().cloned().collect();
        for id in wanted {
            // One replay for what two oracles say of one step.
            let id = self.findings.judged_with(&id).cloned().unwrap_or(id);
            let Some(ways) = self.recipes.get_mut(&id).filter(|ways| !ways.present().is_empty()) else {
                self.findings.cannot_replay(&id);
                continue;
            };
            let fits = ledger.can_confirm(events_of(ways.present()));
            if !self.as_seen && !fits {
                return None;
            }
            if !fits || !ways.is_free() {
                continue;
            }
            let Some(round) = self.findings.replay_planned(&id) else { continue };
            ways.begin();
            let (tests, finding) = (ways.present().to_vec(), id);
            return Some(Work::Batch(Batch { purpose: Purpose::Confirm { finding, round }, tests }));
        }
        None
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
            Some((id, confirmation, self.recipes.get(id)?.present()))
        });
        self.representatives.next(known, room)
    }

    /// What the session shortened the tests of its findings to.
    pub fn shrunk(&self) -> Vec<Shrunk> {
        self.representatives.shrunk(self.findings.session())
    }

    /// Takes in a job that was about a finding; false when it was not.
    pub fn absorb(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) -> bool {
        let Work::Batch(Batch { purpose, tests }) = &run.job.work else { return false };
        match purpose {
            Purpose::Confirm { finding, .. } => self.replayed(finding, tests, run, judgement),
            Purpose::Examine { finding, kind } => self.examined(finding, *kind, (run, judgement), layouts),
            Purpose::Shrink { finding, round } => self.shortened(finding, *round, run, judgement),
            _ => return false,
        }
        true
    }

    /// Events that replays of the findings so far may still take.
    pub fn owed(&self) -> u64 {
        let owed = |(id, times)| self.recipes.get(id).map_or(0, |ways| ways.owed(times));
        self.findings.wanted().map(owed).sum()
    }

    fn replayed(&mut self, id: &FindingId, tests: &[Test], run: &JobRun, judgement: &Judgement) {
        let Some(key) = self.key(id) else { return };
        let replay = Replay::read(&key, tests, run, judgement);
        self.share(id, tests, judgement);
        let weight = self.recipes.get_mut(id).map_or(Weight::Full, |ways| ways.replayed(tests, replay));
        match weight {
            Weight::None => return self.findings.replay_void(id),
            Weight::Aside => return self.findings.replayed_aside(id, replay),
            Weight::Full => {}
        }
        if replay == Replay::Shown && self.as_seen {
            self.findings.set_length(id, events_told(tests).into());
        }
        if let Some(shown) = judgement.violations_of(&key).next() {
            self.findings.replayed_with(id, &shown.experiments);
        }
        // The tests of one that is confirmed are to be shortened.
        if self.findings.replayed(id, replay)
            && !(self.as_seen && self.findings.prolong(id))
            && !self.findings.get(id).is_some_and(|finding| finding.confirmation.is_confirmed())
        {
            self.recipes.remove(id);
        }
    }

    /// A replay of a function that shows another finding by the way is one of that finding, too.
    fn share(&mut self, id: &FindingId, tests: &[Test], judgement: &Judgement) {
        if !tests.iter().any(|test| matches!(test.role, Role::Toured(_))) {
            return;
        }
        let mut shown: Vec<FindingId> = Vec::new();
        for verdict in judgement.verdicts.iter().filter(|verdict| verdict.outcome == Outcome::Violation) {
            let open = |finding: &&Finding| finding.id != *id && !finding.confirmation.is_settled();
            let known = self.findings.of_verdict(verdict).filter(open);
            shown.extend(known.map(|other| other.id.clone()).filter(|other| !shown.contains(other)));
        }
        for other in shown {
            self.findings.replay_planned(&other);
            if self.findings.replayed(&other, Replay::Shown) && self.as_seen {
                self.findings.prolong(&other);
            }
        }
    }

    fn examined(
        &mut self,
        id: &FindingId,
        kind: ExperimentKind,
        (run, judgement): (&JobRun, &Judgement),
        layouts: &dyn Layouts,
    ) {
        let Some(key) = self.key(id) else { return };
        let experiments = self.inquiry.result((id, &key), kind, (run, judgement), layouts);
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

    /// Adds the violations of a job, with what is to be run to see each again, and weighs what rests on claims by all
    /// that was counted so far: a claim may be supported later than it is contradicted.
    /// `shorter` proposes shortened tests that may show a violation, too, the shortest first.
    pub fn absorb_violations(
        &mut self,
        run: &JobRun,
        judgement: &Judgement,
        layouts: &dyn Layouts,
        shorter: &dyn Fn(&Verdict) -> Vec<Vec<Test>>,
    ) {
        self.claims.count(judgement);
        self.ask(run, judgement, layouts);
        for verdict in judgement.verdicts.iter().filter(|v| v.outcome == Outcome::Violation) {
            let counted = claim_of(verdict).is_some_and(|claim| Kind::of(claim) != Kind::Promise);
            if counted && (self.claims.is_nothing_yet(verdict) || !self.may_suspect(&verdict.key)) {
                continue;
            }
            if let Some(id) = self.add(run.job.slot, verdict, || (recipe(run, verdict), shorter(verdict))) {
                self.inquiry.consider(&id, run, verdict, layouts);
            }
        }
        self.findings.weigh(&self.claims);
    }

    /// Keeps which controls did nothing on too few screens, and forgets those that are settled.
    fn ask(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        let questions = Arc::make_mut(&mut self.questions);
        for verdict in judgement.verdicts.iter().filter(|v| v.outcome == Outcome::Violation) {
            if let Evidence::Broken(broken) = &verdict.evidence
                && let Some(claim) = broken.claim.as_ref().filter(|claim| self.claims.is_open(claim))
            {
                questions.open(claim, run, broken, layouts);
            }
        }
        questions.close(&self.claims);
    }

    /// What did nothing so far, on too few screens to say that it never does.
    pub fn questions(&self) -> Arc<Questions> {
        self.questions.clone()
    }

    /// Whether another finding may rest on counts: an app may contradict a great many habits that it has by chance.
    fn may_suspect(&self, key: &str) -> bool {
        self.findings.of_key(key).is_some() || self.findings.of_counts() < MOST_OF_COUNTS
    }

    /// Adds a violation with the tests that show it, whoever found it.
    pub fn suspect(&mut self, verdict: &Verdict, tests: Vec<Test>) {
        self.add(verdict.slot, verdict, || (tests, Vec::new()));
    }

    /// The finding, if it is to be seen again by these tests from now on.
    fn add(
        &mut self,
        slot: Slot,
        verdict: &Verdict,
        tests: impl FnOnce() -> (Vec<Test>, Vec<Vec<Test>>),
    ) -> Option<FindingId> {
        let added = self.findings.add(slot, verdict);
        if added.is_none() && !self.as_seen {
            return None;
        }
        let (tests, shorter) = tests();
        let events = events_told(&tests).into();
        let id = added.or_else(|| self.findings.shorter(verdict, events))?;
        self.findings.set_length(&id, events);
        self.recipes.insert(id.clone(), Ways::new(tests, shorter));
        Some(id)
    }
}

#[cfg(test)]
mod tests;
