//! What keys do: (state, keys, what follows).

use std::sync::Arc;

use super::Cockpit;
use crate::proto::{LabView, Reply, Request, SessionState, StepView};
use crate::record::{FindingState, SessionId};
use crate::tui::app::{App, Dialog, Effect, Msg, Screen, update};
use crate::tui::command;
use crate::tui::fixtures::{FakeLab, lab_view, layout, step};
use crate::tui::pane::Pane;
use crate::tui::{Home, TuiOptions};

/// What of the state a test looks at.
fn state(app: &App) -> String {
    let cursor = |list: &crate::tui::list::List| list.cursor;
    match (app.screen, app.focus()) {
        (Screen::Lab, Pane::Devices) => format!("lab devices {}", cursor(&app.devices)),
        (Screen::Lab, Pane::Sessions) => format!("lab table {}", cursor(&app.tiles)),
        (Screen::Lab, _) => format!("lab tiles {}", cursor(&app.tiles)),
        (Screen::Session, pane) => {
            let s = &app.session;
            let id = s.id.map(|id| id.to_string()).unwrap_or_default();
            let follows = if s.follows { " follows" } else { "" };
            let moment = if s.before { " before" } else { "" };
            format!("{id} {pane:?} step {} widget {}{follows}{moment}", cursor(&s.trace), cursor(&s.tree))
        }
        (Screen::Findings, pane) => {
            let f = &app.findings;
            let row = f.selected().map(|row| row.rank).unwrap_or(0);
            format!("findings {pane:?} rank {row} of {} effect {}", f.shown.len(), f.effect)
        }
        (Screen::Transcripts, pane) => {
            let t = &app.transcripts;
            let shown = t.selected().map_or(String::new(), |seq| seq.to_string());
            let agent = t.agent.map_or("all", |agent| agent.name());
            let follows = if t.follows { " follows" } else { "" };
            format!("{pane:?} row {} of {agent} {} is {shown}{follows}", cursor(&t.list), t.lines.len())
        }
        (Screen::Model, pane) => {
            let m = &app.map;
            let state = m.selected().map_or(String::new(), |number| number.to_string());
            format!(
                "{pane:?} row {} of {} is state {state} {}",
                cursor(&m.list),
                m.shown.len(),
                m.order.name()
            )
        }
        (Screen::Stepper, pane) => {
            let s = &app.stepper;
            format!("stepper {pane:?} row {} widget {}", cursor(&s.lanes), cursor(&s.widgets))
        }
        (Screen::Recorder, pane) => {
            let r = &app.recorder;
            let text = app.chosen_widget().map_or("", |widget| widget.text());
            let phase = r.view.as_ref().map(|view| view.events.len());
            format!("recorder {pane:?} row {} {text:?} events {phase:?}", cursor(&r.live))
        }
        (Screen::Log, _) => format!("log {}", cursor(&app.log.list)),
    }
}

#[test]
fn keys_move_and_open() {
    let cases = [
        ("", "lab tiles 0"),
        ("l", "lab tiles 1"),
        ("l l l l", "lab tiles 2"),
        ("tab", "lab devices 0"),
        ("tab j j", "lab devices 2"),
        ("tab j j enter", "s2 Trace step 1233 widget 0 follows"),
        ("l 2", "s2 Trace step 1233 widget 0 follows"),
        ("2 1 l 2", "s2 Trace step 1233 widget 0 follows"),
        ("2 1 tab j j 2", "s2 Trace step 1233 widget 0 follows"),
        ("w t", "lab table 0"),
        ("w t j j", "lab table 2"),
        ("w t j enter", "s2 Trace step 1233 widget 0 follows"),
        ("w t j w t", "lab tiles 1"),
        ("l w e", "lab tiles 1"),
        ("l l w e", "lab tiles 1"),
        ("2 ] 1", "lab tiles 1"),
        ("2 ] esc 2", "s2 Trace step 1233 widget 0 follows"),
        ("enter", "s1 Trace step 1233 widget 0 follows"),
        ("enter esc", "lab tiles 0"),
        ("4", "stepper Lanes row 0 widget 0"),
        ("3 R enter", "stepper Lanes row 4 widget 3"),
        ("3 R enter k", "stepper Lanes row 3 widget 3"),
        ("3 R enter enter j", "stepper Widgets row 4 widget 4"),
        ("2 k", "s1 Trace step 1232 widget 0"),
        ("2 k j", "s1 Trace step 1233 widget 0 follows"),
        ("2 k f", "s1 Trace step 1233 widget 0 follows"),
        ("2 g", "s1 Trace step 0 widget 0"),
        ("2 g page-down", "s1 Trace step 38 widget 0"),
        ("2 k k b", "s1 Trace step 1231 widget 4 before"),
        ("2 enter j j", "s1 Tree step 1233 widget 2 follows"),
        ("2 ]", "s2 Trace step 1233 widget 0 follows"),
        ("2 [", "s1 Trace step 1233 widget 0 follows"),
        ("5", "Exchanges row 0 of all 0 is  follows"),
        ("l 5", "Exchanges row 41 of all 42 is 41 follows"),
        ("l 5 k", "Exchanges row 40 of all 42 is 40"),
        ("l 5 k f", "Exchanges row 41 of all 42 is 41 follows"),
        ("l 5 a", "Exchanges row 13 of explorer 14 is 39 follows"),
        ("l 5 a a a k", "Exchanges row 12 of detector 14 is 38"),
        ("l 5 a a a a", "Exchanges row 41 of all 42 is 41 follows"),
        ("l 5 s", "s2 Trace step 83 widget 0"),
        ("l 5 enter", "Exchange row 41 of all 42 is 41 follows"),
        ("l 5 enter esc", "Exchanges row 41 of all 42 is 41 follows"),
        ("l enter tab", "s2 Talk step 1233 widget 0 follows"),
        ("l enter tab k enter", "Exchange row 40 of all 42 is 40"),
        ("l enter tab k enter esc", "s2 Talk step 1233 widget 0 follows"),
        ("2 tab", "s1 Verdicts step 1233 widget 0 follows"),
        ("3", "findings Table rank 1 of 4 effect 0"),
        ("3 j j", "findings Table rank 3 of 4 effect 0"),
        ("3 e", "findings Table rank 1 of 4 effect 1"),
        ("3 e e", "findings Table rank 1 of 4 effect 0"),
        ("3 E", "findings Table rank 1 of 4 effect 1"),
        ("3 enter", "findings Why rank 1 of 4 effect 0"),
        ("3 enter esc", "findings Table rank 1 of 4 effect 0"),
        ("3 s", "findings Table rank 5 of 2 effect 0"),
        ("3 s j s S", "findings Table rank 5 of 2 effect 0"),
        ("3 s s", "findings Table rank 0 of 2 effect 0"),
        ("3 s s enter", "findings Table rank 0 of 3 effect 0"),
        ("3 s s enter j", "findings Table rank 6 of 3 effect 0"),
        ("3 s s enter enter", "findings Table rank 0 of 2 effect 0"),
        ("3 s s s", "findings Table rank 1 of 4 effect 0"),
        ("3 o", "s1 Trace step 4 widget 0"),
        ("3 o 3 o", "s1 Trace step 6 widget 0"),
        ("3 o 3 o 3 o", "s1 Trace step 4 widget 0"),
        ("8", "log 24"),
        ("8 g", "log 0"),
        ("6", "States row 0 of 5 is state 0 by visits"),
        ("6 j enter", "Way row 1 of 5 is state 1 by visits"),
        ("6 j enter enter", "States row 1 of 5 is state 1 by visits"),
        ("6 j j s", "States row 1 of 5 is state 2 by untried events"),
        ("6 G s s", "States row 4 of 5 is state 4 as found"),
        ("6 / h i s t enter", "States row 0 of 1 is state 4 by visits"),
        ("6 / h i s t enter esc", "States row 4 of 5 is state 4 by visits"),
    ];
    for (keys, expected) in cases {
        let mut cockpit = Cockpit::new(200, 60, 1_234);
        cockpit.press(keys);
        assert_eq!(state(&cockpit.app), expected, "after {keys}");
    }
}

#[test]
fn keys_have_effects() {
    let cases = [
        ("q", "Quit"),
        ("ctrl-c", "Quit"),
        ("ctrl-z", "Suspend"),
        ("ctrl-l", "Redraw"),
        ("p", "Pause(SessionId(1))"),
        ("l p", "Resume(SessionId(2))"),
        ("S enter", "Stop(SessionId(1))"),
        ("S esc", ""),
        ("3 y", "Copy(\"s1-1a2b3c40\")"),
        ("3 Y", "Copy(\"droidmux replay s1-1a2b3c40 --times 3\")"),
        (
            "l 5 y",
            "Copy(\"{\\\"action\\\":\\\"click\\\",\\\"widget\\\":7,\\\"function\\\":\\\"delete a picture\\\"}\")",
        ),
        (
            "3 t enter",
            "Mark { finding: FindingId { session: SessionId(1), key: 439041088 }, state: True, note: \"\" }",
        ),
        ("3 t esc", ""),
        (": q u i t enter", "Quit"),
        ("? ctrl-c", "Quit"),
    ];
    for (keys, expected) in cases {
        let mut cockpit = Cockpit::new(200, 60, 1_234);
        cockpit.press(keys);
        assert_eq!(cockpit.effects.join("; "), expected, "after {keys}");
    }
}

/// The lab of so many devices, a session for every two of them.
fn large_lab(devices: u16) -> FakeLab {
    FakeLab { devices, ..FakeLab::new(1_234) }
}

/// Sorting, hiding and filtering leave the current session current.
#[test]
fn the_lab_is_arranged_and_the_current_session_stays() {
    // (keys, text typed after them, keys after it) and the rows from the top, with the current one
    let cases = [
        ("w t", "", "", "s1 s2 s3 | s1"),
        ("w t w s", "", "", "s1 s2 s3 | s1"),
        ("w t w s w s", "", "", "s3 s1 s2 | s1"),
        ("w t l w e", "", "", "s1 s2 | s1"),
        ("w t j j w e", "", "", "s1 s2 | s2"),
        ("w t /", "notes", "enter", "s2 | s2"),
        ("w t /", "notes", "enter esc", "s1 s2 s3 | s2"),
        ("w t /", "nothing", "enter", " | s1"),
        ("w t w s w e w 0", "", "", "s1 s2 s3 | s1"),
    ];
    for (keys, typed, after, expected) in cases {
        let mut cockpit = Cockpit::new(120, 40, 1_234);
        cockpit.press(keys);
        cockpit.type_text(typed);
        cockpit.press(after);
        let app = &cockpit.app;
        let rows = (0..).map_while(|row| app.session_at(row)).map(|session| session.id.to_string());
        let rows: Vec<_> = rows.collect();
        let current = app.session.id.map(|id| id.to_string()).unwrap_or_default();
        assert_eq!(format!("{} | {current}", rows.join(" ")), expected, "after {keys} {typed} {after}");
    }
}

/// Every device of a large lab is on the screen at once, and every one can be gone to.
#[test]
fn sixty_four_devices_are_readable_on_one_screen() {
    for (size, keys) in [((200, 60), ""), ((120, 40), ""), ((80, 24), "tab z"), ((80, 24), "tab z w t")] {
        let options = TuiOptions { images: false, ..TuiOptions::default() };
        let mut cockpit = Cockpit::with(size.0, size.1, large_lab(64), options);
        cockpit.press(keys);
        let screen = cockpit.screen();
        for n in 0..64 {
            let serial = format!("emulator-{} ", 5554 + 2 * n);
            assert!(screen.contains(&serial), "{serial}is not in\n{screen}");
        }
        assert!(screen.contains("64 devices: "), "{screen}");
        cockpit.press(if keys.is_empty() { "tab j j right" } else { "j j right" });
        let serial = cockpit.app.device_at(cockpit.app.devices.cursor).map(|device| device.serial.clone());
        let height = crate::tui::screen::lab::device_grid(&cockpit.app).height;
        assert_eq!(serial, Some(format!("emulator-{}", 5554 + 2 * (2 + height))), "{size:?}");
    }
}

/// The first line says who else looks, and that this viewer may only look.
#[test]
fn the_header_tells_viewers_and_read_only() {
    let cases = [
        (0, false, ""),
        (1, false, ""),
        (2, false, "2 viewers"),
        (1, true, "read-only"),
        (3, true, "3 viewers · read-only"),
    ];
    for (viewers, read_only, expected) in cases {
        for width in [200, 120] {
            let options = TuiOptions { images: false, read_only, ..TuiOptions::default() };
            let mut cockpit = Cockpit::with(width, 40, FakeLab::new(100), options);
            let view = LabView { viewers, ..cockpit.lab.view() };
            cockpit.tell(Msg::View(Arc::new(view)));
            let line = cockpit.screen().lines().next().unwrap_or_default().to_owned();
            let said = if expected.is_empty() {
                !line.contains("viewer") && !line.contains("read-only")
            } else {
                line.ends_with(expected)
            };
            assert!(said, "{viewers} viewers, read-only {read_only}: {line}");
        }
    }
}

/// Whatever session the followed device works for is the current one.
#[test]
fn a_followed_device_leads_to_its_session() {
    let mut cockpit = Cockpit::new(120, 40, 1_234);
    cockpit.press("w f");
    assert_eq!(cockpit.app.lab.followed, None, "no device is under the cursor");
    cockpit.press("tab w f");
    assert_eq!(cockpit.app.lab.followed.as_deref(), Some("emulator-5554"));
    let mut view = cockpit.lab.view();
    view.devices[0].session = Some(SessionId(3));
    cockpit.tell(Msg::View(Arc::new(view.clone())));
    cockpit.press("2");
    assert_eq!(cockpit.app.session.id, Some(SessionId(3)));
    view.devices[0].session = None;
    cockpit.tell(Msg::View(Arc::new(view.clone())));
    assert_eq!(cockpit.app.session.id, Some(SessionId(3)), "it works for none");
    cockpit.press("[");
    view.devices[0].session = Some(SessionId(1));
    cockpit.tell(Msg::View(Arc::new(view)));
    assert_eq!(cockpit.app.session.id, Some(SessionId(2)), "whoever chooses follows no longer");
}

/// The arrangement is kept when it changes, and a cockpit that begins with it looks so.
#[test]
fn the_arrangement_is_kept_and_comes_back() {
    let mut cockpit = Cockpit::new(120, 40, 1_234);
    cockpit.press("j k");
    assert!(cockpit.effects.is_empty(), "nothing was arranged: {:?}", cockpit.effects);
    cockpit.press("w t w s w + 2 t 1");
    let kept = cockpit.effects.iter().filter(|effect| effect.starts_with("Keep")).count();
    assert_eq!(kept, 4, "{:?}", cockpit.effects);
    let options =
        TuiOptions { images: false, arrangement: cockpit.app.arrangement(), ..TuiOptions::default() };
    let mut again = Cockpit::with(120, 40, FakeLab::new(1_234), options);
    cockpit.app.status = None;
    assert_eq!(again.screen(), cockpit.screen());
    again.press("2");
    assert!(!again.app.session.shown.tree);
    assert!(again.effects.is_empty(), "{:?}", again.effects);
}

/// After a prefix the screen shows what may follow, and keys that run nothing are told.
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

/// What is wrong in the configuration is told with its file and line.
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

/// Where the lab lives in the cockpit's process, leaving stops what is under way there.
#[test]
fn leaving_asks_where_sessions_end_with_the_cockpit() {
    let kept = || Home::Here { store: Some("/data/night".into()) };
    let done = |cockpit: &mut Cockpit| {
        let mut view = cockpit.lab.view();
        view.sessions.iter_mut().for_each(|session| session.state = SessionState::Done);
        cockpit.tell(Msg::View(Arc::new(view)));
    };
    // (where the lab lives, whether all sessions have ended, keys, what follows)
    let cases = [
        (Home::Server, false, "q", "Quit"),
        (Home::Passing, false, "q", "Quit"),
        (kept(), true, "q", "Quit"),
        (kept(), false, "q", ""),
        (kept(), false, "q esc", ""),
        (kept(), false, "q enter", "Quit"),
        (kept(), false, "q q", "Quit"),
        (kept(), false, "ctrl-c ctrl-c", "Quit"),
        (kept(), false, ": q u i t enter", ""),
    ];
    for (home, over, keys, expected) in cases {
        let options = TuiOptions { images: false, home: home.clone(), ..TuiOptions::default() };
        let mut cockpit = Cockpit::with(80, 24, FakeLab::new(1_234), options);
        if over {
            done(&mut cockpit);
        }
        cockpit.press(keys);
        assert_eq!(cockpit.effects.join("; "), expected, "{home:?} after {keys}");
        if keys == "q" && expected.is_empty() {
            let screen = cockpit.screen();
            for words in ["s1, s2 live in this process", "droidmux run --resume s1 --store /data/night"] {
                assert!(screen.contains(words), "{words} is not in\n{screen}");
            }
        }
    }
}

/// What is copied works in a shell: it names the store, and where there is none nothing is copied.
#[test]
fn the_command_that_replays_is_one_that_works() {
    let cases = [
        (Home::Here { store: Some("/d".into()) }, "droidmux replay s1-1a2b3c40 --times 3 --store /d"),
        (Home::Passing, ""),
    ];
    for (home, expected) in cases {
        let options = TuiOptions { images: false, home: home.clone(), ..TuiOptions::default() };
        let mut cockpit = Cockpit::with(200, 60, FakeLab::new(100), options);
        cockpit.press("3 Y");
        let copied = if expected.is_empty() { String::new() } else { format!("Copy({expected:?})") };
        assert_eq!(cockpit.effects.join("; "), copied, "{home:?}");
        cockpit.press("enter G");
        let screen = cockpit.screen();
        assert_eq!(screen.contains("droidmux replay"), home != Home::Passing, "{screen}");
        assert_eq!(screen.contains("demo --store FOLDER"), home == Home::Passing, "{screen}");
    }
}

#[test]
fn the_mouse_points_and_scrolls() {
    use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
    let down = MouseEventKind::Down(MouseButton::Left);
    // (keys before, what the mouse does, column, row) and what follows.
    let cases = [
        ("", down, 45, 0, "findings Table rank 1 of 4 effect 0"),
        ("", down, 20, 4, "lab devices 1"),
        ("", down, 100, 20, "lab tiles 1"),
        ("", MouseEventKind::ScrollDown, 20, 4, "lab tiles 0"),
        ("2", MouseEventKind::ScrollUp, 150, 20, "s1 Trace step 1230 widget 0"),
        ("2", down, 10, 8, "s1 Tree step 1233 widget 3 follows"),
        ("3", down, 30, 5, "findings Table rank 3 of 4 effect 0"),
        ("3", MouseEventKind::ScrollDown, 30, 5, "findings Table rank 4 of 4 effect 0"),
    ];
    for (keys, kind, column, row, expected) in cases {
        let mut cockpit = Cockpit::new(200, 60, 1_234);
        cockpit.press(keys);
        cockpit.tell(Msg::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
        assert_eq!(state(&cockpit.app), expected, "{kind:?} at {column}, {row} after {keys}");
    }
}

#[test]
fn filters_narrow_as_they_are_typed() {
    let mut cockpit = Cockpit::new(200, 60, 100);
    cockpit.press("3 /");
    cockpit.type_text("renam");
    assert_eq!(cockpit.app.findings.selected().map(|row| row.rank), Some(2));
    cockpit.press("enter");
    assert!(cockpit.screen().contains("filter “renam” shows"), "{}", cockpit.screen());
    cockpit.press("esc");
    assert_eq!(cockpit.app.findings.shown.len(), 4);
    assert_eq!(
        cockpit.app.findings.selected().map(|row| row.rank),
        Some(2),
        "the cursor stays on its finding"
    );
}

#[test]
fn marks_carry_a_note() {
    let mut cockpit = Cockpit::new(80, 24, 100);
    cockpit.press("3 d");
    cockpit.type_text("of s2-1a2b3c41");
    cockpit.press("enter");
    assert!(cockpit.effects[0].contains("Duplicate, note: \"of s2-1a2b3c41\""), "{:?}", cockpit.effects);
    let marked = cockpit.app.findings.rows.iter().find(|row| row.id.key == 0x1a2b_3c40);
    assert_eq!(marked.map(|row| row.state), Some(FindingState::Duplicate));
}

#[test]
fn searching_the_layout_goes_round() {
    let mut cockpit = Cockpit::new(200, 60, 1_231);
    cockpit.press("2 enter /");
    cockpit.type_text("row");
    cockpit.press("enter");
    let mut seen = vec![cockpit.app.session.tree.cursor];
    for _ in 0..5 {
        cockpit.press("n");
        seen.push(cockpit.app.session.tree.cursor);
    }
    assert_eq!(seen.first(), seen.last(), "five rows, then the first again: {seen:?}");
    cockpit.press("N");
    assert_eq!(cockpit.app.session.tree.cursor, seen[4]);
}

#[test]
fn exchanges_are_searched_in_the_lab() {
    let mut cockpit = Cockpit::new(200, 60, 100);
    cockpit.press("l 5 g /");
    cockpit.type_text("unreachable");
    let mut seen = Vec::new();
    for key in ["enter", "n", "n", "n", "N"] {
        cockpit.press(key);
        seen.push(cockpit.app.transcripts.list.cursor);
    }
    assert_eq!(seen, [11, 25, 39, 39, 25], "the third `n` finds nothing further");
}

#[test]
fn following_lets_go_when_scrolled_and_holds_on_otherwise() {
    let mut cockpit = Cockpit::new(200, 60, 1_000);
    cockpit.press("2");
    let grow = |cockpit: &mut Cockpit, steps: u64| {
        cockpit.lab.steps = steps;
        let view = cockpit.lab.view();
        cockpit.tell(Msg::View(Arc::new(view)));
    };
    grow(&mut cockpit, 1_003);
    assert_eq!(cockpit.app.session.trace.cursor, 1_002);
    cockpit.press("k");
    grow(&mut cockpit, 1_010);
    assert_eq!(cockpit.app.session.trace.cursor, 1_001);
    cockpit.press("f");
    assert_eq!(cockpit.app.session.trace.cursor, 1_009);
}

#[test]
fn new_findings_are_announced_and_badged() {
    let mut cockpit = Cockpit::new(120, 40, 100);
    let mut findings = cockpit.lab.findings.clone();
    // A reported one and an explained one.
    findings.truncate(7);
    findings.remove(3);
    cockpit.tell(Msg::Reply(Reply::Findings(findings)));
    assert_eq!(cockpit.effects, Vec::<String>::new(), "the first list is no news, nor is one that shrank");
    let view = LabView { findings_version: 2, ..cockpit.lab.view() };
    cockpit.tell(Msg::View(Arc::new(view)));
    let announced: Vec<&String> =
        cockpit.effects.iter().filter(|told| told.starts_with("Announce")).collect();
    assert_eq!(announced.len(), 1, "only what is reported rings: {:?}", cockpit.effects);
    assert!(announced[0].starts_with("Announce(\"reported s1-1a2b3c43: Rotation"), "{announced:?}");
    assert!(
        cockpit.screen().lines().next().unwrap_or_default().contains("Findings ●1"),
        "{}",
        cockpit.screen()
    );
    cockpit.press("3");
    assert!(!cockpit.screen().lines().next().unwrap_or_default().contains("Findings] ●"));
}

#[test]
fn lost_replies_are_asked_for_again_and_refusals_are_not() {
    let mut app = App::new(Default::default());
    let layouts: Vec<_> = FakeLab::new(0).layouts;
    let mut sent = Vec::new();
    let mut tell = |app: &mut App, msg: Msg| {
        let effects = crate::tui::app::update(app, msg);
        sent = effects
            .into_iter()
            .map(|effect| format!("{effect:?}"))
            .filter(|e| e.contains("Findings"))
            .collect();
        sent.len()
    };
    assert_eq!(tell(&mut app, Msg::Resize(80, 24)), 1);
    assert_eq!(tell(&mut app, Msg::View(Arc::new(lab_view(11, &layouts)))), 0, "asked once");
    assert_eq!(tell(&mut app, Msg::Lapsed), 1, "asked again when the reply never came");
    let refused = Reply::Refused { request: Request::Findings, why: "the store is closed".into() };
    assert_eq!(tell(&mut app, Msg::Reply(refused)), 0);
    assert_eq!(tell(&mut app, Msg::View(Arc::new(lab_view(12, &layouts)))), 0, "not asked again");
}

#[test]
fn replies_for_another_session_are_passed_over() {
    let mut cockpit = Cockpit::new(200, 60, 100);
    cockpit.press("2");
    let mut foreign = step(50, &cockpit.lab.layouts);
    foreign.event = "foreign".into();
    cockpit.tell(Msg::Reply(Reply::Steps { session: SessionId(9), from: 50, steps: vec![foreign] }));
    assert!(!cockpit.screen().contains("foreign"));
}

/// A lab that steps three times between any request and its answer: the newest layout is old when
/// it comes.
#[test]
fn following_a_fast_session_keeps_the_latest_layout_and_asks_for_one_at_a_time() {
    let mut lab = FakeLab::new(0);
    // Every step has a layout of its own, so that nothing is known before it is asked for.
    lab.layouts =
        (0..200).map(|n| Arc::new(layout(&format!("FrameLayout\n  TextView 'step {n}'")))).collect();
    let mut app = App::new(Default::default());
    let mut sent = update(&mut app, Msg::Resize(200, 60));
    app.screen = Screen::Session;
    let (mut shown, mut under_way) = (Vec::new(), Vec::new());
    for round in 1..40_u64 {
        let mut view = lab_view(0, &[]);
        view.sessions.truncate(1);
        let steps = round * 3;
        view.sessions[0].steps = steps;
        let recent = (steps.saturating_sub(12)..steps).map(|seq| StepView {
            layout: Some(lab.layouts[seq as usize].hash()),
            failed: false,
            ..step(seq, &[])
        });
        view.sessions[0].recent = recent.collect();
        let mut next = update(&mut app, Msg::View(Arc::new(view)));
        // What was asked for before these steps is answered only now.
        for effect in std::mem::take(&mut sent) {
            let Effect::Send(request @ Request::Layout(_)) = effect else { continue };
            let reply = lab.answer(&request).expect("a layout");
            next.extend(update(&mut app, Msg::Reply(reply)));
        }
        under_way.push(next.iter().filter(|e| matches!(e, Effect::Send(Request::Layout(_)))).count());
        sent = next;
        let pictured = app.session.pictured.as_ref().map(|step| step.seq);
        let text = app.shown_layout().map(|layout| layout.widgets().last().map(|w| w.text().to_owned()));
        shown.push((app.session.trace.cursor, pictured, text.flatten()));
    }
    assert!(under_way.iter().all(|&asked| asked <= 1), "{under_way:?}");
    for (cursor, pictured, text) in &shown[1..] {
        let pictured = pictured.expect("a step is shown");
        assert_eq!(text.as_ref(), Some(&format!("step {pictured}")), "at {cursor}");
        assert!(cursor - pictured <= 3, "{pictured} is shown while {cursor} is the newest");
    }
}

#[test]
fn the_first_session_that_has_not_ended_is_selected_on_arrival() {
    // (states when the cockpit opens, tile selected)
    let paused = || SessionState::Paused("by hand".into());
    let cases = [
        (vec![SessionState::Done, SessionState::Failed("no device".into()), SessionState::Running], 2),
        (vec![SessionState::Stopped, paused(), SessionState::Running], 1),
        (vec![SessionState::Done, SessionState::Done, SessionState::Done], 0),
    ];
    for (states, expected) in cases {
        let mut view = lab_view(0, &[]);
        for (session, state) in view.sessions.iter_mut().zip(states) {
            session.state = state;
        }
        let mut app = App::new(TuiOptions::default());
        update(&mut app, Msg::View(Arc::new(LabView::default())));
        update(&mut app, Msg::View(Arc::new(view.clone())));
        assert_eq!(app.tiles.cursor, expected);
        // What happens later leaves the choice to the person.
        view.sessions.iter_mut().for_each(|session| session.state = SessionState::Done);
        update(&mut app, Msg::View(Arc::new(view)));
        assert_eq!(app.tiles.cursor, expected);
    }
}

#[test]
fn a_session_that_is_removed_vanishes_from_every_screen() {
    // (state of the first session, whether its screen is left when the lab has it no more)
    let cases = [(SessionState::Done, true), (SessionState::Stopped, true), (SessionState::Running, false)];
    for (state, left) in cases {
        let mut view = lab_view(0, &[]);
        view.sessions[0].state = state.clone();
        let (first, second) = (view.sessions[0].id, view.sessions[1].id);
        let mut app = App::new(TuiOptions::default());
        update(&mut app, Msg::Resize(120, 40));
        update(&mut app, Msg::View(Arc::new(view.clone())));
        app.open_session(Some(first));
        app.show(Screen::Session);
        view.sessions.remove(0);
        update(&mut app, Msg::View(Arc::new(view)));
        assert_eq!(app.screen == Screen::Lab, left, "{state:?}");
        assert_eq!(app.status.is_some(), left, "{state:?}");
        assert_ne!(app.session.id == Some(first), left, "{state:?}");
        app.show(Screen::Lab);
        assert_eq!(
            app.meant_session().map(|session| session.id),
            Some(second),
            "the one after it is selected"
        );
    }
}

/// What pressing the first key of a command leads to on a screen: what it asks of the lab, or the
/// question it asks first, is a change; and what is said.
fn pressed(screen: &str, key: &str, read_only: bool) -> (bool, String) {
    let options = TuiOptions { images: false, read_only, ..TuiOptions::default() };
    let mut cockpit = Cockpit::with(200, 60, FakeLab::new(1_234), options);
    cockpit.press(screen);
    if key == "r" {
        // There must be something that can be gone on with.
        let mut view = cockpit.lab.view();
        view.sessions[0].state = SessionState::Stopped;
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
        "Replay",
        "Shrink",
        "OpenStepper",
        "Order",
        "Record",
        "Examine",
        "GoOn",
        "Recheck",
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
            assert_eq!(changes, command.changes(), "`{}` on {screen:?}", command.name);
            let (changes, said) = pressed(way, key, true);
            assert!(!changes, "`{}` on {screen:?}", command.name);
            assert_eq!(said.contains("may only look"), command.changes(), "`{}`: {said}", command.name);
            assert_eq!(offered.contains(&command.name), !command.changes(), "`{}`", command.name);
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

#[test]
fn orders_go_to_the_test_that_is_led() {
    let order = |words: &str| format!("Order {{ session: SessionId(1), order: {words} }}");
    let cases: [(&str, &str, String); 9] = [
        ("n", "", order("Next")),
        ("x", "", order("Skip")),
        ("b", "", order("Back")),
        ("v", "", order("RunToViolation")),
        ("e", "", order("RunToEnd")),
        ("L", "", order("Leave")),
        ("k k r", "", order("RunTo(2)")),
        ("i ctrl-u", "back", "order: Insert(Event { kind: Back, receiver: None, data: None })".into()),
        ("i ctrl-u", "edit two words", "data: Some(\"two words\")".into()),
    ];
    for (keys, typed, expected) in cases {
        let mut cockpit = Cockpit::new(200, 60, 1_234);
        cockpit.press("3 R");
        cockpit.type_text("emulator-5556");
        cockpit.press("enter");
        let opened = cockpit.effects.pop().unwrap_or_default();
        assert!(opened.contains("serial: Some(\"emulator-5556\")"), "{opened}");
        cockpit.press(keys);
        if !typed.is_empty() {
            cockpit.type_text(typed);
            cockpit.press("enter");
        }
        let sent = cockpit.effects.pop().unwrap_or_default();
        assert!(sent.contains(&expected), "{keys} {typed}: {sent}");
    }
    for (keys, words) in [
        ("3 R enter i x enter", "no kind of event"),
        ("3 R enter r", "is the next one"),
        ("4 n", "no test is led"),
    ] {
        let mut cockpit = Cockpit::new(120, 40, 1_234);
        cockpit.press(keys);
        let said = cockpit.app.status.as_ref().map(|(text, _)| text.clone()).unwrap_or_default();
        assert!(said.contains(words), "{keys}: {said}");
    }
}
