//! Commands inside dialogs.

use super::{Command, Scope};
use crate::app::App;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "accept",
        what: "Do what the dialog says",
        keys: &["enter"],
        scope: Scope::DIALOG,
        changes: false,
        hint: "do it",
        run: App::accept_dialog,
    },
    Command {
        name: "cancel",
        what: "Leave the dialog without doing it",
        keys: &["esc"],
        scope: Scope::DIALOG,
        changes: false,
        hint: "leave",
        run: App::cancel_dialog,
    },
    Command {
        name: "complete",
        what: "Complete what is typed in the palette; in a form go to the next field",
        keys: &["tab"],
        scope: Scope::DIALOG,
        changes: false,
        hint: "",
        run: App::complete,
    },
    Command {
        name: "previous-field",
        what: "Go to the field before, in a form",
        keys: &["shift-tab"],
        scope: Scope::DIALOG,
        changes: false,
        hint: "",
        run: App::complete_back,
    },
    Command {
        name: "dialog-down",
        what: "Move down in the dialog's list",
        keys: &["down", "ctrl-n"],
        scope: Scope::DIALOG,
        changes: false,
        hint: "",
        run: |app| app.move_in_dialog(1),
    },
    Command {
        name: "dialog-up",
        what: "Move up in the dialog's list",
        keys: &["up", "ctrl-p"],
        scope: Scope::DIALOG,
        changes: false,
        hint: "",
        run: |app| app.move_in_dialog(-1),
    },
];
