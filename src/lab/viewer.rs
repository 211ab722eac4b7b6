//! Answers a viewer's requests from the store and the hub.

use std::sync::Arc;
use std::time::Duration;

use super::digest::digest;
use super::exchange_view::{exchange_detail, exchange_lines, find_exchange};
use super::step_view::step_view;
use super::{Agreement, Gate, Hub, Lab, triage};
use crate::gui::LayoutHash;
use crate::proto::{FindingDetail, FindingView, LabEnd, Reply, Request, StepView, VerdictView};
use crate::record::{
    Act, Finding, FindingId, JobRun, Layouts, Observation, SessionId, StepPlace, Turn, TurnPlace,
};
use crate::store::{Store, StoreError};
use crate::technique::explanation;

const NOT_HERE: &str = "this session is not running here; `droidmux lab ls` lists those that are";

/// Most items one request gives.
const MOST: u32 = 1_000;

/// How soon a viewer that lost replies is told so.
const RESYNC: Duration = Duration::from_millis(200);

/// Serves one viewer until it or the lab goes away. Replies that the viewer does not take are
/// dropped, and it is told how many: it asks again for what it still wants.
pub(super) async fn serve(lab: Lab, mut end: LabEnd) {
    let mut lost = 0;
    let queues = lab.hub.queues.clone();
    loop {
        let request = tokio::select! {
            () = lab.closing.cancelled() => return,
            request = end.requests.recv() => request,
            () = tokio::time::sleep(RESYNC), if lost > 0 => {
                if end.replies.try_send(Reply::Resync(lost)).is_ok() {
                    lost = 0;
                }
                continue;
            }
        };
        let Some(request) = request else { return };
        queues.requests.saw(end.requests.len().saturating_add(1));
        let lab = lab.clone();
        let reply = tokio::task::spawn_blocking(move || answer(&lab, request)).await;
        if let Ok(Some(reply)) = reply
            && end.replies.try_send(reply).is_err()
        {
            lost += 1;
        }
        queues.replies.saw(end.replies.max_capacity().saturating_sub(end.replies.capacity()));
    }
}

fn answer(lab: &Lab, request: Request) -> Option<Reply> {
    match try_answer(lab, &request) {
        Ok(reply) => reply,
        Err(error) => Some(Reply::Refused { request, why: error.to_string() }),
    }
}

fn try_answer(lab: &Lab, request: &Request) -> Result<Option<Reply>, StoreError> {
    let (store, hub) = (&lab.store, &*lab.hub);
    let reply = match request {
        Request::Steps { session, from, limit } => {
            let places = store.steps(*session, *from, (*limit).min(MOST))?;
            let steps = steps(store, hub, *session, &places)?;
            Reply::Steps { session: *session, from: *from, steps }
        }
        Request::Verdicts { session, from, limit } => {
            let verdicts = verdicts(store, hub, *session, *from, (*limit).min(MOST))?;
            Reply::Verdicts { session: *session, from: *from, verdicts }
        }
        Request::Exchanges { session, agent, from, limit } => {
            let numbers = hub.exchanges(*session, *agent, *from, (*limit).min(MOST));
            let exchanges = exchange_lines(store, *session, &numbers)?;
            Reply::Exchanges { session: *session, agent: *agent, from: *from, exchanges }
        }
        Request::Exchange { session, seq } => {
            let detail = exchange_detail(store, *session, *seq)?.map(Box::new);
            Reply::Exchange { session: *session, seq: *seq, detail }
        }
        Request::FindExchange { session, agent, text, .. } => {
            let row = found_row(store, hub, request)?;
            Reply::FoundExchange { session: *session, agent: *agent, text: text.clone(), row }
        }
        Request::FindStep { session, place } => {
            Reply::FoundStep { session: *session, place: *place, row: step_row(store, *session, *place)? }
        }
        Request::Log { from, limit } => Reply::Log { from: *from, lines: hub.log(*from, (*limit).min(MOST)) },
        Request::Findings => Reply::Findings(finding_views(store)?),
        Request::Finding(id) => match detail(store, id)? {
            Some(detail) => Reply::Finding(Box::new(detail)),
            None => refused(request, "this finding is not in the store"),
        },
        Request::Layout(hash) => Reply::Layout(*hash, store.layout(*hash)),
        Request::Screenshot(hash) => Reply::Screenshot(*hash, store.screenshot(*hash)?.map(Arc::new)),
        Request::Mark { finding, state, note } => {
            store.mark(finding, *state, note)?;
            hub.marked(finding.session, store.marked_true(finding.session)?);
            Reply::Findings(finding_views(store)?)
        }
        Request::Pause(session) => return Ok(handled(lab, *session, request, Gate::pause)),
        Request::Resume(session) => return Ok(handled(lab, *session, request, Gate::resume)),
        Request::Stop(session) => return Ok(handled(lab, *session, request, Gate::stop)),
        Request::Step { session, acts } => {
            return Ok(handled(lab, *session, request, |gate| gate.step(*acts)));
        }
        Request::Priority { session, priority } => {
            return Ok(handled(lab, *session, request, |_| {
                lab.roster.prefer(*session, *priority);
                hub.priority(*session, *priority);
            }));
        }
        Request::Digest => Reply::Digest(Box::new(digest(store)?)),
        Request::OpenStepper { finding, serial } => match lab.open_stepper(finding, serial.as_deref())? {
            Ok(session) => Reply::Opened(finding.clone(), session),
            Err(why) => refused(request, &why),
        },
        Request::Stepper(session) => Reply::Stepper(*session, lab.stepper(*session)?.map(Box::new)),
        Request::Order { session, order } => {
            let taken = lab.order(*session, order.clone());
            return Ok((!taken).then(|| refused(request, "the test waits for no order")));
        }
    };
    Ok(Some(reply))
}

/// The row that [`Request::FindExchange`] is after.
fn found_row(store: &Store, hub: &Hub, request: &Request) -> Result<Option<u64>, StoreError> {
    let Request::FindExchange { session, agent, from, backwards, text } = request else { return Ok(None) };
    let numbers = hub.exchanges(*session, *agent, 0, u32::MAX);
    let from = usize::try_from(*from).unwrap_or(usize::MAX);
    let rows = if *backwards {
        numbers.get(..from.saturating_add(1).min(numbers.len())).unwrap_or_default()
    } else {
        numbers.get(from..).unwrap_or_default()
    };
    let place = match backwards {
        true => find_exchange(store, *session, rows.iter().rev().copied(), text)?,
        false => find_exchange(store, *session, rows.iter().copied(), text)?,
    };
    let row = |place: usize| if *backwards { rows.len() - 1 - place } else { from + place };
    Ok(place.map(|place| row(place) as u64))
}

/// Steps looked through at a time.
const LOOKED_THROUGH: u32 = 4_096;

/// The last step of the log that is this turn: an attempt that was cut may have had one, too.
fn step_row(store: &Store, session: SessionId, place: TurnPlace) -> Result<Option<u64>, StoreError> {
    let (mut from, mut found) = (0, None);
    loop {
        let steps = store.steps(session, from, LOOKED_THROUGH)?;
        let Some((last, _)) = steps.last() else { return Ok(found) };
        from = last.saturating_add(1);
        let is_it = |step: &&(u64, StepPlace)| step.1.slot == place.slot && step.1.turn == place.turn;
        found = steps.iter().rfind(is_it).map(|(row, _)| *row).or(found);
    }
}

/// Has a session handled as a person wants it, and writes that down.
fn handled(lab: &Lab, session: SessionId, request: &Request, act: impl Fn(&Gate)) -> Option<Reply> {
    let Some(gate) = lab.hub.gate(session) else { return Some(refused(request, NOT_HERE)) };
    act(&gate);
    let kept = lab.keep_handling(session);
    kept.err().map(|error| refused(request, &format!("done, but a restart of the lab forgets it: {error}")))
}

fn refused(request: &Request, why: &str) -> Reply {
    Reply::Refused { request: request.clone(), why: why.into() }
}

/// Steps of a session's log as viewers see them.
pub(super) fn steps(
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

fn detail(store: &Store, id: &FindingId) -> Result<Option<FindingDetail>, StoreError> {
    let Some((finding, others)) = triage::finding(store, id)? else { return Ok(None) };
    let run: Option<JobRun> = store.run(id.session, finding.verdict.slot)?;
    let agrees = Agreement::new(store).with(&finding)?.into_iter().collect();
    let shrunk = store.shrunk(id)?;
    let members = others.into_iter().map(|member| (member.id, member.verdict.title)).collect();
    Ok(Some(FindingDetail { finding, members, run, agrees, shrunk }))
}

/// The lines of all findings.
fn finding_views(store: &Store) -> Result<Vec<FindingView>, StoreError> {
    let all = triage::findings(store, None)?;
    let members = triage::members(&all);
    Ok(all.iter().zip(members).map(|(finding, members)| finding_view(finding, members)).collect())
}

/// The line of a finding in lists, with how many others it stands for.
pub(crate) fn finding_view(finding: &Finding, members: u64) -> FindingView {
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
    }
}
