//! Which findings get a second opinion, and what came of it.
//!
//! In: runs that show findings, the findings as they stand, the reviewer's opinions. Out: the next finding to be
//! reviewed, with the shortest run that shows it; findings with the opinions on them.

use std::collections::{BTreeMap, BTreeSet};

use super::review::{Opinion, Shown};
use super::shown::shown;
use crate::findings::regroup;
use crate::retier;
use droidmux_account::Veil;
use droidmux_record::{
    Evidence, Experiment, Finding, FindingId, JobRun, Judgement, Layouts, Outcome, Purpose, SessionId, Tier,
    TurnPlace, Verdict, Work,
};

/// The reviews of one session.
pub struct Reviews {
    session: SessionId,
    technique: String,
    /// Findings that may be reviewed.
    most: usize,
    /// The shortest run that shows a finding, and for the reader's own the verdict on it.
    shown: BTreeMap<FindingId, Shown>,
    verdicts: BTreeMap<FindingId, Verdict>,
    /// What the reviewer was asked about.
    asked: BTreeSet<FindingId>,
    opinions: BTreeMap<FindingId, Experiment>,
}

/// Findings of one key string: two of them may share a hash.
const NAMESAKES: u32 = 3;

impl Reviews {
    /// None yet, of a session of this technique.
    pub fn new(session: SessionId, technique: &str, most: u32) -> Self {
        Self {
            session,
            technique: technique.to_owned(),
            most: usize::try_from(most).unwrap_or(usize::MAX),
            shown: BTreeMap::new(),
            verdicts: BTreeMap::new(),
            asked: BTreeSet::new(),
            opinions: BTreeMap::new(),
        }
    }

    /// Keeps the account of a run that shows a finding, if it is the shortest one.
    pub fn keep(&mut self, run: &JobRun, judgement: &Judgement, veil: &Veil, layouts: &dyn Layouts) {
        let Work::Batch(batch) = &run.job.work else { return };
        let (Purpose::Confirm { finding, .. } | Purpose::Shrink { finding, .. }) = &batch.purpose else {
            return;
        };
        let mut violations =
            judgement.verdicts.iter().filter(|verdict| verdict.outcome == Outcome::Violation);
        let Some(verdict) = violations.find(|verdict| self.is_of(finding, verdict)) else { return };
        let events: usize = batch.tests.iter().map(|test| test.events.len()).sum();
        if self.shown.get(finding).is_some_and(|known| known.events <= events) {
            return;
        }
        self.shown.insert(finding.clone(), shown(run, verdict, events, veil, layouts));
        if verdict.oracle == super::ORACLE {
            self.verdicts.insert(finding.clone(), verdict.clone());
        }
    }

    fn is_of(&self, id: &FindingId, verdict: &Verdict) -> bool {
        let other = |taken| FindingId::other(self.session, &self.technique, &verdict.key, taken);
        (0..NAMESAKES).any(|taken| other(taken) == *id)
    }

    /// Whether another finding may be reviewed.
    pub fn has_room(&self) -> bool {
        self.asked.len() < self.most
    }

    /// The finding that is to be reviewed next: no replay changes it any more, it shows, and it is worth reading.
    /// Crashes speak for themselves.
    pub fn next(&mut self, findings: &[Finding]) -> Option<FindingId> {
        let wants = |finding: &&Finding| {
            (finding.confirmation.is_confirmed() || finding.confirmation.needed == 0)
                && matches!(finding.tier, Tier::Reported | Tier::Suspicious)
                && finding.is_representative()
                && !matches!(finding.verdict.evidence, Evidence::Signal { .. })
                && !self.asked.contains(&finding.id)
                && self.shown.contains_key(&finding.id)
        };
        let id = findings.iter().find(wants)?.id.clone();
        self.asked.insert(id.clone());
        Some(id)
    }

    /// The shortest run that shows a finding.
    pub fn shown(&self, id: &FindingId) -> Shown {
        self.shown.get(id).cloned().unwrap_or_default()
    }

    /// Takes in an opinion; `place` holds question and reply.
    pub fn opine(&mut self, id: &FindingId, opinion: Opinion, place: TurnPlace) {
        self.opinions.insert(id.clone(), opinion.into_experiment(place));
    }

    /// Findings of a technique and of the reader as one list, best rank first: those of the reader with the runs of their
    /// own session that show them best, all with the reviewer's word on them, in the tiers that follow.
    pub fn told_on(&self, technique: Vec<Finding>, mut reader: Vec<Finding>) -> Vec<Finding> {
        reader.iter_mut().for_each(|finding| self.with_run(finding));
        let mut all = technique;
        let known: BTreeSet<FindingId> = all.iter().map(|finding| finding.id.clone()).collect();
        all.extend(reader.into_iter().filter(|finding| !known.contains(&finding.id)));
        all.iter_mut().for_each(|finding| self.with_opinion(finding));
        all.sort_by_key(|finding| (finding.tier, finding.verdict.harm, finding.rank, finding.id.key));
        for (finding, rank) in all.iter_mut().zip(1..) {
            finding.rank = rank;
        }
        regroup(&mut all);
        all
    }

    fn with_run(&self, finding: &mut Finding) {
        if let Some(verdict) = self.verdicts.get(&finding.id) {
            let known = std::mem::replace(&mut finding.verdict, verdict.clone());
            finding.verdict.experiments.extend(known.experiments);
        }
    }

    fn with_opinion(&self, finding: &mut Finding) {
        if let Some(opinion) = self.opinions.get(&finding.id) {
            finding.verdict.experiments.push(opinion.clone());
        }
        retier(finding);
    }
}
