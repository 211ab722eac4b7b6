//! Rechecks: today's rules and other oracles on what a session of the store recorded, without a device.
//!
//! In: a session of the store, or one of its findings. Out: what the oracles say, stored with the session, and
//! its findings in the tiers of today's rules.
//!
//! Invariant: the findings of a session under way are its planner's: they are judged, but not put into other tiers.

mod stored;

pub use stored::StoredSession;

use std::sync::PoisonError;

use super::journal::now_ms;
use super::{Lab, triage};
use droidmux_proto::RecheckView;
use droidmux_record::{Finding, FindingId, Recheck, RecheckOracle, TierCounts};
use droidmux_store::{Store, StoreError};
use droidmux_technique::recheck::finding_places;

/// Why a finding is not rechecked.
#[derive(Debug, thiserror::Error)]
pub(super) enum RecheckError {
    /// There is no such finding.
    #[error("{0} is not in the store")]
    Unknown(FindingId),
    /// Somebody asked for the same a moment ago.
    #[error("{} is being rechecked already", .0.session)]
    UnderWay(FindingId),
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Lab {
    /// Rechecks the session of a finding with all oracles and says in words what that means for the finding. The longer
    /// the session, the longer this takes: must be called off the async workers.
    pub(super) fn recheck(&self, id: &FindingId) -> Result<String, RecheckError> {
        let _under_way = UnderWay::begin(self, id)?;
        let before = triage::finding(&self.store, id)?.map(|(finding, _)| finding);
        let before = before.ok_or_else(|| RecheckError::Unknown(id.clone()))?;
        let all_relations =
            |definition: &mut droidmux_record::SessionDefinition| definition.run.relations = None;
        let Some(session) = StoredSession::read(&self.store, id.session, all_relations)? else {
            return Err(RecheckError::Unknown(id.clone()));
        };
        for oracle in RecheckOracle::ALL {
            let said = Recheck { at_ms: now_ms(), ..session.recheck(oracle)? };
            self.store.put_recheck(id.session, &said)?;
        }
        if !self.hub.is_running(id.session) {
            let (_, now) = session.retiered()?;
            self.store.put_findings(&now)?;
        }
        let counts = TierCounts::of(&triage::findings(&self.store, Some(id.session))?);
        self.hub.findings(id.session, counts);
        let after = triage::finding(&self.store, id)?.map_or(before.clone(), |(finding, _)| finding);
        let words = told(&before, &after, &rechecks(&self.store, &after)?);
        self.hub.info(&id.session.to_string(), &format!("rechecked: {words}"));
        Ok(words)
    }
}

/// What oracles said later of the session of a finding, the finding's own among them.
pub(super) fn rechecks(store: &Store, finding: &Finding) -> Result<Vec<RecheckView>, StoreError> {
    let said = store.rechecks(finding.id.session)?;
    if said.is_empty() {
        return Ok(Vec::new());
    }
    let run = store.run(finding.id.session, finding.verdict.slot)?;
    let places = finding_places(finding, run.as_ref());
    let views = said.into_iter().map(|recheck| {
        let mut objected = recheck.violations.iter().flat_map(|objection| &objection.places);
        RecheckView {
            oracle: recheck.oracle.name().into(),
            at_ms: recheck.at_ms,
            judged: recheck.judged,
            unit: recheck.unit.clone(),
            violations: recheck.violations.len() as u64,
            agrees: objected.any(|other| places.iter().any(|place| place.meets(other))),
        }
    });
    Ok(views.collect())
}

fn told(before: &Finding, after: &Finding, rechecks: &[RecheckView]) -> String {
    let agree: Vec<&str> =
        rechecks.iter().filter(|recheck| recheck.agrees).map(|recheck| recheck.oracle.as_str()).collect();
    let agree = match agree.as_slice() {
        [] => "no oracle objects to it".to_owned(),
        [one] => format!("{one} objects to it"),
        several => format!("{} object to it", several.join(", ")),
    };
    let (was, is) = (before.tier.name(), after.tier.name());
    let tier = if was == is { format!("it stays {is}") } else { format!("it was {was} and is {is}") };
    format!("{}: {agree}; {tier}", after.id)
}

/// Marks that a session is being rechecked, until dropped.
struct UnderWay<'l>(&'l Lab, FindingId);

impl<'l> UnderWay<'l> {
    fn begin(lab: &'l Lab, id: &FindingId) -> Result<Self, RecheckError> {
        let mut rechecked = lab.rechecked.lock().unwrap_or_else(PoisonError::into_inner);
        match rechecked.insert(id.session) {
            true => Ok(Self(lab, id.clone())),
            false => Err(RecheckError::UnderWay(id.clone())),
        }
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.rechecked.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.1.session);
    }
}
