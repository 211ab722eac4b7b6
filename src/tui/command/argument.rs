//! What the palette takes after a command's name.

use super::Command;
use crate::app::{App, Effect, Screen};
use crate::theme::{Role, Theme, ThemeChoice};
use droidmux_proto::{Request, SessionState};
use droidmux_record::SessionId;

/// An argument of a command.
pub struct Argument {
    /// The command's name.
    command: &'static str,
    /// What it is, in capitals.
    pub name: &'static str,
    /// The values to choose from; none if any text will do.
    pub values: fn(&App) -> Vec<String>,
    /// What is typed counts besides the values to choose from.
    pub any: bool,
    /// The command with this argument.
    pub run: fn(&mut App, &str),
}

/// Acts that may be let through at once.
const MOST_ACTS: u32 = 10_000;

const ARGUMENTS: &[Argument] = &[
    Argument { command: "theme", name: "THEME", values: themes, any: false, run: theme },
    Argument { command: "session", name: "SESSION", values: sessions, any: false, run: session },
    Argument { command: "step", name: "ACTS", values: |_| Vec::new(), any: true, run: step },
    Argument { command: "priority", name: "NUMBER", values: |_| Vec::new(), any: true, run: priority },
    Argument {
        command: "log-source",
        name: "SOURCE",
        values: App::log_sources,
        any: false,
        run: |app, source| app.show_source(source),
    },
    Argument { command: "search", name: "TEXT", values: |_| Vec::new(), any: true, run: search },
    Argument {
        command: "start",
        name: "FILE devices=SERIAL,… events=N for=TIME",
        values: |app| app.session_files.iter().map(|file| file.path.clone()).collect(),
        any: true,
        run: App::start_named,
    },
    Argument { command: "resume", name: "SESSION", values: resumable, any: true, run: App::resume_named },
    Argument {
        command: "filter-trace",
        name: "WORDS",
        values: |_| Vec::new(),
        any: true,
        run: App::hold_words,
    },
    Argument { command: "width", name: "COLUMN CELLS", values: App::widths, any: true, run: App::set_width },
];

/// What a command takes; `None` for most.
pub fn argument(command: &Command) -> Option<&'static Argument> {
    ARGUMENTS.iter().find(|argument| argument.command == command.name)
}

fn themes(app: &App) -> Vec<String> {
    let own = app.options.own_themes.iter().cloned();
    let mut names: Vec<String> = Theme::built_in().map(str::to_owned).collect();
    names.extend(own.filter(|name| !Theme::built_in().any(|known| known == name)));
    names
}

fn theme(app: &mut App, name: &str) {
    app.effect(Effect::Theme(ThemeChoice::Named(name.to_owned())));
}

fn sessions(app: &App) -> Vec<String> {
    app.view.sessions.iter().map(|session| session.id.to_string()).collect()
}

fn resumable(app: &App) -> Vec<String> {
    let ended = app.view.sessions.iter().filter(|session| session.resumable);
    ended.map(|session| session.id.to_string()).collect()
}

fn session(app: &mut App, name: &str) {
    let known = name.parse::<SessionId>().ok();
    let known = known.filter(|id| app.view.sessions.iter().any(|session| session.id == *id));
    match known {
        Some(id) => {
            app.remember_place();
            app.open_session(Some(id));
            app.show(Screen::Session);
        }
        None => app.say(format!("`{name}` is no session of this lab"), Role::Warn),
    }
}

fn step(app: &mut App, acts: &str) {
    let Ok(acts) = acts.parse::<u32>() else {
        return app.say(format!("`{acts}` is no number of acts"), Role::Warn);
    };
    let Some(session) = app.meant_session().filter(|session| !session.state.is_over()) else {
        return app.say("no session goes on there", Role::Warn);
    };
    let (id, acts) = (session.id, acts.clamp(1, MOST_ACTS));
    app.effect(Effect::Send(Request::Step { session: id, acts }));
    app.say(format!("{id} performs {acts} acts and pauses"), Role::Dim);
}

fn priority(app: &mut App, priority: &str) {
    let Ok(priority) = priority.parse::<i32>() else {
        return app.say(format!("`{priority}` is no priority; 0 is the usual one"), Role::Warn);
    };
    let Some(session) = app.meant_session().filter(|session| session.state != SessionState::Done) else {
        return app.say("no session is selected", Role::Warn);
    };
    let id = session.id;
    app.effect(Effect::Send(Request::Priority { session: id, priority }));
    app.say(format!("{id} has priority {priority}"), Role::Dim);
}

fn search(app: &mut App, text: &str) {
    text.clone_into(&mut app.session.search);
    app.search_layout(true);
}
