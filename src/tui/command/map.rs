//! Commands of the Model screen.

use super::{Command, Scope};
use crate::app::{App, Dialog};

const MODEL: Scope = Scope::MODEL;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "sort-states",
        what: "Sort the states by visits, by untried events, or as they were found",
        keys: &["s"],
        scope: MODEL,
        changes: false,
        hint: "sort",
        run: App::next_order,
    },
    Command {
        name: "filter-states",
        what: "Show only states whose activity matches",
        keys: &["/"],
        scope: MODEL,
        changes: false,
        hint: "filter",
        run: |app| app.dialog = Some(Dialog::Filter(app.map.filter.clone().into())),
    },
    Command {
        name: "export-dot",
        what: "Write the model as a DOT graph into the folder the cockpit was started in",
        keys: &["x"],
        scope: MODEL,
        changes: false,
        hint: "DOT file",
        run: App::export_map,
    },
];
