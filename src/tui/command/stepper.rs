//! Commands of the Stepper screen.

use super::{Command, Scope};
use crate::app::{App, Dialog};
use droidmux_record::StepOrder;

const STEPPER: Scope = Scope::STEPPER;

/// Where there is a test to be led.
const TESTS: Scope = Scope::SESSION.union(Scope::FINDINGS).union(Scope::STEPPER);

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "step-through",
        what: "Lead the test of this finding, verdict or step over a device; in the Stepper on another one",
        keys: &["R"],
        scope: TESTS,
        changes: true,
        hint: "step through",
        run: App::ask_stepper,
    },
    Command {
        name: "step-next",
        what: "Perform the next event",
        keys: &["n"],
        scope: STEPPER,
        changes: true,
        hint: "next",
        run: |app| app.order(StepOrder::Next),
    },
    Command {
        name: "step-skip",
        what: "Leave the next event out",
        keys: &["x"],
        scope: STEPPER,
        changes: true,
        hint: "skip",
        run: |app| app.order(StepOrder::Skip),
    },
    Command {
        name: "step-insert",
        what: "Perform another event before the next one, on the widget chosen in the tree",
        keys: &["i"],
        scope: STEPPER,
        changes: true,
        hint: "insert",
        run: |app| app.dialog = Some(Dialog::Insert("click".to_owned().into())),
    },
    Command {
        name: "step-back",
        what: "Undo the last order, by running all before it again",
        keys: &["b"],
        scope: STEPPER,
        changes: true,
        hint: "back",
        run: |app| app.order(StepOrder::Back),
    },
    Command {
        name: "step-here",
        what: "Go on, or back, until the event under the cursor is the next one",
        keys: &["r"],
        scope: STEPPER,
        changes: true,
        hint: "run to here",
        run: App::run_to_cursor,
    },
    Command {
        name: "step-violation",
        what: "Go on until the violation shows",
        keys: &["v"],
        scope: STEPPER,
        changes: true,
        hint: "violation",
        run: |app| app.order(StepOrder::RunToViolation),
    },
    Command {
        name: "step-end",
        what: "Go on to the end of the test",
        keys: &["e"],
        scope: STEPPER,
        changes: true,
        hint: "end",
        run: |app| app.order(StepOrder::RunToEnd),
    },
    Command {
        name: "step-beside",
        what: "Show what differs from the recorded screen, or the widgets again",
        keys: &["="],
        scope: STEPPER,
        changes: false,
        hint: "recorded",
        run: App::toggle_beside,
    },
    Command {
        name: "step-picture",
        what: "Let the screenshot fill the screen, or bring the other panes back",
        keys: &["P"],
        scope: STEPPER,
        changes: false,
        hint: "picture",
        run: App::toggle_large_picture,
    },
    Command {
        name: "step-leave",
        what: "End the stepping; what was done stays a session",
        keys: &["L"],
        scope: STEPPER,
        changes: true,
        hint: "leave",
        run: |app| app.order(StepOrder::Leave),
    },
];
