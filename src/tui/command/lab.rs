//! Commands on sessions, for the Lab screen and the Session screen.

use super::{Command, Scope};
use crate::app::{App, Dialog, Effect};
use crate::theme::Role;
use droidmux_proto::{Request, SessionState};

const SESSIONS: Scope = Scope::LAB.union(Scope::SESSION);

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "pause",
        what: "Pause the session, or let it go on",
        keys: &["p"],
        scope: SESSIONS,
        changes: true,
        hint: "pause",
        run: pause,
    },
    Command {
        name: "step",
        what: "Let the session perform one act and pause",
        keys: &["s"],
        scope: SESSIONS,
        changes: true,
        hint: "",
        run: step,
    },
    Command {
        name: "raise",
        what: "Raise the session's priority: it gets devices before others",
        keys: &["+"],
        scope: SESSIONS,
        changes: true,
        hint: "",
        run: |app| prefer(app, 1),
    },
    Command {
        name: "lower",
        what: "Lower the session's priority",
        keys: &["-"],
        scope: SESSIONS,
        changes: true,
        hint: "",
        run: |app| prefer(app, -1),
    },
    Command {
        name: "priority",
        what: "Give the session a priority: those of a higher one get devices first",
        keys: &[],
        scope: SESSIONS,
        changes: true,
        hint: "",
        run: |app| app.ask_argument("priority"),
    },
    Command {
        name: "open-session",
        what: "Open a session by its number, also one that ended long ago",
        keys: &["O"],
        scope: SESSIONS,
        changes: false,
        hint: "",
        run: |app| app.dialog = Some(Dialog::Open(Default::default())),
    },
    Command {
        name: "start",
        what: "Start a session: its file, devices and limits",
        keys: &["c"],
        scope: SESSIONS,
        changes: true,
        hint: "",
        run: App::ask_start,
    },
    Command {
        name: "resume",
        what: "Go on with a session that ended before its end, as `droidmux run --resume` does",
        keys: &["r"],
        scope: SESSIONS,
        changes: true,
        hint: "go on",
        run: App::resume_session,
    },
    Command {
        name: "stop",
        what: "End the session cleanly, after a question",
        keys: &["S"],
        scope: SESSIONS,
        changes: true,
        hint: "stop",
        run: |app| app.dialog = app.meant_session().map(|session| Dialog::Stop(session.id)),
    },
];

fn step(app: &mut App) {
    let Some(session) = app.meant_session() else {
        return app.say("no session is selected", Role::Warn);
    };
    let id = session.id;
    app.effect(Effect::Send(Request::Step { session: id, acts: 1 }));
    app.say(format!("{id} performs one act and pauses"), Role::Dim);
}

fn prefer(app: &mut App, change: i32) {
    let Some(session) = app.meant_session() else {
        return app.say("no session is selected", Role::Warn);
    };
    let (id, priority) = (session.id, session.priority.saturating_add(change));
    app.effect(Effect::Send(Request::Priority { session: id, priority }));
    app.say(format!("{id} has priority {priority}"), Role::Dim);
}

fn pause(app: &mut App) {
    let Some(session) = app.meant_session() else {
        return app.say("no session is selected", Role::Warn);
    };
    let id = session.id;
    let (request, text) = match session.state {
        SessionState::Running => (Request::Pause(id), format!("{id} pauses after the acts under way")),
        SessionState::Paused(_) => (Request::Resume(id), format!("{id} goes on")),
        SessionState::Stopping | SessionState::Done | SessionState::Stopped | SessionState::Failed(_) => {
            return app.say(format!("{id} has ended"), Role::Warn);
        }
    };
    app.effect(Effect::Send(request));
    app.say(text, Role::Dim);
}
