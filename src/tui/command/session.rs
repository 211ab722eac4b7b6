//! Commands of the Session screen.

use super::{Command, Scope};
use crate::app::{App, Dialog};
use crate::theme::Role;
use droidmux_proto::Sought;

const SESSION: Scope = Scope::SESSION;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "follow",
        what: "Follow the newest step, or stay where the cursor is",
        keys: &["f"],
        scope: SESSION,
        changes: false,
        hint: "follow",
        run: |app| app.session.follows = !app.session.follows,
    },
    Command {
        name: "before",
        what: "Show the layout before the step, at the widget acted on, or the one after it",
        keys: &["b"],
        scope: SESSION,
        changes: false,
        hint: "before/after",
        run: |app| app.session.before = !app.session.before,
    },
    Command {
        name: "search",
        what: "Search the trace for a step, or in any other pane the layout for a widget",
        keys: &["/"],
        scope: SESSION,
        changes: false,
        hint: "search",
        run: |app| {
            let session = &app.session;
            let text = if app.searches_trace() { &session.sought } else { &session.search };
            app.dialog = Some(Dialog::Filter(text.clone().into()));
        },
    },
    Command {
        name: "filter-trace",
        what: "Show only the steps of the trace that hold words: event, widget, activity, device, test",
        keys: &["F"],
        scope: SESSION,
        changes: false,
        hint: "",
        run: |app| app.dialog = Some(Dialog::TraceFilter(app.session.lens.words().to_owned().into())),
    },
    Command {
        name: "next-match",
        what: "Go to the next step or widget that matches the search",
        keys: &["n"],
        scope: SESSION,
        changes: false,
        hint: "",
        run: |app| app.search_session(true),
    },
    Command {
        name: "previous-match",
        what: "Go to the previous step or widget that matches the search",
        keys: &["N"],
        scope: SESSION,
        changes: false,
        hint: "",
        run: |app| app.search_session(false),
    },
    Command {
        name: "only-test",
        what: "Show the steps of this test only, or all again",
        keys: &["o"],
        scope: SESSION,
        changes: false,
        hint: "one test",
        run: App::only_test,
    },
    Command {
        name: "only-device",
        what: "Show the steps of this device only, or all again",
        keys: &["d"],
        scope: SESSION,
        changes: false,
        hint: "one device",
        run: App::only_device,
    },
    Command {
        name: "goto",
        what: "Go to a step by its number, by a distance or by a part of the trace",
        keys: &["#"],
        scope: SESSION,
        changes: false,
        hint: "",
        run: |app| app.dialog = Some(Dialog::Goto(Default::default())),
    },
    Command {
        name: "next-inserted",
        what: "Go to the next inserted event",
        keys: &["."],
        scope: SESSION,
        changes: false,
        hint: "",
        run: |app| app.seek(false, Sought::Inserted),
    },
    Command {
        name: "previous-inserted",
        what: "Go to the previous inserted event",
        keys: &[","],
        scope: SESSION,
        changes: false,
        hint: "",
        run: |app| app.seek(true, Sought::Inserted),
    },
    Command {
        name: "next-violation",
        what: "Go to the next step that a violation's evidence names",
        keys: &[">"],
        scope: SESSION,
        changes: false,
        hint: "violation",
        run: |app| app.seek(false, Sought::Violation),
    },
    Command {
        name: "previous-violation",
        what: "Go to the previous step that a violation's evidence names",
        keys: &["<"],
        scope: SESSION,
        changes: false,
        hint: "",
        run: |app| app.seek(true, Sought::Violation),
    },
    Command {
        name: "counterpart",
        what: "Go from a step to the verdict on its test, from a verdict to the step that it is about",
        keys: &["w"],
        scope: SESSION,
        changes: false,
        hint: "step/verdict",
        run: App::go_to_counterpart,
    },
    Command {
        name: "bookmark",
        what: "Mark the step to be found again, or take its mark away",
        keys: &["B"],
        scope: SESSION,
        changes: true,
        hint: "",
        run: App::toggle_bookmark,
    },
    Command {
        name: "bookmarks",
        what: "Show the marked steps of all sessions; enter goes to one",
        keys: &["'"],
        scope: SESSION,
        changes: false,
        hint: "",
        run: App::show_bookmarks,
    },
    Command {
        name: "compare-with",
        what: "Compare other steps with this one",
        keys: &["x"],
        scope: SESSION,
        changes: false,
        hint: "",
        run: App::set_base,
    },
    Command {
        name: "differences",
        what: "Show what differs between the step compared with and this one, or the layout again",
        keys: &["="],
        scope: SESSION,
        changes: false,
        hint: "",
        run: App::toggle_difference,
    },
    Command {
        name: "next-session",
        what: "Show the next session",
        keys: &["]"],
        scope: SESSION.union(Scope::TRANSCRIPTS),
        changes: false,
        hint: "",
        run: |app| neighbour(app, 1),
    },
    Command {
        name: "previous-session",
        what: "Show the previous session",
        keys: &["["],
        scope: SESSION.union(Scope::TRANSCRIPTS),
        changes: false,
        hint: "",
        run: |app| neighbour(app, -1),
    },
    Command {
        name: "toggle-tree",
        what: "Hide or show the layout tree",
        keys: &["t"],
        scope: SESSION,
        changes: false,
        hint: "",
        run: |app| app.session.shown.tree = !app.session.shown.tree,
    },
    Command {
        name: "toggle-picture",
        what: "Hide or show the screenshot",
        keys: &["i"],
        scope: SESSION,
        changes: false,
        hint: "",
        run: |app| app.session.shown.picture = !app.session.shown.picture,
    },
    Command {
        name: "toggle-trace",
        what: "Hide or show the event trace",
        keys: &["e"],
        scope: SESSION,
        changes: false,
        hint: "",
        run: |app| app.session.shown.trace = !app.session.shown.trace,
    },
    Command {
        name: "toggle-verdicts",
        what: "Hide or show the verdicts",
        keys: &["v"],
        scope: SESSION,
        changes: false,
        hint: "",
        run: |app| app.session.shown.verdicts = !app.session.shown.verdicts,
    },
    Command {
        name: "toggle-transcript",
        what: "Hide or show the exchanges with the language model, in sessions that ask one",
        keys: &["m"],
        scope: SESSION,
        changes: false,
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
