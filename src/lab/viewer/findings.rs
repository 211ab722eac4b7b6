//! The list of findings, and people's marks on them.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use crate::{Lab, triage};
use droidmux_proto::{FindingMark, FindingView, Reply};
use droidmux_record::{Finding, FindingId, FindingState, SessionId};
use droidmux_store::{Store, StoreError};
use droidmux_technique::explanation;

pub(super) fn list(store: &Store) -> Result<Reply, StoreError> {
    Ok(Reply::Findings(finding_views(store)?))
}

/// Stores what a person says about a finding, and gives the list as it is then.
pub(super) fn mark(
    lab: &Lab,
    finding: &FindingId,
    state: FindingState,
    note: &str,
) -> Result<Reply, StoreError> {
    lab.store.mark(finding, state, note)?;
    count_true(lab, finding.session)?;
    list(&lab.store)
}

/// The same for several findings.
pub(super) fn mark_all(lab: &Lab, marks: &[FindingMark]) -> Result<Reply, StoreError> {
    for FindingMark { finding, state, note } in marks {
        lab.store.mark(finding, *state, note)?;
    }
    let sessions: BTreeSet<SessionId> = marks.iter().map(|mark| mark.finding.session).collect();
    for session in sessions {
        count_true(lab, session)?;
    }
    list(&lab.store)
}

/// Tells the lab's view how many findings of a session are marked true.
fn count_true(lab: &Lab, session: SessionId) -> Result<(), StoreError> {
    lab.hub.marked(session, lab.store.marked_true(session)?);
    Ok(())
}

/// The lines of all findings.
fn finding_views(store: &Store) -> Result<Vec<FindingView>, StoreError> {
    let all = triage::findings(store, None)?;
    let members = triage::members(&all);
    let mut replayed = BTreeMap::new();
    for finding in &all {
        let session = finding.id.session;
        if let Entry::Vacant(entry) = replayed.entry(session) {
            let definition = store.session(session)?.map(|record| record.definition);
            entry.insert(definition.and_then(|definition| definition.replayed().cloned()));
        }
    }
    let views = all.iter().zip(members).map(|(finding, members)| {
        finding_view(finding, members, replayed.get(&finding.id.session).cloned().flatten())
    });
    Ok(views.collect())
}

/// The line of a finding in lists, with how many others it stands for, and which finding its session ran again.
pub(crate) fn finding_view(finding: &Finding, members: u64, replays: Option<FindingId>) -> FindingView {
    FindingView {
        id: finding.id.clone(),
        rank: finding.rank,
        tier: finding.tier,
        harm: finding.verdict.harm,
        explanation: explanation(finding).unwrap_or_default().to_owned(),
        cluster: finding.cluster.clone(),
        members,
        technique: finding.technique.clone(),
        app: finding.app.clone(),
        oracle: finding.verdict.oracle.clone(),
        title: finding.verdict.title.clone(),
        occurrences: finding.occurrences,
        confirmation: finding.confirmation,
        state: finding.state,
        hints: finding.verdict.hints.iter().map(|hint| hint.cause.clone()).collect(),
        note: finding.note.clone(),
        replays,
    }
}
