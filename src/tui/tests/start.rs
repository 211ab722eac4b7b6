//! Starting sessions and going on with them, zoomed tiles, widths of columns, the trace's words, rechecks.

use std::sync::Arc;

use super::Cockpit;
use crate::TuiOptions;
use crate::app::{Dialog, Effect, Msg, Screen, update};
use crate::pane::Pane;
use crossterm::event::KeyCode;
use droidmux_proto::{Connection, LabView, Lens, Reply, Request, SessionState, Start};
use droidmux_record::SessionId;
use droidmux_testutils::fixtures::FakeLab;

const SIZES: [(u16, u16); 3] = [(200, 60), (120, 40), (80, 24)];

fn cockpit() -> Cockpit {
    Cockpit::new(120, 40, 1_234)
}

fn said(cockpit: &Cockpit) -> String {
    cockpit.app.status.clone().map(|(text, _)| text).unwrap_or_default()
}

/// Types the texts, a key after each: `tab`, `enter`.
fn fill_in(cockpit: &mut Cockpit, fields: &[(&str, &str)]) {
    for (text, keys) in fields {
        cockpit.type_text(text);
        cockpit.press(keys);
    }
}

#[test]
fn the_form_asks_for_what_was_filled_in() {
    let start = |file: &str, rest: &str| {
        format!("Start(Start {{ file: \"{file}\", folder: \"/home/ann\", {rest} }})")
    };
    let any = "serials: [], max_events: None, for_s: None";
    // (texts with keys after them) and what is asked of the lab.
    let cases: [(&[(&str, &str)], String); 7] = [
        (&[("", "enter")], start("sessions/diary-genie.toml", any)),
        (&[("", "down enter")], start("sessions/notes-odin.toml", any)),
        (&[("odin", "enter")], start("sessions/notes-odin.toml", any)),
        (
            &[("notes", "tab"), ("", "down space tab"), ("2,000", "tab"), ("1h30m", "enter")],
            start(
                "sessions/notes-odin.toml",
                "serials: [\"emulator-5556\"], max_events: Some(2000), for_s: Some(5400)",
            ),
        ),
        (&[("diary", "tab"), ("", "space space shift-tab enter")], start("sessions/diary-genie.toml", any)),
        (&[("/tmp/other.toml", "enter")], start("/tmp/other.toml", any)),
        (&[("diary", "tab tab"), ("many", "enter")], String::new()),
    ];
    for (fields, expected) in cases {
        let options = TuiOptions { images: false, folder: "/home/ann".into(), ..TuiOptions::default() };
        let mut cockpit = Cockpit::with(120, 40, FakeLab::new(100), options);
        cockpit.press("c");
        fill_in(&mut cockpit, fields);
        assert_eq!(cockpit.effects.join("; "), expected, "{fields:?}\n{}", cockpit.screen());
    }
}

#[test]
fn a_session_that_began_becomes_the_current_one_wherever_one_is() {
    let mut cockpit = cockpit();
    cockpit.press("c enter");
    assert!(cockpit.app.dialog.is_none());
    assert_eq!((cockpit.app.screen, cockpit.app.session.id), (Screen::Lab, Some(SessionId(3))));
    assert_eq!(said(&cockpit), "s3 has begun: sessions/diary-genie.toml");
}

#[test]
fn what_is_wrong_is_told_in_the_form_with_its_line() {
    // (what was filled in) and what the form says then, open as it was.
    let cases: [(&[(&str, &str)], &[&str]); 4] = [
        (&[("wrong", "")], &["line 4: unknown field", "sessions/wrong.toml:4: ", "4 | max-event = 3"]),
        (&[("wrong", "enter")], &["sessions/wrong.toml:4: unknown field", "4 | max-event = 3"]),
        (&[("gone.toml", "enter")], &["gone.toml: No such file or directory"]),
        (&[("diary", "tab tab tab"), ("soon", "enter")], &["time: `soon` is no time: 10h, 30m, 90s"]),
    ];
    for size in SIZES {
        for (fields, expected) in cases {
            let mut cockpit = Cockpit::new(size.0, size.1, 100);
            cockpit.press("c");
            fill_in(&mut cockpit, fields);
            let screen = cockpit.screen();
            for words in expected {
                assert!(screen.contains(words), "{words} after {fields:?}:\n{screen}");
            }
            assert!(
                matches!(&cockpit.app.dialog, Some(Dialog::Start(form)) if form.asked.is_none()),
                "{fields:?}"
            );
            // Whatever is typed next takes the complaint away.
            cockpit.type_text("x");
            assert!(matches!(&cockpit.app.dialog, Some(Dialog::Start(form)) if form.fault.is_none()));
        }
    }
}

/// An answer that never comes leaves nobody in front of a dead form.
#[test]
fn what_was_lost_on_the_way_can_be_sent_again() {
    let lost: [(&str, fn() -> Msg); 3] = [
        ("the lab takes nothing", || Msg::NotSent(Request::Start(Start::default()))),
        ("the link to the lab broke", || Msg::Connection(Connection::Down { why: "x".into(), retry_s: 1 })),
        ("", || Msg::Lapsed),
    ];
    for (words, lost) in lost {
        let mut cockpit = cockpit();
        cockpit.press("c");
        if let Some(Dialog::Start(form)) = &mut cockpit.app.dialog {
            form.asked = Some(Start { file: "sessions/diary-genie.toml".into(), ..Start::default() });
        }
        cockpit.press("enter");
        assert_eq!(cockpit.effects.join("; "), "", "asked once is enough");
        cockpit.tell(lost());
        assert!(cockpit.screen().contains(words), "{}", cockpit.screen());
        assert!(matches!(&cockpit.app.dialog, Some(Dialog::Start(form)) if form.asked.is_none()), "{words}");
    }
}

/// What was changed while the lab was asked is a request of its own: neither its enter nor its answer is mixed up with
/// those of the first.
#[test]
fn a_form_that_was_changed_meanwhile_takes_only_its_own_answer() {
    let first = Start { file: "sessions/wrong.toml".into(), ..Start::default() };
    for begun in [Err("line 4: unknown field".to_owned().into()), Ok(SessionId(8))] {
        let mut cockpit = cockpit();
        cockpit.press("c");
        if let Some(Dialog::Start(form)) = &mut cockpit.app.dialog {
            form.asked = Some(first.clone());
        }
        cockpit.type_text("diary");
        // The lab has not answered yet.
        let sent = update(&mut cockpit.app, Msg::Key(KeyCode::Enter.into()));
        assert!(
            sent.iter().any(|effect| matches!(
                effect,
                Effect::Send(Request::Start(start)) if start.file == "sessions/diary-genie.toml"
            )),
            "{sent:?}"
        );
        cockpit.tell(Msg::Reply(Reply::Started(first.clone(), begun)));
        assert!(said(&cockpit).contains("sessions/wrong.toml"), "{}", said(&cockpit));
        let Some(Dialog::Start(form)) = &cockpit.app.dialog else { panic!("{}", cockpit.screen()) };
        assert!(form.fault.is_none());
        assert_eq!(form.asked.as_ref().map(|asked| asked.file.as_str()), Some("sessions/diary-genie.toml"));
    }
}

#[test]
fn the_palette_takes_the_file_with_devices_and_limits() {
    let cases = [
        (
            "start sessions/notes-odin.toml events=500 devices=emulator-5554,emulator-5556 for=30m",
            "Start(Start { file: \"sessions/notes-odin.toml\", folder: \"\", serials: [\"emulator-5554\", \
             \"emulator-5556\"], max_events: Some(500), for_s: Some(1800) })",
        ),
        (
            "start diary",
            "Start(Start { file: \"sessions/diary-genie.toml\", folder: \"\", serials: [], max_events: None, \
             for_s: None })",
        ),
        ("resume s9", "GoOn { session: SessionId(9), accept_builds: false }"),
        ("resume s9 accept-builds", "GoOn { session: SessionId(9), accept_builds: true }"),
        ("resume nine", ""),
        ("start x.toml speed=3", ""),
    ];
    for (typed, expected) in cases {
        let mut cockpit = cockpit();
        cockpit.press(":");
        cockpit.type_text(typed);
        cockpit.press("enter");
        assert_eq!(cockpit.effects.join("; "), expected, "{typed}: {}", said(&cockpit));
    }
    let mut cockpit = cockpit();
    cockpit.press(":");
    cockpit.type_text("start wrong");
    cockpit.press("enter");
    assert!(cockpit.screen().contains("sessions/wrong.toml:4: "), "the form opens:\n{}", cockpit.screen());
}

#[test]
fn nothing_is_started_by_those_who_may_only_look() {
    let options = TuiOptions { images: false, read_only: true, ..TuiOptions::default() };
    for keys in ["c", "l l r", "3 C"] {
        let mut cockpit = Cockpit::with(120, 40, FakeLab::new(100), options.clone());
        cockpit.press(keys);
        assert!(said(&cockpit).contains("this viewer may only look"), "{keys}: {}", said(&cockpit));
        assert_eq!(cockpit.effects.join("; "), "", "{keys}");
    }
}

#[test]
fn only_a_session_that_ended_before_its_end_goes_on() {
    let cases = [
        (SessionState::Running, "s1 has not ended", false),
        (SessionState::Paused("by hand".into()), "s1 has not ended", false),
        (SessionState::Stopped, "s1 goes on where it was", true),
        (SessionState::Failed("no device".into()), "s1 goes on where it was", true),
        (
            SessionState::Failed("in vain: no model".into()),
            "s1 came to its end: nothing is left of it",
            false,
        ),
        (SessionState::Done, "s1 came to its end: nothing is left of it", false),
    ];
    for (state, expected, asks) in cases {
        for screen in ["1", "2"] {
            let mut cockpit = cockpit();
            let mut view = cockpit.lab.view();
            view.sessions[0].state = state.clone();
            view.sessions[0].resumable = asks;
            cockpit.tell(Msg::View(Arc::new(view)));
            cockpit.press(screen);
            let footer = cockpit.screen().lines().last().unwrap_or_default().to_owned();
            assert_eq!(footer.contains("r go on"), asks, "{state:?}: {footer}");
            cockpit.press("r");
            assert_eq!(said(&cockpit), expected, "{state:?}");
            assert_eq!(cockpit.effects.iter().any(|effect| effect.starts_with("GoOn")), asks);
        }
    }
}

#[test]
fn a_tile_fills_the_screen_and_escape_brings_the_others_back() {
    // (keys, whether one tile fills the screen, the pane with the focus, the current session)
    let cases = [
        ("", false, Pane::Tiles, 1),
        ("Z", true, Pane::Tiles, 1),
        ("Z esc", false, Pane::Tiles, 1),
        ("Z Z", false, Pane::Tiles, 1),
        ("Z l", true, Pane::Tiles, 2),
        ("Z l esc", false, Pane::Tiles, 2),
        ("w t j Z", true, Pane::Tiles, 2),
        ("w t j Z j", true, Pane::Tiles, 3),
        ("w t j Z esc", false, Pane::Sessions, 2),
        ("tab Z", true, Pane::Tiles, 1),
        ("Z enter esc", true, Pane::Tiles, 1),
    ];
    for (keys, zoomed, focus, session) in cases {
        let mut cockpit = cockpit();
        cockpit.press(keys);
        let app = &cockpit.app;
        let state = (app.lab.zoomed, app.focus(), app.session.id);
        assert_eq!(state, (zoomed, focus, Some(SessionId(session))), "after {keys}");
        let screen = cockpit.screen();
        assert_eq!(screen.contains(" Devices "), !zoomed, "after {keys}:\n{screen}");
    }
}

#[test]
fn columns_are_made_wider_and_narrower_and_come_back() {
    // (keys, text typed and entered) and what is kept.
    let cases = [
        ("w t | )", "", "lab session=9"),
        ("w t | ( ( (", "", "lab session=3"),
        ("w t", ":width app 40", "lab app=40"),
        ("w t", ":width app usual", ""),
        ("3 | )", "", "findings rank=6"),
        ("3", ":width what is wrong 50", "findings what is wrong=50"),
    ];
    for (keys, typed, expected) in cases {
        let mut cockpit = Cockpit::new(200, 60, 100);
        cockpit.press(keys.replace("w t |", "w t | |").as_str());
        if let Some(typed) = typed.strip_prefix(':') {
            cockpit.press(":");
            cockpit.type_text(typed);
            cockpit.press("enter");
        }
        let arranged = cockpit.app.arrangement();
        let columns = ["session", "technique", "app", "rank", "what is wrong"];
        let told = [("lab", &arranged.lab.widths), ("findings", &arranged.findings.widths)];
        let told = told.iter().flat_map(|(table, widths)| {
            columns.iter().filter_map(move |title| Some(format!("{table} {title}={}", widths.of(title)?)))
        });
        let told: Vec<_> = told.collect();
        assert_eq!(told.join("; "), expected, "after {keys} {typed}: {}", said(&cockpit));

        let options = TuiOptions { images: false, arrangement: arranged, ..TuiOptions::default() };
        let mut next = Cockpit::with(200, 60, FakeLab::new(100), options);
        next.press(if expected.starts_with("findings") { "3" } else { "1" });
        cockpit.app.lab.column = None;
        cockpit.app.findings.column = None;
        cockpit.app.status = None;
        assert_eq!(next.screen(), cockpit.screen(), "after {keys} {typed}");
    }
}

#[test]
fn a_column_is_chosen_before_it_is_resized() {
    let cases = [
        (")", "the sessions are tiles: `table` shows them as a table"),
        ("|", "the sessions are tiles: `table` shows them as a table"),
        ("w t )", "choose a column first: `next-column` leads through them"),
        ("w t |", "column state"),
        ("3 |", "column rank"),
        ("3 | )", "column rank: 6 cells"),
    ];
    for (keys, expected) in cases {
        let mut cockpit = Cockpit::new(200, 60, 100);
        cockpit.press(keys);
        assert_eq!(said(&cockpit), expected, "after {keys}");
    }
    for keys in ["3 | j", "w t | j"] {
        let mut cockpit = Cockpit::new(200, 60, 100);
        cockpit.press(keys);
        assert!(cockpit.screen().contains(" column "), "{keys}:\n{}", cockpit.screen());
    }
}

#[test]
fn the_trace_shows_only_the_steps_that_hold_the_words() {
    let mut cockpit = cockpit();
    cockpit.press("2 F");
    cockpit.type_text("click button");
    cockpit.press("enter");
    let shown = |cockpit: &Cockpit| {
        let steps = &cockpit.app.session.steps;
        (0..steps.len()).filter_map(|row| steps.get(row).cloned()).collect::<Vec<_>>()
    };
    let steps = shown(&cockpit);
    assert!(!steps.is_empty() && steps.len() < 1_234, "{}", cockpit.screen());
    let holds = |text: &str| text.to_lowercase().contains("button");
    assert!(steps.iter().all(|step| step.event.contains("click") && holds(&step.receiver)), "{steps:?}");
    assert!(cockpit.screen().contains("Trace with “click button”"), "{}", cockpit.screen());
    // What comes later comes in, too.
    let before = cockpit.app.session.steps.len();
    cockpit.lab.steps = 2_000;
    let view = cockpit.lab.view();
    cockpit.tell(Msg::View(Arc::new(view)));
    assert!(cockpit.app.session.steps.len() > before);
    // Within one test as well, and back.
    cockpit.press("g d");
    let within = cockpit.app.session.lens.clone();
    assert!(matches!(within.base(), Lens::Device(_)) && within.words() == "click button", "{within:?}");
    cockpit.press("esc");
    assert_eq!(cockpit.app.session.lens, *within.base(), "Esc takes the words away");
    cockpit.press("d");
    assert_eq!(cockpit.app.session.lens, Lens::All);
    cockpit.press("F");
    cockpit.type_text("no such thing");
    cockpit.press("enter");
    assert!(cockpit.screen().contains("No step has these words"), "{}", cockpit.screen());
}

#[test]
fn every_width_of_the_trace_tells_the_device() {
    for size in [(200, 60), (120, 40)] {
        let mut cockpit = Cockpit::new(size.0, size.1, 1_234);
        cockpit.press("2");
        let screen = cockpit.screen();
        assert!(screen.lines().any(|line| line.contains("receiver") && line.contains("device")), "{screen}");
        assert!(screen.contains("-5556"), "{screen}");
    }
}

#[test]
fn a_recheck_comes_to_its_finding() {
    let mut cockpit = Cockpit::new(200, 60, 100);
    cockpit.press("3 C");
    assert_eq!(cockpit.effects.join("; "), "Recheck(FindingId { session: SessionId(1), key: 439041088 })");
    let screen = cockpit.screen();
    assert!(screen.contains("Rechecked at ") && screen.contains("genie objects to it, too"), "{screen}");
    assert!(screen.contains("genie objects to it; it stays reported"), "{screen}");
}

#[test]
fn a_place_whose_session_is_gone_is_passed_over() {
    // The screen that was left for the findings, and where Esc leads once the session is removed.
    for keys in ["2 3", "6 3", "5 3"] {
        let mut cockpit = cockpit();
        cockpit.press(keys);
        let all = cockpit.lab.view();
        let with = |change: &dyn Fn(&mut LabView)| {
            let mut view = all.clone();
            change(&mut view);
            Msg::View(Arc::new(view))
        };
        cockpit.tell(with(&|view| view.sessions[0].state = SessionState::Done));
        cockpit.tell(with(&|view| view.sessions.retain(|session| session.id != SessionId(1))));
        cockpit.press("esc");
        assert_eq!(cockpit.app.screen, Screen::Lab, "after {keys}");
    }
}

#[test]
fn the_form_the_zoomed_tile_and_the_filter_look_as_drawn() {
    let cases: [(&str, &str, &str, &str); 6] = [
        ("start_form", "c", "", ""),
        ("start_devices", "c tab down space", "", ""),
        ("start_fault", "c", "wrong", "enter"),
        ("zoomed_tile", "Z", "", ""),
        ("trace_filter", "2 F", "click", "enter"),
        ("trace_filter_asked", "2 F", "click", ""),
    ];
    for size in SIZES {
        for (name, keys, typed, after) in cases {
            let mut cockpit = Cockpit::new(size.0, size.1, 1_234);
            cockpit.press(keys);
            cockpit.type_text(typed);
            cockpit.press(after);
            insta::assert_snapshot!(format!("{name}_{}x{}", size.0, size.1), cockpit.screen());
        }
    }
}
