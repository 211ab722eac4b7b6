//! The rows of logs at which something is found.

use crate::exchange_view::find_exchange;
use crate::{Hub, Lab};
use droidmux_proto::{Lens, LogLens, Reply, Sought};
use droidmux_record::{Agent, Outcome, SessionId, Slot, TurnPlace};
use droidmux_store::{Store, StoreError};

/// The exchange nearest to a row whose prompt or reply contains a text.
pub(super) fn with_exchange(
    lab: &Lab,
    (session, agent): (SessionId, Option<Agent>),
    (from, backwards): (u64, bool),
    text: &str,
) -> Result<Reply, StoreError> {
    let numbers = lab.hub.exchanges(session, agent, 0, u32::MAX);
    let from = usize::try_from(from).unwrap_or(usize::MAX);
    let rows = if backwards {
        numbers.get(..from.saturating_add(1).min(numbers.len())).unwrap_or_default()
    } else {
        numbers.get(from..).unwrap_or_default()
    };
    let place = match backwards {
        true => find_exchange(&lab.store, session, rows.iter().rev().copied(), text)?,
        false => find_exchange(&lab.store, session, rows.iter().copied(), text)?,
    };
    let row = |place: usize| if backwards { rows.len() - 1 - place } else { from + place };
    let row = place.map(|place| row(place) as u64);
    Ok(Reply::FoundExchange { session, agent, text: text.to_owned(), row })
}

/// The step of a turn.
pub(super) fn with_turn(store: &Store, session: SessionId, place: TurnPlace) -> Result<Reply, StoreError> {
    Ok(Reply::FoundStep { session, place, row: step_row(store, session, place)? })
}

/// The step nearest to a row that has what is sought, among those that a lens lets through.
pub(super) fn with_sought(
    lab: &Lab,
    (session, lens): (SessionId, &Lens),
    from: (u64, bool),
    sought: &Sought,
) -> Result<Reply, StoreError> {
    let found = lab.traces.seek(&lab.store, session, lens, from, sought)?;
    let (lens, sought) = (lens.clone(), sought.clone());
    Ok(Reply::SoughtStep { session, lens, sought, row: found.row, gave_up: found.gave_up })
}

/// The verdict on a test.
pub(super) fn with_verdict(
    lab: &Lab,
    session: SessionId,
    slot: Slot,
    test: u16,
) -> Result<Reply, StoreError> {
    let row = verdict_row(&lab.store, &lab.hub, session, (slot, test))?;
    Ok(Reply::FoundVerdict { session, slot, test, row })
}

/// The step that shows why a verdict was passed.
pub(super) fn with_evidence(lab: &Lab, session: SessionId, verdict: u64) -> Result<Reply, StoreError> {
    Ok(Reply::FoundEvidence { session, verdict, row: evidence_row(lab, session, verdict)? })
}

/// The line of the lab's log nearest to a row that contains a text, among those that a lens lets through.
pub(super) fn with_text(hub: &Hub, lens: &LogLens, (from, backwards): (u64, bool), text: &str) -> Reply {
    let row = hub.seek_log(lens, from, backwards, text);
    Reply::SoughtLog { lens: lens.clone(), text: text.to_owned(), row }
}

/// The verdict on a test: a violation where there is one.
fn verdict_row(
    store: &Store,
    hub: &Hub,
    session: SessionId,
    (slot, test): (Slot, u16),
) -> Result<Option<u64>, StoreError> {
    let Some(first) = hub.first_verdict(session, slot) else { return Ok(None) };
    let verdicts = store.judgement(session, slot)?.map(|judgement| judgement.verdicts).unwrap_or_default();
    let of_test = (first..).zip(&verdicts).filter(|(_, verdict)| verdict.test == test);
    let best = of_test.min_by_key(|(seq, verdict)| (verdict.outcome != Outcome::Violation, *seq));
    Ok(best.map(|(seq, _)| seq))
}

/// The step that the evidence of a verdict names first, else the first one of its test.
fn evidence_row(lab: &Lab, session: SessionId, verdict: u64) -> Result<Option<u64>, StoreError> {
    let store = &lab.store;
    let Some((_, slot, number)) = lab.hub.verdicts(session, verdict, 1).into_iter().next() else {
        return Ok(None);
    };
    let judgement = store.judgement(session, slot)?;
    let Some(verdict) = judgement.and_then(|judgement| judgement.verdicts.into_iter().nth(number)) else {
        return Ok(None);
    };
    let places = match store.run(session, slot)? {
        Some(run) => run.places(&verdict),
        None => verdict.places(),
    };
    if let Some(place) = places.first()
        && let Some(row) = step_row(store, session, *place)?
    {
        return Ok(Some(row));
    }
    let lens = Lens::Test { slot, test: verdict.test };
    let page = lab.traces.page(store, session, &lens, 0, 1)?;
    Ok(page.rows.first().map(|(_, seq, _)| *seq))
}

/// Steps looked through at a time.
const LOOKED_THROUGH: u32 = 4_096;

/// The step of the log that is this turn, or, if the turn is not a step (as with an exchange with a language model),
/// the first one after it in its job. An attempt that was cut may have had such a turn, too: that of the last attempt
/// counts.
fn step_row(store: &Store, session: SessionId, place: TurnPlace) -> Result<Option<u64>, StoreError> {
    let (mut from, mut found): (u64, Option<(u32, u32, u64)>) = (0, None);
    loop {
        let steps = store.steps(session, from, LOOKED_THROUGH)?;
        let Some((last, _)) = steps.last() else { return Ok(found.map(|(.., row)| row)) };
        from = last.saturating_add(1);
        let of_job = steps.iter().filter(|(_, step)| step.slot == place.slot && step.turn >= place.turn);
        for (row, step) in of_job {
            let is_better = |(attempt, turn, _): &(u32, u32, u64)| {
                step.attempt > *attempt || step.attempt == *attempt && step.turn < *turn
            };
            if found.as_ref().is_none_or(is_better) {
                found = Some((step.attempt, step.turn, *row));
            }
        }
    }
}
