//! Commands on sessions, for the Lab screen and the Session screen.

use super::{Command, Place};
use crate::proto::{Request, SessionState};
use crate::tui::app::{App, Dialog, Effect};
use crate::tui::theme::Role;

const SESSIONS: Place = Place::LAB.or(Place::SESSION);

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "pause",
        what: "Pause the session, or let it go on",
        keys: &["p"],
        place: SESSIONS,
        hint: "pause",
        run: pause,
    },
    Command {
        name: "stop",
        what: "End the session cleanly, after a question",
        keys: &["S"],
        place: SESSIONS,
        hint: "stop",
        run: |app| app.dialog = app.meant_session().map(|session| Dialog::Stop(session.id)),
    },
];

fn pause(app: &mut App) {
    let Some(session) = app.meant_session() else {
        return app.say("no session is selected", Role::Warn);
    };
    let id = session.id;
    let (request, text) = match session.state {
        SessionState::Running => (Request::Pause(id), format!("{id} pauses after the acts under way")),
        SessionState::Paused(_) => (Request::Resume(id), format!("{id} goes on")),
        SessionState::Stopping | SessionState::Done | SessionState::Failed(_) => {
            return app.say(format!("{id} has ended"), Role::Warn);
        }
    };
    app.effect(Effect::Send(request));
    app.say(text, Role::Dim);
}
