//! Commands of the Findings screen.

use super::{Command, Scope};
use crate::record::FindingState;
use crate::tui::app::{App, Dialog, Effect};
use crate::tui::theme::Role;

const FINDINGS: Scope = Scope::FINDINGS;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "filter",
        what: "Filter the findings by words, fuzzily",
        keys: &["/"],
        scope: FINDINGS,
        hint: "filter",
        run: |app| app.dialog = Some(Dialog::Filter(app.findings.filter.clone().into())),
    },
    Command {
        name: "next-tier",
        what: "Show the suspicious findings, then the explained ones, then the reported ones again",
        keys: &["s"],
        scope: FINDINGS,
        hint: "next tier",
        run: |app| app.next_tier(1),
    },
    Command {
        name: "previous-tier",
        what: "Show the findings of the tier before",
        keys: &["S"],
        scope: FINDINGS,
        hint: "",
        run: |app| app.next_tier(2),
    },
    Command {
        name: "promote",
        what: "Put the finding among the reported ones, with a note",
        keys: &["+"],
        scope: FINDINGS,
        hint: "promote",
        run: |app| mark(app, FindingState::Promoted),
    },
    Command {
        name: "demote",
        what: "Put the finding among the suspicious ones, with a note",
        keys: &["-"],
        scope: FINDINGS,
        hint: "demote",
        run: |app| mark(app, FindingState::Demoted),
    },
    Command {
        name: "go-to-evidence",
        what: "Go to the next step that the finding's evidence names, in the trace of its session",
        keys: &["o"],
        scope: FINDINGS,
        hint: "steps",
        run: App::go_to_evidence,
    },
    Command {
        name: "mark-true",
        what: "Mark the finding as a true bug, with a note",
        keys: &["t"],
        scope: FINDINGS,
        hint: "true",
        run: |app| mark(app, FindingState::True),
    },
    Command {
        name: "mark-false-alarm",
        what: "Mark the finding as a false alarm, with a note",
        keys: &["x"],
        scope: FINDINGS,
        hint: "false alarm",
        run: |app| mark(app, FindingState::FalseAlarm),
    },
    Command {
        name: "mark-duplicate",
        what: "Mark the finding as a duplicate, with a note that says of which",
        keys: &["d"],
        scope: FINDINGS,
        hint: "duplicate",
        run: |app| mark(app, FindingState::Duplicate),
    },
    Command {
        name: "mark-new",
        what: "Take the finding's mark back",
        keys: &["n"],
        scope: FINDINGS,
        hint: "",
        run: |app| mark(app, FindingState::New),
    },
    Command {
        name: "copy-id",
        what: "Copy the finding's id to the clipboard",
        keys: &["y"],
        scope: FINDINGS,
        hint: "copy id",
        run: |app| copy(app, |id| id),
    },
    Command {
        name: "copy-replay",
        what: "Copy the command that replays the finding",
        keys: &["Y"],
        scope: FINDINGS,
        hint: "",
        run: |app| copy(app, |id| format!("droidmux replay {id} --times 3")),
    },
    Command {
        name: "step-through",
        what: "Lead the finding's test over a device, event by event",
        keys: &["R"],
        scope: FINDINGS,
        hint: "step through",
        run: App::ask_stepper,
    },
    Command {
        name: "next-effect",
        what: "Go to the next unmatched effect",
        keys: &["e"],
        scope: FINDINGS,
        hint: "next effect",
        run: |app| app.next_effect(1),
    },
    Command {
        name: "previous-effect",
        what: "Go to the previous unmatched effect",
        keys: &["E"],
        scope: FINDINGS,
        hint: "",
        run: |app| app.next_effect(-1),
    },
    Command {
        name: "compare",
        what: "Compare before with after, or seed with mutant",
        keys: &["v"],
        scope: FINDINGS,
        hint: "compare",
        run: App::next_comparison,
    },
    Command {
        name: "unfold",
        what: "Show or fold away the widgets that are equal on both sides",
        keys: &["u"],
        scope: FINDINGS,
        hint: "",
        run: |app| app.findings.unfolded = !app.findings.unfolded,
    },
];

fn mark(app: &mut App, state: FindingState) {
    match app.findings.selected() {
        Some(row) => {
            let finding = row.id.clone();
            let note = app.findings.details.get(&finding).map(|detail| detail.finding.note.clone());
            let input = note.unwrap_or_default().into();
            app.dialog = Some(Dialog::Note { finding, state, input });
        }
        None => app.say("no finding is selected", Role::Warn),
    }
}

fn copy(app: &mut App, text: fn(String) -> String) {
    match app.findings.selected() {
        Some(row) => {
            let text = text(row.id.to_string());
            app.say(format!("copied: {text}"), Role::Good);
            app.effect(Effect::Copy(text));
        }
        None => app.say("no finding is selected", Role::Warn),
    }
}
