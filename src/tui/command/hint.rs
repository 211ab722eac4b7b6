//! The word that the footer has for a command: it fits the state.

use super::Command;
use crate::proto::SessionState;
use crate::tui::app::{App, Screen};

/// The hint of a command as things stand; empty when it would do nothing.
pub fn hint(command: &Command, app: &App) -> &'static str {
    let state = app.meant_session().map(|session| &session.state);
    match command.name {
        "pause" => match state {
            Some(SessionState::Running) => "pause",
            Some(SessionState::Paused(_)) => "resume",
            Some(_) | None => "",
        },
        "stop" => match state {
            Some(SessionState::Running | SessionState::Paused(_)) => "stop",
            Some(_) | None => "",
        },
        "follow" if app.session.follows => "stay here",
        "follow-transcripts" if app.transcripts.follows => "stay here",
        "step-through" if app.screen == Screen::Stepper => "other device",
        "follow-log" if app.log.follows => "stay here",
        "before" if app.session.before => "after",
        "before" => "before",
        _ => command.hint,
    }
}
