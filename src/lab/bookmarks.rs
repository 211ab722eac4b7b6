//! Steps that people mark in viewers, to find them again. They are kept in the store, so that all viewers have them and
//! they outlive each viewer.

use super::Lab;
use super::viewer::steps;
use droidmux_record::{Bookmark, SessionId};
use droidmux_store::StoreError;
use droidmux_words::printable;
use thiserror::Error;

/// Bookmarks kept: a list that people read.
const MOST: usize = 200;

/// Why a step cannot be marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum BookmarkError {
    #[error("there are {MOST} bookmarks already")]
    Full,
    #[error("{session} has no step {seq}")]
    NoStep { session: SessionId, seq: u64 },
}

/// Marks a step of a session, or removes its mark.
pub(super) fn set(
    lab: &Lab,
    session: SessionId,
    seq: u64,
    marked: bool,
) -> Result<Result<(), BookmarkError>, StoreError> {
    let (store, hub) = (&lab.store, &lab.hub);
    if !marked {
        store.remove_bookmark(session, seq)?;
        hub.bookmarked();
        return Ok(Ok(()));
    }
    let known = store.bookmarks()?;
    if known.len() >= MOST && !known.iter().any(|mark| (mark.session, mark.seq) == (session, seq)) {
        return Ok(Err(BookmarkError::Full));
    }
    let places = store.steps(session, seq, 1)?;
    let Some(step) = steps(store, hub, session, &places)?.pop().filter(|step| step.seq == seq) else {
        return Ok(Err(BookmarkError::NoStep { session, seq }));
    };
    let words = format!("{}/{} {} {}", step.slot, step.test, step.event, step.receiver);
    let words = printable(words.trim_end()).chars().take(MOST_WORDS).collect();
    store.put_bookmark(&Bookmark { session, seq, words })?;
    hub.bookmarked();
    Ok(Ok(()))
}

/// Characters of a bookmark's words.
const MOST_WORDS: usize = 200;
