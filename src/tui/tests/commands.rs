//! What the command table feeds: prefixes, palette, hints, help, and what is wrong with the configuration.

use std::sync::Arc;

use super::Cockpit;
use crate::TuiOptions;
use crate::app::{App, Dialog, Msg, Screen};
use crate::command;
use droidmux_proto::SessionState;
use droidmux_testutils::fixtures::FakeLab;

/// After a prefix the screen shows what may follow, and keys that run nothing are reported.
#[test]
fn prefixes_show_what_may_follow() {
    let keys = [("next-theme", &["ctrl-x t"][..]), ("digest", &["ctrl-x d"]), ("promote", &["ctrl-x p"])];
    let owned = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
    let keys = keys.into_iter().map(|(name, keys)| (name.to_owned(), owned(keys))).collect();
    let options = TuiOptions { images: false, keys, ..TuiOptions::default() };
    let mut cockpit = Cockpit::with(80, 24, FakeLab::new(100), options);
    let has = |cockpit: &Cockpit, expected: &[(&str, bool)], after: &str| {
        let screen = cockpit.screen();
        for (words, there) in expected {
            assert_eq!(screen.contains(words), *there, "`{words}` after {after}:\n{screen}");
        }
    };
    cockpit.press("ctrl-x");
    has(&cockpit, &[("ctrl-x …", true), ("t       next-theme", true), ("promote", false)], "the prefix");
    cockpit.press("esc");
    has(&cockpit, &[("next-theme", false), ("runs nothing", false)], "esc");
    cockpit.press("ctrl-x z");
    has(&cockpit, &[("`ctrl-x z` runs nothing", true), ("ctrl-x …", false)], "a key that follows no more");
    cockpit.press("ctrl-x t");
    assert_eq!(cockpit.app.theme.name, "light");
    cockpit.press("3 ctrl-x");
    has(&cockpit, &[("p       promote", true)], "the prefix on another screen");
    cockpit.press("p");
    assert!(matches!(cockpit.app.dialog, Some(Dialog::Note { .. })));
}

/// The palette takes what a command wants to know, and completes it.
#[test]
fn the_palette_takes_arguments() {
    // (typed, keys after it) and: the theme, the session, what is done and said
    let cases = [
        ("theme sol", "enter", "solarised s1 "),
        ("theme", "tab", "dark s1 "),
        ("theme", "enter", "dark s1 "),
        ("theme", "tab down enter", "light s1 "),
        ("theme nowhere", "enter", "dark s1 "),
        ("session s2", "enter", "dark s2 "),
        ("session s9", "enter", "dark s1 "),
        ("step 12", "enter", "dark s1 Step { session: SessionId(1), acts: 12 }"),
        ("step many", "enter", "dark s1 "),
        ("priority -3", "enter", "dark s1 Priority { session: SessionId(1), priority: -3 }"),
        ("quit", "enter", "dark s1 Quit"),
    ];
    for (typed, keys, expected) in cases {
        let mut cockpit = Cockpit::new(80, 24, 100);
        cockpit.press(":");
        cockpit.type_text(typed);
        cockpit.press(keys);
        let session = cockpit.app.session.id.map(|id| id.to_string()).unwrap_or_default();
        let found = format!("{} {session} {}", cockpit.app.theme.name, cockpit.effects.join("; "));
        assert_eq!(found, expected, "after {typed} {keys}");
    }
    let mut cockpit = Cockpit::new(80, 24, 100);
    cockpit.press(":");
    cockpit.type_text("theme");
    cockpit.press("tab");
    let screen = cockpit.screen();
    assert!(screen.contains("> theme ") && screen.contains("theme monochrome"), "{screen}");
}

/// Hints say what a key does as things stand, and nothing is offered that would do nothing.
#[test]
fn hints_fit_the_state() {
    let hints = |state: SessionState, keys: &str| {
        let mut cockpit = Cockpit::new(200, 60, 100);
        let mut view = cockpit.lab.view();
        view.sessions[0].state = state;
        cockpit.tell(Msg::View(Arc::new(view)));
        cockpit.press(keys);
        cockpit.screen().lines().last().unwrap_or_default().to_owned()
    };
    let paused = || SessionState::Paused("by hand".into());
    let cases = [
        (SessionState::Running, "", "p pause", "p resume"),
        (paused(), "", "p resume", "p pause"),
        (paused(), "2", "S stop", "p pause"),
        (SessionState::Done, "", "q quit", "p "),
        (SessionState::Stopped, "2", "q quit", "S stop"),
        (SessionState::Running, "2", "f stay here", "f follow"),
        (SessionState::Running, "2 k", "f follow", "f stay"),
        (SessionState::Running, "2 k b", "b after", "b before"),
    ];
    for (state, keys, there, absent) in cases {
        let line = format!("{} ", hints(state.clone(), keys));
        assert!(
            line.contains(there) && !line.contains(&format!(" {absent}")),
            "{state:?} after {keys}: {line}"
        );
    }
}

/// A help that is longer than the screen says so, and how much is left.
#[test]
fn a_help_that_can_be_scrolled_says_so() {
    let mut cockpit = Cockpit::new(80, 24, 100);
    cockpit.press("?");
    let top = cockpit.screen();
    assert!(top.contains("more below") && top.contains('▼') && !top.contains('▲'), "{top}");
    cockpit.press("down");
    let middle = cockpit.screen();
    assert!(middle.contains("1 more above") && middle.contains('▼') && middle.contains('▲'), "{middle}");
    cockpit.press(&"down ".repeat(200));
    let bottom = cockpit.screen();
    assert!(bottom.contains("more above") && !bottom.contains("below") && !bottom.contains('▼'), "{bottom}");
}

/// Errors in the configuration are reported with file and line.
#[test]
fn faults_of_the_configuration_are_told_with_their_place() {
    let keys = [("quit".to_owned(), vec!["p".to_owned()]), ("fly".to_owned(), vec!["w".to_owned()])];
    let places = [("keys.quit", "config.toml:4"), ("keys.fly", "config.toml:5"), ("theme", "config.toml:1")];
    let options = TuiOptions {
        images: false,
        theme: Some("absent".into()),
        keys: keys.into_iter().collect(),
        places: places.into_iter().map(|(name, place)| (name.into(), place.into())).collect(),
        ..TuiOptions::default()
    };
    let mut cockpit = Cockpit::with(200, 60, FakeLab::new(100), options);
    let line = cockpit.screen().lines().last().unwrap_or_default().to_owned();
    assert!(line.contains("1 of 3 (? has all): theme `absent`: there is none"), "{line}");
    cockpit.press("?");
    let help = cockpit.screen();
    for words in [
        "config.toml:5: there is no command `fly`",
        "config.toml:4: `p` already runs `quit`, so it does not run `pause`",
        "(config.toml:1)",
    ] {
        assert!(help.contains(words), "{words} is not in\n{help}");
    }
}

/// Theme files that change while the cockpit shows them are read again; one that is broken leaves all as it is.
#[test]
fn themes_are_read_again_when_their_files_change() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.toml");
    let write = |text: &str| std::fs::write(&file, text).expect("written");
    write("inherits = \"light\"");
    let options = TuiOptions {
        images: false,
        theme: Some("mine".into()),
        theme_folder: Some(folder.path().to_owned()),
        ..TuiOptions::default()
    };
    let mut cockpit = Cockpit::with(80, 24, FakeLab::new(100), options);
    let before = cockpit.app.theme.clone();
    // (what the file says, whether the theme changes, what is said)
    let cases = [
        ("inherits = \"light\" # alike", false, ""),
        ("inherits = \"light\"\n[styles\n", false, "mine.toml:2"),
        ("inherits = \"light\"\n[styles]\nbad = \"nowhere\"", true, "mine.toml:3: `bad` names"),
        ("inherits = \"solarised\"", true, "theme mine"),
    ];
    let mut last = before;
    for (text, changes, said) in cases {
        write(text);
        cockpit.app.status = None;
        cockpit.tell(Msg::ThemesChanged);
        assert_eq!(cockpit.app.theme != last, changes, "{text}");
        let status = cockpit.app.status.clone().map(|(text, _)| text).unwrap_or_default();
        assert!(status.contains(said) && status.is_empty() == said.is_empty(), "{text}: {status}");
        last = cockpit.app.theme.clone();
    }
}

/// What pressing the first key of a command leads to on a screen: what it asks of the lab, or the
/// question it asks first, is a change; and what is said.
fn pressed(screen: &str, key: &str, read_only: bool) -> (bool, String) {
    let options = TuiOptions { images: false, read_only, ..TuiOptions::default() };
    let lab = FakeLab { people: true, ..FakeLab::new(1_234) };
    let mut cockpit = Cockpit::with(200, 60, lab, options);
    cockpit.press(screen);
    if key == "r" {
        // There must be something that can be resumed.
        let mut view = cockpit.lab.view();
        (view.sessions[0].state, view.sessions[0].resumable) = (SessionState::Stopped, true);
        cockpit.tell(Msg::View(Arc::new(view)));
    }
    if key == "U" {
        // There must be something that can be taken back.
        cockpit.press("t enter");
    }
    cockpit.effects.clear();
    cockpit.press(key);
    let asks = [
        "Pause",
        "Resume",
        "Stop",
        "Step",
        "Priority",
        "Mark",
        "Bookmark",
        "Replay",
        "Shrink",
        "OpenStepper",
        "Order",
        "Record",
        "Examine",
        "GoOn",
        "Recheck",
        "Edit",
    ];
    let changes = cockpit.effects.iter().any(|effect| asks.iter().any(|ask| effect.starts_with(ask)))
        || matches!(
            cockpit.app.dialog,
            Some(
                Dialog::Stop(_)
                    | Dialog::Note { .. }
                    | Dialog::Device { .. }
                    | Dialog::Insert(_)
                    | Dialog::Recording(_)
                    | Dialog::Entry(..)
                    | Dialog::Drop(_)
                    | Dialog::Start(_)
            )
        );
    (changes, cockpit.app.status.map(|(text, _)| text).unwrap_or_default())
}

#[test]
fn who_may_only_look_is_offered_and_can_do_nothing_else() {
    let screens = [("1", Screen::Lab), ("2", Screen::Session), ("3", Screen::Findings)];
    let screens = screens.into_iter().chain([
        ("5", Screen::Transcripts),
        ("8", Screen::Log),
        ("3 R enter k k 4", Screen::Stepper),
        ("7 n enter enter enter e n t r y enter j", Screen::Recorder),
    ]);
    let options = TuiOptions { read_only: true, ..TuiOptions::default() };
    let offered: Vec<&str> = command::offered(&App::new(options)).map(|command| command.name).collect();
    for (way, screen) in screens {
        for command in command::all().filter(|command| command.scope.is_on(screen)) {
            let Some(key) = command.keys.first() else { continue };
            let (changes, _) = pressed(way, key, false);
            assert_eq!(changes, command.changes, "`{}` on {screen:?}", command.name);
            let (changes, said) = pressed(way, key, true);
            assert!(!changes, "`{}` on {screen:?}", command.name);
            assert_eq!(said.contains("may only look"), command.changes, "`{}`: {said}", command.name);
            assert_eq!(offered.contains(&command.name), !command.changes, "`{}`", command.name);
        }
    }
    for keys in ["1", "1 ?", "3", "3 ?", "1 :"] {
        let shown = |read_only| {
            let options = TuiOptions { images: false, read_only, ..TuiOptions::default() };
            let mut cockpit = Cockpit::with(200, 60, FakeLab::new(1_234), options);
            cockpit.press(keys);
            cockpit.screen()
        };
        let words = if keys.starts_with('1') { "pause" } else { "false" };
        let count = |screen: String| screen.matches(words).count();
        assert!(count(shown(true)) < count(shown(false)), "after {keys}: {}", shown(true));
    }
}
