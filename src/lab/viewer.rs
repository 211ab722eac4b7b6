//! Answers a viewer's requests from the store and the hub.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc};

use super::digest::digest;
use super::exchange_view::{exchange_detail, exchange_lines, find_exchange};
use super::map::map;
use super::step_view::step_view;
use super::traces::Page;
use super::{AgainError, Gate, Hub, Lab, again, bookmarks, bygone, triage};
use droidmux_gui::LayoutHash;
use droidmux_proto::{FindingMark, FindingView, LabEnd, Lens, Reply, Request, StepView, VerdictView};
use droidmux_record::{
    Act, Finding, FindingId, Layouts, Observation, Outcome, SessionId, Slot, StepPlace, Turn, TurnPlace,
};
use droidmux_store::{Store, StoreError};
use droidmux_technique::explanation;

const NOT_HERE: &str = "this session is not running here; `droidmux lab ls` lists those that are";

/// Most items one request gives.
const MOST: u32 = 1_000;

/// Requests of one viewer that take long, at the same time.
const MOST_LONG: usize = 4;

/// How soon a viewer that lost replies is told so.
const RESYNC: Duration = Duration::from_millis(200);

/// Serves one viewer until it or the lab goes away. Replies that the viewer does not take are
/// dropped, and it is told how many: it asks again for what it still wants.
pub(super) async fn serve(lab: Lab, mut end: LabEnd) {
    let mut lost = 0;
    let queues = lab.hub.queues.clone();
    let long = Arc::new(Semaphore::new(MOST_LONG));
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
        if takes_long(&request) {
            answer_later(lab, request, &long, end.replies.clone());
            continue;
        }
        let reply = tokio::task::spawn_blocking(move || answer(&lab, request)).await;
        if let Ok(Some(reply)) = reply
            && end.replies.try_send(reply).is_err()
        {
            lost += 1;
        }
        queues.replies.saw(end.replies.max_capacity().saturating_sub(end.replies.capacity()));
    }
}

/// What waits for devices, or reads a whole session: the viewer's other requests do not wait for it.
fn takes_long(request: &Request) -> bool {
    matches!(request, Request::Start(_) | Request::GoOn { .. } | Request::Recheck(_))
}

/// Answers such a request alongside the others.
fn answer_later(lab: Lab, request: Request, long: &Arc<Semaphore>, replies: mpsc::Sender<Reply>) {
    let Ok(permit) = long.clone().try_acquire_owned() else {
        // A viewer that takes no replies is told by the count of those lost.
        let _ = replies.try_send(refused(&request, "so much is under way already; try again in a moment"));
        return;
    };
    tokio::spawn(async move {
        let reply = tokio::task::spawn_blocking(move || answer(&lab, request)).await;
        if let Ok(Some(reply)) = reply {
            // A viewer that is gone wants none.
            let _ = replies.send(reply).await;
        }
        drop(permit);
    });
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
        Request::Map(session) => Reply::Map(*session, map(store, *session)?.map(Box::new)),
        Request::Trace { session, lens, from, limit } => {
            let Page { len, looked, rows } =
                lab.traces.page(store, *session, lens, *from, (*limit).min(MOST))?;
            let places: Vec<_> = rows.iter().map(|(_, seq, place)| (*seq, place.clone())).collect();
            let row_of: BTreeMap<u64, u64> = rows.iter().map(|(row, seq, _)| (*seq, *row)).collect();
            let views = steps(store, hub, *session, &places)?.into_iter();
            let steps = views.filter_map(|step| Some((*row_of.get(&step.seq)?, step))).collect();
            Reply::Trace { session: *session, lens: lens.clone(), from: *from, len, looked, steps }
        }
        Request::SeekStep { session, lens, from, backwards, sought } => {
            let found = lab.traces.seek(store, *session, lens, (*from, *backwards), sought)?;
            let (row, gave_up) = (found.row, found.gave_up);
            Reply::SoughtStep { session: *session, lens: lens.clone(), sought: sought.clone(), row, gave_up }
        }
        Request::FindVerdict { session, slot, test } => {
            let row = verdict_row(store, hub, *session, (*slot, *test))?;
            Reply::FoundVerdict { session: *session, slot: *slot, test: *test, row }
        }
        Request::FindEvidence { session, verdict } => {
            let row = evidence_row(lab, *session, *verdict)?;
            Reply::FoundEvidence { session: *session, verdict: *verdict, row }
        }
        Request::Open(session) => {
            bygone::open(lab, *session)?;
            return Ok(None);
        }
        Request::Log { lens, from, limit } => {
            let (len, written, rows) = hub.log_page(lens, *from, (*limit).min(MOST));
            Reply::Log { lens: lens.clone(), from: *from, len, written, rows }
        }
        Request::SeekLog { lens, from, backwards, text } => {
            let row = hub.seek_log(lens, *from, *backwards, text);
            Reply::SoughtLog { lens: lens.clone(), text: text.clone(), row }
        }
        Request::Findings => Reply::Findings(finding_views(store)?),
        Request::Bookmarks => Reply::Bookmarks(store.bookmarks()?),
        Request::Bookmark { session, seq, marked } => match bookmarks::set(lab, *session, *seq, *marked)? {
            Ok(()) => Reply::Bookmarks(store.bookmarks()?),
            Err(why) => refused(request, &why),
        },
        Request::Finding(id) => match triage::detail(store, id)? {
            Some(detail) => Reply::Finding(Box::new(detail)),
            None => refused(request, "this finding is not in the store"),
        },
        Request::Layout(hash) => {
            let recorded = || lab.recorded_layout(*hash);
            Reply::Layout(*hash, store.layout(*hash).or_else(recorded))
        }
        Request::Screenshot(hash) => Reply::Screenshot(*hash, store.screenshot(*hash)?.map(Arc::new)),
        Request::Mark { finding, state, note } => {
            store.mark(finding, *state, note)?;
            hub.marked(finding.session, store.marked_true(finding.session)?);
            Reply::Findings(finding_views(store)?)
        }
        Request::Marks(marks) => {
            for FindingMark { finding, state, note } in marks {
                store.mark(finding, *state, note)?;
            }
            let sessions: BTreeSet<SessionId> = marks.iter().map(|mark| mark.finding.session).collect();
            for session in sessions {
                hub.marked(session, store.marked_true(session)?);
            }
            Reply::Findings(finding_views(store)?)
        }
        Request::Replay { finding, times } => {
            return again(request, again::replay(lab, finding, *times));
        }
        Request::Shrink(finding) => return again(request, again::shrink(lab, finding)),
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
        Request::OpenStepper { subject, serial, after } => {
            match lab.open_stepper(subject, serial.as_deref(), *after) {
                Ok(Ok(session)) => Reply::Opened(subject.clone(), session),
                Ok(Err(why)) => refused(request, &why),
                Err(error) => refused(request, &error.to_string()),
            }
        }
        Request::Stepper(session) => Reply::Stepper(*session, lab.stepper(*session)?.map(Box::new)),
        Request::Examine => {
            lab.examine();
            return Ok(None);
        }
        Request::Doctor => Reply::Doctor(Box::new(hub.doctor())),
        Request::Order { session, order } => {
            let taken = lab.order(*session, order.clone());
            return Ok((!taken).then(|| refused(request, "the test waits for no order")));
        }
        Request::OpenRecorder(opening) => match lab.open_recorder(opening.clone()) {
            Ok(()) => Reply::Recorder(lab.recorder().map(Box::new)),
            Err(why) => refused(request, &why),
        },
        Request::Recorder => Reply::Recorder(lab.recorder().map(Box::new)),
        Request::Record(order) => {
            return Ok(lab.record(order.clone()).err().map(|why| refused(request, &why)));
        }
        Request::SessionFiles { folder } => {
            Reply::SessionFiles { folder: folder.clone(), files: lab.session_files(folder) }
        }
        Request::Start(start) => Reply::Started(start.clone(), lab.start(start)),
        Request::GoOn { session, accept_builds } => {
            return Ok(lab.go_on(*session, *accept_builds)?.err().map(|why| refused(request, &why)));
        }
        Request::Recheck(finding) => match lab.recheck(finding) {
            Ok(words) => Reply::Rechecked(finding.clone(), words),
            Err(why) => refused(request, &why.to_string()),
        },
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

/// A session that a person asked for began, or why it did not.
fn again(request: &Request, begun: Result<(), AgainError>) -> Result<Option<Reply>, StoreError> {
    Ok(begun.err().map(|error| refused(request, &error.to_string())))
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
