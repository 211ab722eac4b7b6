//! Which oracles agree with a finding, judging by what is stored: rechecks of the sessions it is about, and what
//! oracles said of the same jobs when they were run.

use std::collections::{BTreeMap, BTreeSet};

use droidmux_record::{
    Evidence, Finding, JobRun, Objection, Outcome, Recheck, SessionId, Slot, TracePlace, Verdict,
};
use droidmux_store::{Store, StoreError};
use droidmux_technique::recheck::{agreeing, finding_places, place_of};

/// Jobs of one finding whose judgements are looked at.
const MOST_JOBS: usize = 100;

/// Looks up agreement, reading each session's rechecks once.
pub struct Agreement<'s> {
    store: &'s Store,
    rechecks: BTreeMap<SessionId, Vec<Recheck>>,
}

impl<'s> Agreement<'s> {
    /// Reads nothing until it is asked for.
    pub fn new(store: &'s Store) -> Self {
        Self { store, rechecks: BTreeMap::new() }
    }

    /// The oracles besides its own that agree with a finding, sorted.
    ///
    /// # Errors
    /// Those of the store.
    pub fn with(&mut self, finding: &Finding) -> Result<BTreeSet<String>, StoreError> {
        let run = match finding.verdict.evidence {
            Evidence::Signal { .. }
            | Evidence::Breach(_)
            | Evidence::Mistreated(_)
            | Evidence::Mismatch(_) => self.store.run(finding.id.session, finding.verdict.slot)?,
            _ => None,
        };
        let places = finding_places(finding, run.as_ref());
        let sessions: BTreeSet<SessionId> = places.iter().map(|place| place.session).collect();
        let mut agree = self.when_run(finding, &places)?;
        for session in sessions {
            let store = self.store;
            let known = match self.rechecks.entry(session) {
                std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
                std::collections::btree_map::Entry::Vacant(new) => new.insert(store.rechecks(session)?),
            };
            agree.extend(agreeing(finding, &places, known.iter().flat_map(|recheck| &recheck.violations)));
        }
        Ok(agree)
    }

    /// What the oracles of a session said when its jobs were run.
    fn when_run(&self, finding: &Finding, places: &[TracePlace]) -> Result<BTreeSet<String>, StoreError> {
        let jobs: BTreeSet<(SessionId, Slot)> =
            places.iter().map(|place| (place.session, place.slot)).collect();
        let mut agree = BTreeSet::new();
        for (session, slot) in jobs.into_iter().take(MOST_JOBS) {
            let Some(judgement) = self.store.judgement(session, slot)? else { continue };
            let others = judgement.verdicts.into_iter().filter(|verdict| {
                verdict.outcome == Outcome::Violation && verdict.oracle != finding.verdict.oracle
            });
            let others: Vec<Verdict> = others.collect();
            if others.is_empty() {
                continue;
            }
            let run: Option<JobRun> = self.store.run(session, slot)?;
            let objections = others.into_iter().map(|verdict| {
                let place = place_of(session, &verdict, run.as_ref());
                Objection { verdict, places: vec![place] }
            });
            agree.extend(agreeing(finding, places, &objections.collect::<Vec<_>>()));
        }
        Ok(agree)
    }
}
