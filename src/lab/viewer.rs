//! Answers a viewer's requests from the store and the hub.
//!
//! In: requests. Out: a reply to each that asks for one, as far as the viewer takes them. What can be asked for is one
//! table here, without a catch-all: a new request has to be given its answer.

mod findings;
mod orders;
mod pages;
mod rows;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc};

use super::digest::digest;
use super::exchange_view::exchange_detail;
use super::map::map;
use super::{Gate, Lab, bookmarks, bygone, question_view, triage};
use droidmux_proto::{LabEnd, Reply, Request};
use droidmux_record::Layouts;
use droidmux_store::StoreError;

pub(crate) use findings::finding_view;
pub(super) use pages::steps;

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

/// The reply to a request; `None` where what it brings about shows in the lab's view.
fn try_answer(lab: &Lab, request: &Request) -> Result<Option<Reply>, StoreError> {
    let (store, hub) = (&lab.store, &lab.hub);
    let reply = match request {
        Request::Steps { session, from, limit } => pages::of_steps(lab, *session, *from, *limit)?,
        Request::Verdicts { session, from, limit } => pages::of_verdicts(lab, *session, *from, *limit)?,
        Request::Exchanges { session, agent, from, limit } => {
            pages::of_exchanges(lab, *session, *agent, *from, *limit)?
        }
        Request::Trace { session, lens, from, limit } => pages::of_trace(lab, *session, lens, *from, *limit)?,
        Request::Log { lens, from, limit } => pages::of_log(hub, lens, *from, *limit),
        Request::FindExchange { session, agent, from, backwards, text } => {
            rows::with_exchange(lab, (*session, *agent), (*from, *backwards), text)?
        }
        Request::FindStep { session, place } => rows::with_turn(store, *session, *place)?,
        Request::SeekStep { session, lens, from, backwards, sought } => {
            rows::with_sought(lab, (*session, lens), (*from, *backwards), sought)?
        }
        Request::FindVerdict { session, slot, test } => rows::with_verdict(lab, *session, *slot, *test)?,
        Request::FindEvidence { session, verdict } => rows::with_evidence(lab, *session, *verdict)?,
        Request::SeekLog { lens, from, backwards, text } => {
            rows::with_text(hub, lens, (*from, *backwards), text)
        }
        Request::Exchange { session, seq } => {
            let detail = exchange_detail(store, *session, *seq)?.map(Box::new);
            Reply::Exchange { session: *session, seq: *seq, detail }
        }
        Request::Map(session) => Reply::Map(*session, map(store, *session)?.map(Box::new)),
        Request::Findings => findings::list(store)?,
        Request::Finding(id) => match triage::detail(store, id)? {
            Some(detail) => Reply::Finding(Box::new(detail)),
            None => refused(request, "this finding is not in the store"),
        },
        Request::Mark { finding, state, note } => findings::mark(lab, finding, *state, note)?,
        Request::Marks(marks) => findings::mark_all(lab, marks)?,
        Request::Layout(hash) => {
            Reply::Layout(*hash, store.layout(*hash).or_else(|| lab.recorded_layout(*hash)))
        }
        Request::Screenshot(hash) => {
            // The pictures of a question are stored with its answer.
            let asked = || hub.people.picture(*hash).map(|png| png.to_vec());
            Reply::Screenshot(*hash, store.screenshot(*hash)?.or_else(asked).map(Arc::new))
        }
        Request::Question(number) => question_view::question(&hub.people, *number),
        Request::Answer { number, reply } => question_view::answer(&hub.people, *number, reply),
        Request::Bookmarks => Reply::Bookmarks(store.bookmarks()?),
        Request::Bookmark { session, seq, marked } => match bookmarks::set(lab, *session, *seq, *marked)? {
            Ok(()) => Reply::Bookmarks(store.bookmarks()?),
            Err(error) => refused(request, &error.to_string()),
        },
        Request::Digest => Reply::Digest(Box::new(digest(store)?)),
        Request::Doctor => Reply::Doctor(Box::new(hub.doctor())),
        Request::Stepper(session) => Reply::Stepper(*session, lab.stepper(*session)?.map(Box::new)),
        Request::Recorder => orders::recorder(lab),
        Request::SessionFiles { folder } => {
            Reply::SessionFiles { folder: folder.clone(), files: lab.session_files(folder) }
        }
        Request::Start(start) => Reply::Started(start.clone(), lab.start(start)),
        Request::OpenStepper { subject, serial, after } => {
            orders::open_stepper(lab, request, subject, serial.as_deref(), *after)
        }
        Request::OpenRecorder(opening) => orders::open_recorder(lab, request, opening),
        Request::Recheck(finding) => orders::recheck(lab, request, finding),
        Request::Open(session) => return bygone::open(lab, *session).map(|()| None),
        Request::Examine => return Ok(orders::examine(lab)),
        Request::Pause(session) => return Ok(orders::handle(lab, *session, request, Gate::pause)),
        Request::Resume(session) => return Ok(orders::handle(lab, *session, request, Gate::resume)),
        Request::Stop(session) => return Ok(orders::handle(lab, *session, request, Gate::stop)),
        Request::Step { session, acts } => return Ok(orders::step(lab, *session, request, *acts)),
        Request::Priority { session, priority } => {
            return Ok(orders::prefer(lab, *session, request, *priority));
        }
        Request::Replay { finding, times } => return Ok(orders::replay(lab, request, finding, *times)),
        Request::Shrink(finding) => return Ok(orders::shrink(lab, request, finding)),
        Request::Order { session, order } => return Ok(orders::lead(lab, *session, request, order)),
        Request::Record(order) => return Ok(orders::record(lab, request, order)),
        Request::GoOn { session, accept_builds } => {
            return orders::go_on(lab, *session, request, *accept_builds);
        }
    };
    Ok(Some(reply))
}

fn refused(request: &Request, why: &str) -> Reply {
    Reply::Refused { request: request.clone(), why: why.into() }
}
