//! Commands of the Log screen.

use super::{Command, Scope};
use crate::app::{App, Dialog};

const LOG: Scope = Scope::LOG;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "follow-log",
        what: "Follow the newest line, or stay where the cursor is",
        keys: &["f"],
        scope: LOG,
        changes: false,
        hint: "follow",
        run: |app| app.log.follows = !app.log.follows,
    },
    Command {
        name: "log-level",
        what: "Show all lines, then warnings and errors, then errors alone",
        keys: &["v"],
        scope: LOG,
        changes: false,
        hint: "level",
        run: App::next_level,
    },
    Command {
        name: "same-source",
        what: "Show only what is said of the line's device, session or part of the lab, or all again",
        keys: &["s"],
        scope: LOG,
        changes: false,
        hint: "source",
        run: App::toggle_source,
    },
    Command {
        name: "log-source",
        what: "Show only what the log says of a device, a session or a part of the lab, by its name",
        keys: &[],
        scope: LOG,
        changes: false,
        hint: "",
        run: |app| app.ask_argument("log-source"),
    },
    Command {
        name: "search-log",
        what: "Search the log",
        keys: &["/"],
        scope: LOG,
        changes: false,
        hint: "search",
        run: |app| app.dialog = Some(Dialog::Filter(app.log.search.clone().into())),
    },
    Command {
        name: "next-line",
        what: "Go to the next line that holds the text searched for",
        keys: &["n"],
        scope: LOG,
        changes: false,
        hint: "",
        run: |app| app.search_log(true),
    },
    Command {
        name: "previous-line",
        what: "Go to the previous line that holds the text searched for",
        keys: &["N"],
        scope: LOG,
        changes: false,
        hint: "",
        run: |app| app.search_log(false),
    },
    Command {
        name: "examine",
        what: "Have the doctor look at devices, dumps, store and terminal; devices at work are left to their sessions",
        keys: &["x"],
        scope: LOG,
        changes: true,
        hint: "examine",
        run: App::examine,
    },
];
