//! Findings as people are shown them.
//!
//! In: findings as sessions stored them, with people's marks. Out: the same with the tiers that follow, by
//! session, tier and rank.
//!
//! Invariant: a finding keeps the tier that its session or a recheck gave it, unless it has none (stores of
//! earlier formats know no tiers) or a person said something of it. Nothing is stored here.

use super::{Agreement, recheck};
use droidmux_proto::FindingDetail;
use droidmux_record::{Finding, FindingId, FindingState, JobRun, SessionId};
use droidmux_store::{Store, StoreError};
use droidmux_technique::findings::regroup;
use droidmux_technique::retier;

/// The findings of one session, or of all, in the order people read: by session, tier and rank.
///
/// # Errors
/// Those of the store.
pub fn findings(store: &Store, session: Option<SessionId>) -> Result<Vec<Finding>, StoreError> {
    let mut all = store.findings(session)?;
    for finding in &mut all {
        if finding.because.is_empty() || finding.state != FindingState::New {
            retier(finding);
        }
    }
    for session in all.chunk_by_mut(|a, b| a.id.session == b.id.session) {
        regroup(session);
    }
    all.sort_by_key(|finding| (finding.id.session, finding.tier, finding.rank, finding.id.key));
    Ok(all)
}

/// A finding, and the others that it stands for.
///
/// # Errors
/// Those of the store.
pub fn finding(store: &Store, id: &FindingId) -> Result<Option<(Finding, Vec<Finding>)>, StoreError> {
    let mut all = findings(store, Some(id.session))?;
    let Some(at) = all.iter().position(|finding| finding.id == *id) else { return Ok(None) };
    let finding = all.remove(at);
    all.retain(|other| other.cluster == *id);
    Ok(Some((finding, all)))
}

/// A finding with all that explains it.
///
/// # Errors
/// Those of the store.
pub fn detail(store: &Store, id: &FindingId) -> Result<Option<FindingDetail>, StoreError> {
    let Some((finding, others)) = self::finding(store, id)? else { return Ok(None) };
    let run: Option<JobRun> = store.run(id.session, finding.verdict.slot)?;
    let agrees = Agreement::new(store).with(&finding)?.into_iter().collect();
    let shrunk = store.shrunk(id)?;
    let members = others.into_iter().map(|member| (member.id, member.verdict.title)).collect();
    let rechecks = recheck::rechecks(store, &finding)?;
    Ok(Some(FindingDetail { finding, members, run, agrees, shrunk, rechecks }))
}

/// How many others each of these findings stands for, in their order.
pub fn members(findings: &[Finding]) -> Vec<u64> {
    let mut sizes = std::collections::BTreeMap::<&FindingId, u64>::new();
    for finding in findings.iter().filter(|finding| !finding.is_representative()) {
        *sizes.entry(&finding.cluster).or_default() += 1;
    }
    findings.iter().map(|finding| sizes.get(&finding.id).copied().unwrap_or(0)).collect()
}
