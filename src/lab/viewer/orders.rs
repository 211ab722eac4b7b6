//! What a person has the lab do: handle sessions, run findings again, lead a test or a recording.
//!
//! Out: a refusal, or nothing where what was ordered shows in the lab's view.

use crate::{AgainError, Gate, Lab, again};
use droidmux_proto::{RecorderOpening, RecorderOrder, Reply, Request, StepSubject};
use droidmux_record::{FindingId, SessionId, StepOrder};
use droidmux_store::StoreError;

use super::refused;

const NOT_HERE: &str = "this session is not running here; `droidmux lab ls` lists those that are";

/// Has a session handled as a person wants it, and writes that down.
pub(super) fn handle(lab: &Lab, session: SessionId, request: &Request, act: impl Fn(&Gate)) -> Option<Reply> {
    let Some(gate) = lab.hub.gate(session) else { return Some(refused(request, NOT_HERE)) };
    act(&gate);
    let kept = lab.keep_handling(session);
    kept.err().map(|error| refused(request, &format!("done, but a restart of the lab forgets it: {error}")))
}

/// Has a paused session perform this many acts.
pub(super) fn step(lab: &Lab, session: SessionId, request: &Request, acts: u32) -> Option<Reply> {
    handle(lab, session, request, |gate| gate.step(acts))
}

/// Gives a session its priority among those that wait for devices.
pub(super) fn prefer(lab: &Lab, session: SessionId, request: &Request, priority: i32) -> Option<Reply> {
    handle(lab, session, request, |_| {
        lab.roster.prefer(session, priority);
        lab.hub.priority(session, priority);
    })
}

pub(super) fn replay(lab: &Lab, request: &Request, finding: &FindingId, times: u32) -> Option<Reply> {
    unless_begun(request, again::replay(lab, finding, times))
}

pub(super) fn shrink(lab: &Lab, request: &Request, finding: &FindingId) -> Option<Reply> {
    unless_begun(request, again::shrink(lab, finding))
}

/// Why a session that a person asked for did not begin.
fn unless_begun(request: &Request, begun: Result<(), AgainError>) -> Option<Reply> {
    begun.err().map(|error| refused(request, &error.to_string()))
}

/// Goes on with a session that ended early.
pub(super) fn go_on(
    lab: &Lab,
    session: SessionId,
    request: &Request,
    accept_builds: bool,
) -> Result<Option<Reply>, StoreError> {
    Ok(lab.go_on(session, accept_builds)?.err().map(|error| refused(request, &error.to_string())))
}

pub(super) fn open_stepper(
    lab: &Lab,
    request: &Request,
    subject: &StepSubject,
    serial: Option<&str>,
    after: Option<SessionId>,
) -> Reply {
    match lab.open_stepper(subject, serial, after) {
        Ok(Ok(session)) => Reply::Opened(subject.clone(), session),
        Ok(Err(error)) => refused(request, &error.to_string()),
        Err(error) => refused(request, &error.to_string()),
    }
}

/// Leads a test that waits for a person's order.
pub(super) fn lead(lab: &Lab, session: SessionId, request: &Request, order: &StepOrder) -> Option<Reply> {
    let taken = lab.order(session, order.clone());
    (!taken).then(|| refused(request, "the test waits for no order"))
}

/// The recording under way.
pub(super) fn recorder(lab: &Lab) -> Reply {
    Reply::Recorder(lab.recorder().map(Box::new))
}

pub(super) fn open_recorder(lab: &Lab, request: &Request, opening: &RecorderOpening) -> Reply {
    match lab.open_recorder(opening.clone()) {
        Ok(()) => recorder(lab),
        Err(error) => refused(request, &error.to_string()),
    }
}

pub(super) fn record(lab: &Lab, request: &Request, order: &RecorderOrder) -> Option<Reply> {
    lab.record(order.clone()).err().map(|error| refused(request, &error.to_string()))
}

/// Puts the oracles on a finding again; says what they make of it.
pub(super) fn recheck(lab: &Lab, request: &Request, finding: &FindingId) -> Reply {
    match lab.recheck(finding) {
        Ok(words) => Reply::Rechecked(finding.clone(), words),
        Err(why) => refused(request, &why.to_string()),
    }
}

/// Sends for the doctor, whose words show as they come.
pub(super) fn examine(lab: &Lab) -> Option<Reply> {
    lab.examine();
    None
}
