//! Incidents kept in the store, and the digest of what happened while nobody looked.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::queues::Queues;
use super::viewer::finding_view;
use super::{Hub, triage};
use droidmux_proto::{Digest, LogLevel, LogView};
use droidmux_record::{Incident, IncidentKind};
use droidmux_store::{Store, StoreError};

/// How many incidents are listed one by one; earlier ones are only counted.
const TOLD: usize = 200;
/// Incidents written in one go.
const AT_ONCE: usize = 256;

/// Writes incidents down until the lab is gone. Nothing waits for it: what comes faster than the disk can take is lost,
/// but the lab's log file still has it.
pub(super) async fn keep(store: Store, mut incidents: Receiver<Incident>, queues: Arc<Queues>) {
    loop {
        let first = match incidents.recv().await {
            Ok(incident) => incident,
            Err(RecvError::Lagged(lost)) => {
                tracing::warn!("{lost} incidents came faster than they could be written down");
                continue;
            }
            Err(RecvError::Closed) => return,
        };
        queues.incidents.saw(incidents.len().saturating_add(1));
        let mut batch = vec![first];
        while batch.len() < AT_ONCE
            && let Ok(incident) = incidents.try_recv()
        {
            batch.push(incident);
        }
        let store = store.clone();
        let written = tokio::task::spawn_blocking(move || store.put_incidents(&batch)).await;
        match written {
            Ok(Err(error)) => tracing::warn!("incidents could not be written down: {error}"),
            Err(error) => tracing::warn!("incidents could not be written down: {error}"),
            Ok(Ok(())) => {}
        }
    }
}

/// What happened since the last viewer left.
///
/// # Errors
/// When the store cannot be read.
pub(super) fn digest(store: &Store) -> Result<Digest, StoreError> {
    let incidents = store.incidents().collect::<Result<Vec<_>, _>>()?;
    let away = away(&incidents);
    let earlier = away.start > 0;
    let away = incidents.get(away).unwrap_or_default();
    let mut digest = Digest { since_ms: away.first().map_or(0, |first| first.at_ms), ..Digest::default() };
    let mut found = BTreeSet::new();
    let mut told = Vec::new();
    for (seq, incident) in (0..).zip(away) {
        let level = match &incident.what {
            IncidentKind::Began => {
                digest.restarted |= seq > 0 || earlier;
                continue;
            }
            IncidentKind::Found(id) => {
                found.insert(id.clone());
                continue;
            }
            IncidentKind::Ended(session, how) => {
                digest.ended.push((*session, how.clone()));
                continue;
            }
            IncidentKind::Came | IncidentKind::Left => continue,
            IncidentKind::Warning(text) => (LogLevel::Warn, text),
            IncidentKind::Error(text) => (LogLevel::Error, text),
        };
        let (level, text) = (level.0, level.1.clone());
        let source = incident.source.clone();
        told.push(LogView { seq, at_ms: incident.at_ms, level, source, text });
    }
    digest.more_incidents = told.len().saturating_sub(TOLD) as u64;
    digest.incidents = told.split_off(told.len().saturating_sub(TOLD));
    for id in found {
        // A finding of a session that was removed meanwhile is no longer listed.
        let found = triage::finding(store, &id)?;
        digest
            .findings
            .extend(found.map(|(finding, others)| finding_view(&finding, others.len() as u64, None)));
    }
    digest.findings.sort_by_key(|finding| (finding.tier, finding.rank));
    Ok(digest)
}

/// The incidents since the last viewer left, which is the first of them. If somebody was looking until the server
/// ended, those since the next one began; if nobody ever left, all of them.
fn away(incidents: &[Incident]) -> Range<usize> {
    // The viewer that asks has just come.
    let end = match incidents.iter().rposition(|incident| incident.what == IncidentKind::Came) {
        Some(last) if incidents[last..].iter().all(|incident| incident.what != IncidentKind::Left) => last,
        _ => incidents.len(),
    };
    let before = incidents.get(..end).unwrap_or_default();
    let turned =
        before.iter().rposition(|incident| matches!(incident.what, IncidentKind::Came | IncidentKind::Left));
    match turned {
        None => 0..end,
        Some(at) if before[at].what == IncidentKind::Left => at..end,
        Some(at) => {
            let began = before[at..].iter().position(|incident| incident.what == IncidentKind::Began);
            began.map_or(end, |began| at + began)..end
        }
    }
}

impl Hub {
    /// A session ended: says so in the log and to those who follow incidents.
    pub(super) fn ended(&self, session: droidmux_record::SessionId, how: &str) {
        self.info(&session.to_string(), how);
        self.happened(&session.to_string(), IncidentKind::Ended(session, how.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_away_begins_where_somebody_last_looked() {
        use IncidentKind::{Began, Came, Left};
        let x = || IncidentKind::Warning("x".into());
        // What happened, and how many incidents of the end belong to the time away.
        let cases: [(Vec<IncidentKind>, usize); 8] = [
            (vec![], 0),
            (vec![Began, x(), x()], 3),
            (vec![Began, x(), Came], 2),
            (vec![Began, Came, x(), Left, x(), x()], 3),
            (vec![Began, Came, x(), Left, x(), x(), Came], 3),
            // Killed while somebody looked, started again by whoever comes now.
            (vec![Began, Came, x(), Began, x(), Came], 2),
            // Killed and started again while nobody looked.
            (vec![Began, Came, Left, x(), Began, x(), Came, x()], 4),
            (vec![Began, Came, x()], 1),
        ];
        for (what, expected) in cases {
            let incidents: Vec<Incident> = (1..)
                .zip(what.clone())
                .map(|(at_ms, what)| Incident { at_ms, source: String::new(), what })
                .collect();
            assert_eq!(away(&incidents).len(), expected, "{what:?}");
        }
    }
}
