//! Commands of the Log screen.

use super::{Command, Scope};

pub(super) const COMMANDS: &[Command] = &[Command {
    name: "follow-log",
    what: "Follow the newest line, or stay where the cursor is",
    keys: &["f"],
    scope: Scope::LOG,
    hint: "follow",
    run: |app| app.log_follows = !app.log_follows,
}];
