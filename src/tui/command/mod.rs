//! The one table of commands. Key handling, footer hints, help, the palette and
//! `docs/commands.md` are all made from it.
//!
//! Invariants: names are unique; no two commands that can apply at the same time share a default
//! key. To add a command, add a row to the table of its place.

mod argument;
mod arrange;
mod dialogs;
mod everywhere;
mod findings;
mod hint;
mod lab;
mod log;
mod map;
mod recorder;
mod session;
mod stepper;
mod table;
mod transcripts;

use bitflags::bitflags;

pub use argument::{Argument, argument};
pub use table::{KeyRow, KeyTable};

use super::app::{App, Screen};

/// A row of the table.
#[derive(Debug)]
pub struct Command {
    /// What the palette and the configuration call it.
    pub name: &'static str,
    /// What it does, in a sentence without a full stop.
    pub what: &'static str,
    /// Default keys, the first of which is shown.
    pub keys: &'static [&'static str],
    /// Where it applies.
    pub scope: Scope,
    /// Whether it changes something in the lab, even if it asks first: nothing for viewers that may only look.
    pub changes: bool,
    /// The word in the footer; empty for commands that are not hinted at.
    pub hint: &'static str,
    pub run: fn(&mut App),
}

bitflags! {
    /// Where a command applies: a set of screens, or dialogs.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Scope: u16 {
        const LAB = 1;
        const SESSION = 1 << 1;
        const FINDINGS = 1 << 2;
        const LOG = 1 << 3;
        const DIALOG = 1 << 4;
        const TRANSCRIPTS = 1 << 5;
        const MODEL = 1 << 6;
        const STEPPER = 1 << 7;
        const RECORDER = 1 << 8;
        const EVERYWHERE = Self::LAB.bits()
            | Self::SESSION.bits()
            | Self::FINDINGS.bits()
            | Self::LOG.bits()
            | Self::TRANSCRIPTS.bits()
            | Self::MODEL.bits()
            | Self::STEPPER.bits()
            | Self::RECORDER.bits();
    }
}

impl Scope {
    pub fn is_on(self, screen: Screen) -> bool {
        self.intersects(Self::of(screen))
    }

    fn of(screen: Screen) -> Scope {
        match screen {
            Screen::Lab => Self::LAB,
            Screen::Session => Self::SESSION,
            Screen::Findings => Self::FINDINGS,
            Screen::Stepper => Self::STEPPER,
            Screen::Transcripts => Self::TRANSCRIPTS,
            Screen::Model => Self::MODEL,
            Screen::Recorder => Self::RECORDER,
            Screen::Log => Self::LOG,
        }
    }

    /// `everywhere`, or the screens by name.
    pub fn words(self) -> String {
        match self {
            Self::EVERYWHERE => "everywhere".into(),
            Self::DIALOG => "dialogs".into(),
            _ => {
                let names = Screen::ALL.iter().filter(|screen| self.is_on(**screen)).map(|s| s.name());
                names.collect::<Vec<_>>().join(", ")
            }
        }
    }
}

/// The tables in the order they are shown.
const TABLES: [&[Command]; 11] = [
    arrange::COMMANDS,
    lab::COMMANDS,
    session::COMMANDS,
    findings::COMMANDS,
    stepper::COMMANDS,
    transcripts::COMMANDS,
    map::COMMANDS,
    recorder::COMMANDS,
    log::COMMANDS,
    everywhere::COMMANDS,
    dialogs::COMMANDS,
];

impl Command {
    /// Whether it can do something as things stand: a session that has ended is neither paused nor stopped.
    pub fn fits(&self, app: &App) -> bool {
        hint::word(self, app).is_some()
    }
}

/// The word that the footer has for a command as things stand; empty when it is not hinted at.
pub fn hint(command: &Command, app: &App) -> &'static str {
    hint::word(command, app).unwrap_or_default()
}

/// The commands that this cockpit can carry out: what hints, help and palette offer.
pub fn offered(app: &App) -> impl Iterator<Item = &'static Command> {
    let read_only = app.options.read_only;
    all().filter(move |command| !(read_only && command.changes) && command.fits(app))
}

/// All commands.
pub fn all() -> impl Iterator<Item = &'static Command> {
    TABLES.into_iter().flatten()
}

/// The table as the Markdown of `docs/commands.md`.
pub fn markdown() -> String {
    let mut text = String::from(
        "# Commands of the cockpit\n\n\
         Made from the table in `src/tui/command/`; do not edit. Keys can be changed in the\n\
         configuration, `[keys]`: `name = [\"key\", …]`; an empty list leaves a command to the\n\
         palette. Keys are written `x`, `X`, `ctrl-x`, `alt-x`, `enter`, `esc`, `tab`,\n\
         `shift-tab`, `space`, `up`, `page-down`, `home`, `f5` and so on; keys that are pressed one\n\
         after the other stand apart by spaces (`\"w s\"`), and after the first of them the cockpit\n\
         shows what may follow. `droidmux keys` prints the table as your configuration leaves it and\n\
         says what is wrong there. What stands in capitals after a name is typed after it in the\n\
         palette, where Tab completes it; [configuration](configuration.md) has the rest.\n",
    );
    let mut scope = None;
    for command in all() {
        if scope != Some(command.scope) {
            scope = Some(command.scope);
            let words = command.scope.words();
            let mut letters = words.chars();
            let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
            text += &format!(
                "\n## {first}{}\n\n| command | keys | what it does |\n|---|---|---|\n",
                letters.as_str()
            );
        }
        let keys: Vec<_> = command.keys.iter().map(|key| format!("`{}`", key.replace('|', "\\|"))).collect();
        let name = match argument(command) {
            Some(argument) => format!("{} {}", command.name, argument.name),
            None => command.name.to_owned(),
        };
        text += &format!("| {name} | {} | {} |\n", keys.join(" "), command.what);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_sentences_plain() {
        let mut names = BTreeSet::new();
        for command in all() {
            assert!(names.insert(command.name), "{} is there twice", command.name);
            assert!(!command.what.ends_with('.'), "{}", command.name);
        }
    }

    /// Written anew when `DROIDMUX_WRITE_DOCS` is set.
    #[test]
    fn the_documentation_is_current() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/commands.md");
        if std::env::var_os("DROIDMUX_WRITE_DOCS").is_some() {
            std::fs::write(path, markdown()).expect("docs/commands.md can be written");
        }
        let documented = std::fs::read_to_string(path).unwrap_or_default();
        let hint = "run `DROIDMUX_WRITE_DOCS=1 cargo test -p droidmux-tui the_documentation_is_current`";
        assert!(documented == markdown(), "docs/commands.md is out of date: {hint}");
    }
}
