//! What a command means as things stand: whether it can do something, and the word that the footer has for it.
//! Hints, help, palette and keys all go by this one rule.

use super::Command;
use crate::app::{App, Screen};
use droidmux_proto::SessionState;

/// The word for a command, empty when it is not hinted at; `None` when it could do nothing.
pub(super) fn word(command: &Command, app: &App) -> Option<&'static str> {
    let session = app.meant_session();
    let state = session.map(|session| &session.state);
    let under_way = matches!(state, Some(SessionState::Running | SessionState::Paused(_)));
    match command.name {
        "pause" => match state {
            Some(SessionState::Running) => Some("pause"),
            Some(SessionState::Paused(_)) => Some("resume"),
            Some(_) | None => None,
        },
        "stop" | "step" | "raise" | "lower" => under_way.then_some(command.hint),
        // A session that only the store has is named in the palette.
        "resume" => Some(if session.is_some_and(|session| session.resumable) { command.hint } else { "" }),
        "follow" if app.session.follows => Some("stay here"),
        "follow-transcripts" if app.transcripts.follows => Some("stay here"),
        "follow-log" if app.log.follows => Some("stay here"),
        "step-through" if app.screen == Screen::Stepper => Some("other device"),
        // Nobody is asked but where something waits.
        "answer-question" if app.waiting().is_empty() => Some(""),
        "before" if app.session.before => Some("after"),
        "before" => Some("before"),
        _ => Some(command.hint),
    }
}
