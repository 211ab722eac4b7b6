//! Logs, a page at a time: steps, verdicts, exchanges with language models, and what the lab wrote.
//!
//! In: the first row and how many are wanted. Out: as many of them as there are, and never more than one request may
//! have.

use std::collections::BTreeMap;

use crate::exchange_view::exchange_lines;
use crate::step_view::step_view;
use crate::traces::Page;
use crate::{Hub, Lab};
use droidmux_gui::LayoutHash;
use droidmux_proto::{Lens, LogLens, Reply, StepView, VerdictView};
use droidmux_record::{Act, Agent, Observation, SessionId, StepPlace, Turn};
use droidmux_store::{Store, StoreError};

/// Most items one request gives.
const MOST: u32 = 1_000;

pub(super) fn of_steps(lab: &Lab, session: SessionId, from: u64, limit: u32) -> Result<Reply, StoreError> {
    let places = lab.store.steps(session, from, limit.min(MOST))?;
    let steps = steps(&lab.store, &lab.hub, session, &places)?;
    Ok(Reply::Steps { session, from, steps })
}

pub(super) fn of_verdicts(lab: &Lab, session: SessionId, from: u64, limit: u32) -> Result<Reply, StoreError> {
    let verdicts = verdicts(&lab.store, &lab.hub, session, from, limit.min(MOST))?;
    Ok(Reply::Verdicts { session, from, verdicts })
}

pub(super) fn of_exchanges(
    lab: &Lab,
    session: SessionId,
    agent: Option<Agent>,
    from: u64,
    limit: u32,
) -> Result<Reply, StoreError> {
    let numbers = lab.hub.exchanges(session, agent, from, limit.min(MOST));
    let exchanges = exchange_lines(&lab.store, session, &numbers)?;
    Ok(Reply::Exchanges { session, agent, from, exchanges })
}

/// The steps that a lens lets through, with their rows among these.
pub(super) fn of_trace(
    lab: &Lab,
    session: SessionId,
    lens: &Lens,
    from: u64,
    limit: u32,
) -> Result<Reply, StoreError> {
    let Page { len, looked, rows } = lab.traces.page(&lab.store, session, lens, from, limit.min(MOST))?;
    let places: Vec<_> = rows.iter().map(|(_, seq, place)| (*seq, place.clone())).collect();
    let row_of: BTreeMap<u64, u64> = rows.iter().map(|(row, seq, _)| (*seq, *row)).collect();
    let views = steps(&lab.store, &lab.hub, session, &places)?.into_iter();
    let steps = views.filter_map(|step| Some((*row_of.get(&step.seq)?, step))).collect();
    Ok(Reply::Trace { session, lens: lens.clone(), from, len, looked, steps })
}

pub(super) fn of_log(hub: &Hub, lens: &LogLens, from: u64, limit: u32) -> Reply {
    let (len, written, rows) = hub.log_page(lens, from, limit.min(MOST));
    Reply::Log { lens: lens.clone(), from, len, written, rows }
}

/// Steps of a session's log as viewers see them.
pub(crate) fn steps(
    store: &Store,
    hub: &Hub,
    session: SessionId,
    places: &[(u64, StepPlace)],
) -> Result<Vec<StepView>, StoreError> {
    let mut views = Vec::with_capacity(places.len());
    for (seq, place) in places {
        let Some(job) = store.job(session, place.slot)? else { continue };
        let Some(turn) = store.turn(session, place.slot, place.attempt, place.turn)? else { continue };
        let before = layout_before(store, session, place)?;
        if let Some(view) = step_view(&job, *seq, place, &turn, before) {
            let own = match (view.screenshot, view.layout) {
                (None, Some(layout)) => store.picture_of(session, layout)?,
                (taken, _) => taken,
            };
            let screenshot = own.or_else(|| hub.screenshot(view.layout));
            views.push(StepView { screenshot, ..view });
        }
    }
    Ok(views)
}

/// The layout a turn acted on: that of the last turn before it on the device.
fn layout_before(
    store: &Store,
    session: SessionId,
    place: &StepPlace,
) -> Result<Option<LayoutHash>, StoreError> {
    for number in (0..place.turn).rev() {
        match store.turn(session, place.slot, place.attempt, number)? {
            Some(Turn { act: Act::Consult(_), .. }) => {}
            turn => return Ok(turn.and_then(|turn| layout_of(&turn))),
        }
    }
    Ok(None)
}

fn layout_of(turn: &Turn) -> Option<LayoutHash> {
    match &turn.observation {
        Observation::Seen(seen) => Some(seen.screen.layout),
        _ => None,
    }
}

fn verdicts(
    store: &Store,
    hub: &Hub,
    session: SessionId,
    from: u64,
    limit: u32,
) -> Result<Vec<VerdictView>, StoreError> {
    let mut views = Vec::new();
    for (seq, slot, number) in hub.verdicts(session, from, limit) {
        let Some(judgement) = store.judgement(session, slot)? else { continue };
        let Some(verdict) = judgement.verdicts.into_iter().nth(number) else { continue };
        let outcome = verdict.outcome.name();
        let title = verdict.outcome.why().map_or(verdict.title.clone(), str::to_owned);
        let (test, oracle, key) = (verdict.test, verdict.oracle, verdict.key);
        views.push(VerdictView { seq, slot, test, oracle, outcome: outcome.into(), title, key });
    }
    Ok(views)
}
