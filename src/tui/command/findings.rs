//! Commands of the Findings screen.

use super::{Command, Scope};
use crate::app::{App, Dialog, Effect};
use crate::theme::Role;
use droidmux_proto::Request;
use droidmux_record::{FindingId, FindingState};

/// Why no command is offered.
const PASSING: &str =
    "nothing copied: this store goes with the cockpit; `droidmux demo --store FOLDER` keeps it";

const FINDINGS: Scope = Scope::FINDINGS;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "filter",
        what: "Filter the findings by fields and words: state:new app:files crash",
        keys: &["/"],
        scope: FINDINGS,
        changes: false,
        hint: "filter",
        run: |app| app.dialog = Some(Dialog::Filter(app.findings.filter.clone().into())),
    },
    Command {
        name: "next-tier",
        what: "Show the suspicious findings, then the explained ones, then the reported ones again",
        keys: &["s"],
        scope: FINDINGS,
        changes: false,
        hint: "next tier",
        run: |app| app.next_tier(1),
    },
    Command {
        name: "previous-tier",
        what: "Show the findings of the tier before",
        keys: &["S"],
        scope: FINDINGS,
        changes: false,
        hint: "",
        run: |app| app.next_tier(2),
    },
    Command {
        name: "promote",
        what: "Put the finding among the reported ones, with a note",
        keys: &["+"],
        scope: FINDINGS,
        changes: true,
        hint: "promote",
        run: |app| app.ask_mark(FindingState::Promoted),
    },
    Command {
        name: "demote",
        what: "Put the finding among the suspicious ones, with a note",
        keys: &["-"],
        scope: FINDINGS,
        changes: true,
        hint: "demote",
        run: |app| app.ask_mark(FindingState::Demoted),
    },
    Command {
        name: "go-to-evidence",
        what: "Go to the step at which the evidence shows, in the trace of its session; again for the next one",
        keys: &["o"],
        scope: FINDINGS,
        changes: false,
        hint: "steps",
        run: App::go_to_evidence,
    },
    Command {
        name: "go-to-verdict",
        what: "Go to the verdict that the finding was first seen in",
        keys: &["w"],
        scope: FINDINGS,
        changes: false,
        hint: "verdict",
        run: App::go_to_verdict,
    },
    Command {
        name: "mark-true",
        what: "Mark the finding as a true bug, with a note",
        keys: &["t"],
        scope: FINDINGS,
        changes: true,
        hint: "true",
        run: |app| app.ask_mark(FindingState::True),
    },
    Command {
        name: "mark-false-alarm",
        what: "Mark the finding as a false alarm, with a note",
        keys: &["x"],
        scope: FINDINGS,
        changes: true,
        hint: "false alarm",
        run: |app| app.ask_mark(FindingState::FalseAlarm),
    },
    Command {
        name: "mark-duplicate",
        what: "Mark the finding as a duplicate of another one, which is checked",
        keys: &["d"],
        scope: FINDINGS,
        changes: true,
        hint: "duplicate",
        run: |app| app.ask_mark(FindingState::Duplicate),
    },
    Command {
        name: "mark-new",
        what: "Take the finding's mark back",
        keys: &["n"],
        scope: FINDINGS,
        changes: true,
        hint: "",
        run: |app| app.ask_mark(FindingState::New),
    },
    Command {
        name: "pick",
        what: "Pick the finding for the next mark, or let it go",
        keys: &["m"],
        scope: FINDINGS,
        changes: false,
        hint: "pick",
        run: App::pick_finding,
    },
    Command {
        name: "pick-all",
        what: "Pick all findings that are shown, or let go of all",
        keys: &["M"],
        scope: FINDINGS,
        changes: false,
        hint: "",
        run: App::pick_all,
    },
    Command {
        name: "undo-mark",
        what: "Take the last marks back",
        keys: &["U"],
        scope: FINDINGS,
        changes: true,
        hint: "undo",
        run: App::undo_marks,
    },
    Command {
        name: "sort-findings",
        what: "Sort the findings by the next column",
        keys: &["a"],
        scope: FINDINGS,
        changes: false,
        hint: "sort",
        run: App::next_sort,
    },
    Command {
        name: "reverse-sort",
        what: "Turn the order of the findings round",
        keys: &["A"],
        scope: FINDINGS,
        changes: false,
        hint: "",
        run: App::reverse_sort,
    },
    Command {
        name: "replay",
        what: "Run the finding's tests again, three times, in a session of its own",
        keys: &["r"],
        scope: FINDINGS,
        changes: true,
        hint: "replay",
        run: |app| run_again(app, "run again", |finding| Request::Replay { finding, times: TIMES }),
    },
    Command {
        name: "shrink",
        what: "Look for as few events as still show the finding, in a session of its own",
        keys: &["c"],
        scope: FINDINGS,
        changes: true,
        hint: "",
        run: |app| run_again(app, "shrunk", Request::Shrink),
    },
    Command {
        name: "recheck",
        what: "Have today's rules and all oracles judge what the finding's session recorded, without a device",
        keys: &["C"],
        scope: FINDINGS,
        changes: true,
        hint: "",
        run: App::recheck_finding,
    },
    Command {
        name: "copy-id",
        what: "Copy the finding's id to the clipboard",
        keys: &["y"],
        scope: FINDINGS,
        changes: false,
        hint: "copy id",
        run: |app| copy(app, |_, id| Some(id)),
    },
    Command {
        name: "copy-replay",
        what: "Copy the command that replays the finding",
        keys: &["Y"],
        scope: FINDINGS,
        changes: false,
        hint: "",
        run: copy_replay,
    },
    Command {
        name: "next-effect",
        what: "Go to the next unmatched effect",
        keys: &["e"],
        scope: FINDINGS,
        changes: false,
        hint: "next effect",
        run: |app| app.next_effect(1),
    },
    Command {
        name: "previous-effect",
        what: "Go to the previous unmatched effect",
        keys: &["E"],
        scope: FINDINGS,
        changes: false,
        hint: "",
        run: |app| app.next_effect(-1),
    },
    Command {
        name: "compare",
        what: "Compare before with after, or seed with mutant",
        keys: &["v"],
        scope: FINDINGS,
        changes: false,
        hint: "compare",
        run: App::next_comparison,
    },
    Command {
        name: "unfold",
        what: "Show or fold away the widgets that are equal on both sides",
        keys: &["u"],
        scope: FINDINGS,
        changes: false,
        hint: "",
        run: |app| app.findings.unfolded = !app.findings.unfolded,
    },
];

/// Replays that one key asks for.
const TIMES: u32 = 3;

/// Has the lab run the finding under the cursor again.
fn run_again(app: &mut App, what: &str, request: fn(FindingId) -> Request) {
    let Some(id) = app.findings.selected().map(|row| row.id.clone()) else {
        return app.say("no finding is selected", Role::Warn);
    };
    app.say(format!("{id} is {what} in a session of its own; the result comes to the finding"), Role::Good);
    app.effect(Effect::Send(request(id)));
}

/// What cannot be replayed from a shell is not copied.
fn copy_replay(app: &mut App) {
    copy(app, |app, id| app.options.home.command(&format!("replay {id} --times 3")));
}

fn copy(app: &mut App, text: fn(&App, String) -> Option<String>) {
    let Some(row) = app.findings.selected() else { return app.say("no finding is selected", Role::Warn) };
    match text(app, row.id.to_string()) {
        Some(text) => {
            let later =
                if app.options.home.ends_with_cockpit() { " (once this cockpit is left)" } else { "" };
            app.say(format!("copied: {text}{later}"), Role::Good);
            app.effect(Effect::Copy(text));
        }
        None => app.say(PASSING, Role::Warn),
    }
}
