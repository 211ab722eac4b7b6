//! Sessions that ended before this lab began, shown to viewers from the store.
//!
//! In: a session's record, judgements and logs. Out: the same view that a session of this lab leaves behind.
//! Nothing runs, and nothing is written.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::exchange_view::asked;
use super::hub::Resumed;
use super::session::first_view;
use super::viewer::steps;
use super::{Gate, Lab, triage};
use droidmux_proto::{SessionState, SessionView};
use droidmux_record::{Phase, Progress, SessionId, SessionRecord, TierCounts};
use droidmux_store::StoreError;

/// Steps shown with a session.
const RECENT: u32 = 12;

/// Shows a session of the store among the lab's; does nothing if it is already shown.
pub(super) fn open(lab: &Lab, id: SessionId) -> Result<(), StoreError> {
    if lab.hub.gate(id).is_some() {
        return Ok(());
    }
    let (store, hub) = (&lab.store, &lab.hub);
    let record = store.session(id)?.ok_or(StoreError::NoSession(id))?;
    let count = store.step_count(id)?;
    let places = store.steps(id, count.saturating_sub(RECENT.into()), RECENT)?;
    let recent = steps(store, hub, id, &places)?;
    let last = recent.last().map_or(0, |step| step.at_ms.saturating_add(step.took_ms.into()));
    let mut verdicts = Vec::new();
    for job in store.jobs(id) {
        let slot = job?.slot;
        if let Some(judgement) = store.judgement(id, slot)? {
            verdicts.push((slot, judgement.verdicts.len()));
        }
    }
    verdicts.sort_unstable();
    let (asked, spent) = asked(store, id)?;
    let past = Resumed {
        steps: count,
        recent,
        verdicts,
        asked,
        spent,
        findings: TierCounts::of(&triage::findings(store, Some(id))?),
        marked_true: store.marked_true(id)?,
    };
    let view = view(id, &record, count);
    let under_way = Duration::from_millis(record.under_way_ms(last.max(record.started_ms)));
    hub.session_over(view, Gate::new(CancellationToken::new()), past, under_way);
    Ok(())
}

fn view(id: SessionId, record: &SessionRecord, steps: u64) -> SessionView {
    let words = if record.over { "it came to its end" } else { "it can be gone on with" };
    let progress = Progress {
        phase: Phase::new("ended", words),
        events: steps,
        max_events: record.definition.run.max_events,
        ..Progress::default()
    };
    let state = if record.over { SessionState::Done } else { SessionState::Stopped };
    SessionView { state, resumable: !record.over, ..first_view(id, &record.definition, record.rng, progress) }
}
