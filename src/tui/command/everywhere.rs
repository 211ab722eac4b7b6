//! Commands of all screens.

use super::{Command, Scope};
use crate::proto::Request;
use crate::tui::app::{App, Dialog, Effect, Screen};
use crate::tui::list::List;
use crate::tui::theme::{Role, Theme};

const EVERYWHERE: Scope = Scope::EVERYWHERE;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "palette",
        what: "Find a command by name and run it",
        keys: &[":", "ctrl-p"],
        scope: EVERYWHERE,
        hint: "commands",
        run: |app| app.dialog = Some(Dialog::Palette { input: Default::default(), list: List::default() }),
    },
    Command {
        name: "help",
        what: "Show the keys of this screen",
        keys: &["?", "f1"],
        scope: EVERYWHERE,
        hint: "help",
        run: |app| app.dialog = Some(Dialog::Help(List::default())),
    },
    Command {
        name: "quit",
        what: "Leave the cockpit; a lab server goes on",
        keys: &["q", "ctrl-c"],
        scope: EVERYWHERE,
        hint: "quit",
        run: |app| app.effect(Effect::Quit),
    },
    Command {
        name: "lab",
        what: "Go to the lab: devices and sessions",
        keys: &["1"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| app.show(Screen::Lab),
    },
    Command {
        name: "session",
        what: "Go to the session: layout, trace, verdicts and transcript",
        keys: &["2"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| app.show(Screen::Session),
    },
    Command {
        name: "findings",
        what: "Go to the findings of all sessions",
        keys: &["3"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| app.show(Screen::Findings),
    },
    Command {
        name: "stepper",
        what: "Go to the test that is led over a device",
        keys: &["4"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| app.show(Screen::Stepper),
    },
    Command {
        name: "transcripts",
        what: "Go to the session's exchanges with language models",
        keys: &["5"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| app.show(Screen::Transcripts),
    },
    Command {
        name: "log",
        what: "Go to the log",
        keys: &["8"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| app.show(Screen::Log),
    },
    Command {
        name: "digest",
        what: "Show what happened since you last left",
        keys: &["D"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| app.effect(Effect::Send(Request::Digest)),
    },
    Command {
        name: "next-host",
        what: "Show the next lab of several",
        keys: &["}"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| app.effect(Effect::Host(1)),
    },
    Command {
        name: "previous-host",
        what: "Show the previous lab of several",
        keys: &["{"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| app.effect(Effect::Host(-1)),
    },
    Command {
        name: "next-pane",
        what: "Move the focus to the next pane",
        keys: &["tab"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| app.cycle_focus(true),
    },
    Command {
        name: "previous-pane",
        what: "Move the focus to the previous pane",
        keys: &["shift-tab"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| app.cycle_focus(false),
    },
    Command {
        name: "enlarge",
        what: "Let the pane with the focus fill the screen, or bring the others back",
        keys: &["z"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| {
            app.enlarged = if app.enlarged.is_some() { None } else { Some(app.focus()) };
        },
    },
    Command {
        name: "open",
        what: "Open what is selected",
        keys: &["enter"],
        scope: EVERYWHERE,
        hint: "open",
        run: App::open_selected,
    },
    Command {
        name: "back",
        what: "Undo the last step into something: enlarged pane, opened finding, session",
        keys: &["esc", "backspace"],
        scope: EVERYWHERE,
        hint: "",
        run: App::go_back,
    },
    Command {
        name: "down",
        what: "Move down a row",
        keys: &["down", "j"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| app.move_rows(1),
    },
    Command {
        name: "up",
        what: "Move up a row",
        keys: &["up", "k"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| app.move_rows(-1),
    },
    Command {
        name: "right",
        what: "Move right among tiles",
        keys: &["right", "l"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| app.move_sideways(1),
    },
    Command {
        name: "left",
        what: "Move left among tiles",
        keys: &["left", "h"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| app.move_sideways(-1),
    },
    Command {
        name: "page-down",
        what: "Move down a page",
        keys: &["page-down", "ctrl-f", "space"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| app.move_pages(1),
    },
    Command {
        name: "page-up",
        what: "Move up a page",
        keys: &["page-up", "ctrl-b"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| app.move_pages(-1),
    },
    Command {
        name: "first",
        what: "Move to the first row",
        keys: &["home", "g"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| app.move_rows(i64::MIN),
    },
    Command {
        name: "last",
        what: "Move to the last row",
        keys: &["end", "G"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| app.move_rows(i64::MAX),
    },
    Command {
        name: "next-theme",
        what: "Change to the next built-in theme",
        keys: &["T"],
        scope: EVERYWHERE,
        hint: "",
        run: next_theme,
    },
    Command {
        name: "redraw",
        what: "Paint the screen again and ask again for what the lab refused",
        keys: &["ctrl-l"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| {
            app.asked.forgive();
            app.effect(Effect::Redraw);
        },
    },
    Command {
        name: "suspend",
        what: "Go back to the shell; `fg` comes back",
        keys: &["ctrl-z"],
        scope: EVERYWHERE,
        hint: "",
        run: |app| app.effect(Effect::Suspend),
    },
];

fn next_theme(app: &mut App) {
    let names: Vec<_> = Theme::built_in().collect();
    let now = names.iter().position(|name| *name == app.theme.name);
    let next = names[now.map_or(0, |n| (n + 1) % names.len())];
    let (theme, warnings) = Theme::load(next, app.options.theme_folder.as_deref(), app.options.colours);
    app.theme = theme;
    app.say(warnings.first().cloned().unwrap_or_else(|| format!("theme {next}")), Role::Dim);
}
