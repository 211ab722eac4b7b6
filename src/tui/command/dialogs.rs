//! Commands inside dialogs.

use super::{Command, Place};
use crate::tui::app::App;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "accept",
        what: "Do what the dialog says",
        keys: &["enter"],
        place: Place::DIALOG,
        hint: "do it",
        run: App::accept_dialog,
    },
    Command {
        name: "cancel",
        what: "Leave the dialog without doing it",
        keys: &["esc"],
        place: Place::DIALOG,
        hint: "leave",
        run: App::cancel_dialog,
    },
    Command {
        name: "dialog-down",
        what: "Move down in the dialog's list",
        keys: &["down", "ctrl-n"],
        place: Place::DIALOG,
        hint: "",
        run: |app| app.move_in_dialog(1),
    },
    Command {
        name: "dialog-up",
        what: "Move up in the dialog's list",
        keys: &["up", "ctrl-p"],
        place: Place::DIALOG,
        hint: "",
        run: |app| app.move_in_dialog(-1),
    },
];
