//! Spans of keys: data that belongs together is stored together.

use super::kind::*;
use droidmux_record::{ExampleKind, FindingId, SessionId, Slot};

/// A span of keys: from the first up to, but not including, the second.
pub(crate) type Span = (Vec<u8>, Vec<u8>);

/// Everything there is.
pub(crate) fn everything() -> Span {
    (vec![0], vec![0xff])
}

/// Everything of one session, kind by kind, each after what it refers to; chunks are found by
/// their heads.
pub(crate) fn of_session(id: SessionId) -> Vec<Span> {
    [
        SESSION, HANDLING, JOB, TURNS, STEP, EXCHANGE, PICTURE, FINISHED, JUDGEMENT, FINDING, MARK,
        MASK_EDIT, SHRUNK, RECHECK, BOOKMARK,
    ]
    .map(|kind| prefix(join(kind, &[&id.0.to_be_bytes()])))
    .to_vec()
}

pub(crate) fn sessions() -> Span {
    prefix(vec![SESSION])
}

pub(crate) fn imports() -> Span {
    prefix(vec![IMPORT])
}

pub(crate) fn incidents() -> Span {
    prefix(vec![INCIDENT])
}

/// The examples of one kind, or of all.
pub(crate) fn examples(kind: Option<ExampleKind>) -> Span {
    let kind = kind.map(kind_number);
    prefix(join(EXAMPLE, &[kind.as_slice()]))
}

pub(crate) fn layouts() -> Span {
    prefix(vec![LAYOUT])
}

pub(crate) fn jobs(id: SessionId) -> Span {
    prefix(join(JOB, &[&id.0.to_be_bytes()]))
}

pub(crate) fn finished(id: SessionId) -> Span {
    prefix(join(FINISHED, &[&id.0.to_be_bytes()]))
}

pub(crate) fn all_turns() -> Span {
    prefix(vec![TURNS])
}

/// The turns of all attempts at all jobs of a session.
pub(crate) fn turns_of(id: SessionId) -> Span {
    prefix(join(TURNS, &[&id.0.to_be_bytes()]))
}

pub(crate) fn turns_of_job(id: SessionId, slot: Slot) -> Span {
    prefix(slotted(TURNS, id, slot))
}

pub(crate) fn turns_of_attempt(id: SessionId, slot: Slot, attempt: u32) -> Span {
    let mut bytes = slotted(TURNS, id, slot);
    bytes.extend(attempt.to_be_bytes());
    prefix(bytes)
}

/// The log of a session's steps.
pub(crate) fn steps(id: SessionId) -> Span {
    prefix(join(STEP, &[&id.0.to_be_bytes()]))
}

/// The log of a session's exchanges.
pub(crate) fn exchanges(id: SessionId) -> Span {
    prefix(join(EXCHANGE, &[&id.0.to_be_bytes()]))
}

/// The findings of one session, or of all.
pub(crate) fn findings(id: Option<SessionId>) -> Span {
    match id {
        Some(id) => prefix(join(FINDING, &[&id.0.to_be_bytes()])),
        None => prefix(vec![FINDING]),
    }
}

pub(crate) fn judgements(id: SessionId) -> Span {
    prefix(join(JUDGEMENT, &[&id.0.to_be_bytes()]))
}

pub(crate) fn all_pictures() -> Span {
    prefix(vec![PICTURE])
}

/// The screenshots of layouts that a session took.
pub(crate) fn pictures(id: SessionId) -> Span {
    prefix(join(PICTURE, &[&id.0.to_be_bytes()]))
}

/// The marks on the findings of a session.
pub(crate) fn marks(id: SessionId) -> Span {
    prefix(join(MARK, &[&id.0.to_be_bytes()]))
}

/// The results of shrinking a session's findings.
pub(crate) fn all_shrunk(id: SessionId) -> Span {
    prefix(join(SHRUNK, &[&id.0.to_be_bytes()]))
}

/// The results of shrinking one finding, by session.
pub(crate) fn shrunk(id: &FindingId) -> Span {
    prefix(join(SHRUNK, &[&id.session.0.to_be_bytes(), &id.key.to_be_bytes()]))
}

pub(crate) fn rechecks(id: SessionId) -> Span {
    prefix(join(RECHECK, &[&id.0.to_be_bytes()]))
}

pub(crate) fn mask_edits(id: SessionId) -> Span {
    prefix(join(MASK_EDIT, &[&id.0.to_be_bytes()]))
}

/// The marked steps of one session, or of all.
pub(crate) fn bookmarks(id: Option<SessionId>) -> Span {
    match id {
        Some(id) => prefix(join(BOOKMARK, &[&id.0.to_be_bytes()])),
        None => prefix(vec![BOOKMARK]),
    }
}

/// All keys with this prefix.
fn prefix(bytes: Vec<u8>) -> Span {
    let mut end = bytes.clone();
    while end.last() == Some(&0xff) {
        end.pop();
    }
    match end.last_mut() {
        Some(last) => *last += 1,
        None => end.push(0xff),
    }
    (bytes, end)
}
