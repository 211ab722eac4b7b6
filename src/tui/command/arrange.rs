//! Commands that arrange the Lab screen.

use super::{Command, Scope};
use crate::app::{App, Dialog};
use crate::pane::Pane;
use crate::theme::Role;

const LAB: Scope = Scope::LAB;
const TABLES: Scope = Scope::LAB.union(Scope::FINDINGS);

/// Cells that a column gains or loses.
const CELLS: i16 = 2;

/// Rows that the devices may have more or fewer.
const MOST_ROWS: i16 = 60;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "table",
        what: "Show the sessions as a table, or as tiles",
        keys: &["w t"],
        scope: LAB,
        changes: false,
        hint: "",
        run: |app| app.toggle_table(),
    },
    Command {
        name: "sort",
        what: "Sort the pane with the focus by the next of: number, state, app, findings, rate, progress",
        keys: &["w s"],
        scope: LAB,
        changes: false,
        hint: "",
        run: sort,
    },
    Command {
        name: "hide-ended",
        what: "Hide the sessions that have ended, or show them",
        keys: &["w e"],
        scope: LAB,
        changes: false,
        hint: "",
        run: hide_ended,
    },
    Command {
        name: "filter-lab",
        what: "Filter devices and sessions by words, fuzzily",
        keys: &["/"],
        scope: LAB,
        changes: false,
        hint: "filter",
        run: |app| app.dialog = Some(Dialog::Filter(app.lab.filter.clone().into())),
    },
    Command {
        name: "follow-device",
        what: "Follow the device under the cursor: whatever session it works for is the current one",
        keys: &["w f"],
        scope: LAB,
        changes: false,
        hint: "",
        run: App::follow_device,
    },
    Command {
        name: "more-devices",
        what: "Give the devices more rows",
        keys: &["w +"],
        scope: LAB,
        changes: false,
        hint: "",
        run: |app| resize(app, 2),
    },
    Command {
        name: "fewer-devices",
        what: "Give the sessions more rows",
        keys: &["w -"],
        scope: LAB,
        changes: false,
        hint: "",
        run: |app| resize(app, -2),
    },
    Command {
        name: "zoom-tile",
        what: "Have the selected session fill the screen as a tile, or bring the others back",
        keys: &["Z"],
        scope: LAB,
        changes: false,
        hint: "zoom",
        run: App::zoom_tile,
    },
    Command {
        name: "usual-arrangement",
        what: "Arrange the screen as it is at first",
        keys: &["w 0"],
        scope: LAB,
        changes: false,
        hint: "",
        run: |app| {
            app.lab.arrangement = Default::default();
            app.lab.filter.clear();
        },
    },
    Command {
        name: "next-column",
        what: "Choose the table's next column, to be made wider or narrower",
        keys: &["|"],
        scope: TABLES,
        changes: false,
        hint: "",
        run: App::next_column,
    },
    Command {
        name: "widen",
        what: "Make the chosen column wider",
        keys: &[")"],
        scope: TABLES,
        changes: false,
        hint: "",
        run: |app| app.resize_column(CELLS),
    },
    Command {
        name: "narrow",
        what: "Make the chosen column narrower",
        keys: &["("],
        scope: TABLES,
        changes: false,
        hint: "",
        run: |app| app.resize_column(-CELLS),
    },
    Command {
        name: "width",
        what: "Give a column of the table so many cells, or the usual ones",
        keys: &[],
        scope: TABLES,
        changes: false,
        hint: "",
        run: |app| app.ask_argument("width"),
    },
];

fn sort(app: &mut App) {
    let focus = app.focus();
    let arrangement = &mut app.lab.arrangement;
    let words = match focus {
        Pane::Devices => {
            arrangement.sort_devices = arrangement.sort_devices.next();
            format!("devices by {}", arrangement.sort_devices.words())
        }
        _ => {
            arrangement.sort_sessions = arrangement.sort_sessions.next();
            format!("sessions by {}", arrangement.sort_sessions.words())
        }
    };
    app.say(words, Role::Dim);
}

fn hide_ended(app: &mut App) {
    let hidden = &mut app.lab.arrangement.hide_ended;
    *hidden = !*hidden;
    let words = if *hidden { "ended sessions are hidden" } else { "ended sessions are shown" };
    app.say(words, Role::Dim);
}

fn resize(app: &mut App, rows: i16) {
    let more = &mut app.lab.arrangement.more_devices;
    *more = more.saturating_add(rows).clamp(-MOST_ROWS, MOST_ROWS);
}
