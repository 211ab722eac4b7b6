//! Commands of the Session screen.

use super::{Command, Scope};
use crate::tui::app::{App, Dialog};
use crate::tui::theme::Role;

const SESSION: Scope = Scope::SESSION;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "follow",
        what: "Follow the newest step, or stay where the cursor is",
        keys: &["f"],
        scope: SESSION,
        hint: "follow",
        run: |app| app.session.follows = !app.session.follows,
    },
    Command {
        name: "before",
        what: "Show the layout before the step, at the widget acted on, or the one after it",
        keys: &["b"],
        scope: SESSION,
        hint: "before/after",
        run: |app| app.session.before = !app.session.before,
    },
    Command {
        name: "search",
        what: "Search the layout for a widget",
        keys: &["/"],
        scope: SESSION,
        hint: "search",
        run: |app| app.dialog = Some(Dialog::Filter(app.session.search.clone().into())),
    },
    Command {
        name: "next-match",
        what: "Go to the next widget that matches the search",
        keys: &["n"],
        scope: SESSION,
        hint: "",
        run: |app| app.search_layout(true),
    },
    Command {
        name: "previous-match",
        what: "Go to the previous widget that matches the search",
        keys: &["N"],
        scope: SESSION,
        hint: "",
        run: |app| app.search_layout(false),
    },
    Command {
        name: "next-session",
        what: "Show the next session",
        keys: &["]"],
        scope: SESSION.union(Scope::TRANSCRIPTS),
        hint: "",
        run: |app| neighbour(app, 1),
    },
    Command {
        name: "previous-session",
        what: "Show the previous session",
        keys: &["["],
        scope: SESSION.union(Scope::TRANSCRIPTS),
        hint: "",
        run: |app| neighbour(app, -1),
    },
    Command {
        name: "toggle-tree",
        what: "Hide or show the layout tree",
        keys: &["t"],
        scope: SESSION,
        hint: "",
        run: |app| app.session.shown.tree = !app.session.shown.tree,
    },
    Command {
        name: "toggle-picture",
        what: "Hide or show the screenshot",
        keys: &["i"],
        scope: SESSION,
        hint: "",
        run: |app| app.session.shown.picture = !app.session.shown.picture,
    },
    Command {
        name: "toggle-trace",
        what: "Hide or show the event trace",
        keys: &["e"],
        scope: SESSION,
        hint: "",
        run: |app| app.session.shown.trace = !app.session.shown.trace,
    },
    Command {
        name: "toggle-verdicts",
        what: "Hide or show the verdicts",
        keys: &["v"],
        scope: SESSION,
        hint: "",
        run: |app| app.session.shown.verdicts = !app.session.shown.verdicts,
    },
    Command {
        name: "toggle-transcript",
        what: "Hide or show the exchanges with the language model, in sessions that ask one",
        keys: &["m"],
        scope: SESSION,
        hint: "",
        run: |app| app.session.shown.talk = !app.session.shown.talk,
    },
];

/// The session beside the current one, in the order of the Lab screen.
fn neighbour(app: &mut App, delta: i64) {
    let next = app.tiles.cursor.checked_add_signed(delta);
    match next.and_then(|row| app.session_at(row)).map(|session| session.id) {
        Some(id) => {
            app.lab.followed = None;
            app.open_session(Some(id));
        }
        None => app.say("there is no further session", Role::Dim),
    }
}
