//! The Log screen by keys: narrowing, searching, the ways from a line, the doctor.

use super::Cockpit;
use crate::TuiOptions;
use crate::app::Screen;
use crate::pane::Pane;
use droidmux_proto::Request;
use droidmux_testutils::fixtures::{FakeLab, id};

/// The line under the cursor, and how much of the log is shown.
fn stand(cockpit: &Cockpit) -> (String, u64) {
    let log = &cockpit.app.log;
    let line = log.selected().map(|row| format!("{} {}", row.line.source, row.line.text)).unwrap_or_default();
    (line, log.rows.len())
}

#[test]
fn narrowing_and_searching() {
    const AUTHORISE: &str = "emulator-5560 unauthorized: confirm the debugging dialog on the device";
    let confirmed = format!("s1 finding {} confirmed by 2 of 3 replays", id(3));
    let confirmed = confirmed.as_str();
    // (keys, text searched for, keys) and the line, how many rows.
    let cases = [
        ("8", "", "", confirmed, 25),
        ("8 v", "", "", AUTHORISE, 10),
        ("8 v v", "", "", AUTHORISE, 5),
        ("8 v v v", "", "", confirmed, 25),
        ("8 s", "", "", confirmed, 5),
        ("8 s s", "", "", confirmed, 25),
        ("8 s v", "", "", "", 0),
        ("8 v s", "", "", AUTHORISE, 5),
        ("8 v s esc", "", "", confirmed, 25),
        ("8 g /", "layout", "enter", "emulator-5558 no new layout for 40 steps", 25),
        ("8 g /", "started", "enter", " session s1 started on 2 devices", 25),
        ("8 /", "debugging", "enter N", AUTHORISE, 25),
        ("8 g /", "nowhere", "enter", " session s1 started on 2 devices", 25),
    ];
    for (keys, text, then, line, rows) in cases {
        let mut cockpit = Cockpit::new(120, 40, 100);
        cockpit.press(keys);
        cockpit.type_text(text);
        cockpit.press(then);
        assert_eq!(stand(&cockpit), (line.to_owned(), rows), "{keys} {text} {then}");
    }
}

/// Enter leads to what the line is about, Esc back to the line.
#[test]
fn lines_lead_to_what_they_are_about() {
    // (keys, screen, pane, session or device under the cursor)
    let cases = [
        ("8 G", Screen::Findings, Pane::Why),
        ("8 g", Screen::Session, Pane::Trace),
        ("8 g j", Screen::Session, Pane::Trace),
        ("8 g j j", Screen::Lab, Pane::Devices),
    ];
    for (keys, screen, pane) in cases {
        let mut cockpit = Cockpit::new(120, 40, 100);
        cockpit.press(keys);
        let before = stand(&cockpit);
        cockpit.press("enter");
        assert_eq!((cockpit.app.screen, cockpit.app.focus()), (screen, pane), "{keys}");
        if pane == Pane::Devices {
            let on = cockpit.app.device_at(cockpit.app.devices.cursor).expect("a device");
            assert_eq!(on.serial, "emulator-5558");
        }
        cockpit.press("esc");
        assert_eq!((cockpit.app.screen, stand(&cockpit)), (Screen::Log, before), "{keys} esc");
    }
}

#[test]
fn the_doctor_is_asked_once_and_shown_when_he_has_found() {
    let mut cockpit = Cockpit::new(120, 40, 100);
    cockpit.press("8");
    assert!(cockpit.screen().contains("x has the doctor look"), "{}", cockpit.screen());
    cockpit.press("x");
    cockpit.look();
    let screen = cockpit.screen();
    assert!(screen.contains("1 bad, 1 doubtful, 6 good"), "{screen}");
    let asked = |cockpit: &Cockpit, wanted: &Request| {
        cockpit.lab.asked.iter().filter(|request| *request == wanted).count()
    };
    assert_eq!((asked(&cockpit, &Request::Examine), asked(&cockpit, &Request::Doctor)), (1, 2));
    // From a check to its device.
    let lines = &cockpit.app.log.doctor.lines;
    let of = |line: &[(String, _)], words: &str| line.iter().any(|(text, _)| text.contains(words));
    let line = lines.iter().rposition(|line| of(line, "text entry")).expect("a check of a device");
    cockpit.app.log.doctor.list.cursor = line as u64;
    cockpit.press("enter");
    assert_eq!(cockpit.app.screen, Screen::Lab);
    let on = cockpit.app.device_at(cockpit.app.devices.cursor).expect("a device");
    assert_eq!(on.serial, "emulator-5558");
    cockpit.press("esc");
    assert_eq!(cockpit.app.screen, Screen::Log);
}

#[test]
fn whoever_may_only_look_sends_for_no_doctor() {
    let options = TuiOptions { read_only: true, images: false, ..TuiOptions::default() };
    let mut cockpit = Cockpit::with(120, 40, FakeLab::new(10), options);
    cockpit.press("8 x");
    assert!(!cockpit.lab.asked.contains(&Request::Examine));
}
