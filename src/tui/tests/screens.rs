//! Every screen as a person sees it.

use std::sync::Arc;

use super::Cockpit;
use crate::TuiOptions;
use crate::app::Msg;
use crate::theme::ColourDepth;
use droidmux_gui::Layout;
use droidmux_proto::{FindingDetail, Request};
use droidmux_testutils::fixtures::{FakeLab, breach, deviation, hosts, mismatch, mistreated};

/// The sizes the cockpit is made for.
const SIZES: [(u16, u16); 3] = [(200, 60), (120, 40), (80, 24)];

fn snapshot(name: &str, size: (u16, u16), cockpit: &Cockpit) {
    insta::assert_snapshot!(format!("{name}_{}x{}", size.0, size.1), cockpit.screen());
}

/// Compares what keys lead to with its snapshot, in every size, each in a cockpit of its own on such a lab.
fn look_as_drawn(cases: &[(&str, &str)], lab: impl Fn() -> FakeLab) {
    for size in SIZES {
        for (name, keys) in cases {
            let mut cockpit = on(size, lab());
            cockpit.press(keys);
            cockpit.look();
            snapshot(name, size, &cockpit);
        }
    }
}

/// A cockpit of this size that shows no images.
fn on(size: (u16, u16), lab: FakeLab) -> Cockpit {
    Cockpit::with(size.0, size.1, lab, TuiOptions { images: false, ..TuiOptions::default() })
}

/// The lab that most tests are on.
fn usual() -> FakeLab {
    FakeLab::new(1_234)
}

#[test]
fn screens_look_as_drawn() {
    let cases = [
        ("lab", ""),
        ("session", "2"),
        ("session_before", "2 k k b"),
        ("session_enlarged", "2 z"),
        ("session_asking", "l enter"),
        ("findings", "3"),
        ("findings_why", "3 enter"),
        ("findings_compare", "3 enter tab"),
        ("findings_twins", "3 enter tab v v"),
        ("transcripts", "l 5"),
        ("transcripts_opened", "l 5 k k enter"),
        ("transcripts_code", "l 5 k k k enter"),
        ("transcripts_read", "l 5 k k k k k enter"),
        ("model", "6"),
        ("model_growth", "6 j tab tab"),
        ("log", "8"),
        ("help", "?"),
        ("palette", ":"),
        ("note", "3 x"),
    ];
    look_as_drawn(&cases, usual);
}

/// Questions that wait for people, below the list.
#[test]
fn questions_to_people_look_as_drawn() {
    look_as_drawn(&[("transcripts_waiting", "l 5")], || FakeLab { people: true, ..usual() });
}

/// A test that is led: what is there, the widgets, the screen beside the recorded one, the screenshot, and the choice
/// of a device.
#[test]
fn the_stepper_looks_as_drawn() {
    let cases = [
        ("stepper_device", "3 R"),
        ("stepper", "3 R enter"),
        ("stepper_insert", "3 R enter tab tab i"),
        ("stepper_beside", "3 R enter ="),
        ("stepper_picture", "3 R enter P"),
    ];
    look_as_drawn(&cases, usual);
}

/// A lab of many devices, and sessions as a table.
#[test]
fn a_large_lab_looks_as_drawn() {
    let cases = [("large_lab", "w t"), ("large_lab_prefix", "w")];
    look_as_drawn(&cases, || FakeLab { devices: 64, ..usual() });
}

/// Devices of several hosts below what is known of each; those of one that can be reached as if there were no others; and
/// what devices lack, as marks where there is no room for words.
#[test]
fn hosts_look_as_drawn() {
    look_as_drawn(&[("hosts", "tab j j")], || FakeLab { devices: 12, hosts: hosts(4), ..usual() });
    let large = || FakeLab { devices: 64, hosts: hosts(5), lacking: true, ..usual() };
    look_as_drawn(&[("large_hosts", "w t tab j")], large);
    look_as_drawn(&[("lacking", "w t tab j")], || FakeLab { devices: 64, lacking: true, ..usual() });
    let one = |devices| {
        let mut hosts = hosts(3);
        hosts.truncate(1);
        FakeLab { devices, hosts, ..usual() }
    };
    let screen = on(SIZES[1], one(4)).screen();
    assert!(screen.contains("emulator-5554@lab1") && !screen.contains("reachable"), "{screen}");
}

/// Every device can be reached with the keys and the mouse, whatever host it hangs on, and none is lost in a group.
#[test]
fn devices_of_many_hosts_can_be_reached() {
    for (size, devices, many) in
        [((80, 24), 64, 5), ((120, 40), 30, 3), ((80, 24), 7, 4), ((200, 60), 256, 8)]
    {
        let mut cockpit = on(size, FakeLab { devices, hosts: hosts(many), ..usual() });
        cockpit.press("tab");
        for n in 0..u64::from(devices) {
            cockpit.look();
            assert_eq!(cockpit.app.devices.cursor, n, "{size:?}, {devices} devices");
            let device = cockpit.app.device_at(n).expect("a device");
            let name = device.serial.split('@').next().expect("a name").to_owned();
            let screen = cockpit.screen();
            let row = screen.lines().find(|line| line.contains('▌'));
            assert!(row.is_some_and(|row| row.contains(&name)), "{name} under the cursor:\n{screen}");
            cockpit.press("j");
        }
    }
}

/// The three tiers, what is explained folded and opened, and everything that was tried on a finding.
#[test]
fn tiers_look_as_drawn() {
    let cases = [
        ("tier_reported", "3"),
        ("tier_suspicious", "3 s"),
        ("tier_explained", "3 s s enter j"),
        ("tier_evidence", "3 enter"),
    ];
    look_as_drawn(&cases, usual);
}

/// The log narrowed and searched, and the doctor beside it or in its place.
#[test]
fn the_log_and_the_doctor_look_as_drawn() {
    let cases = [
        ("log_folded", "8"),
        ("log_warnings", "8 v"),
        ("log_doctor_unasked", "8 tab"),
        ("log_doctor", "8 x"),
        ("log_nothing", "8 s v"),
    ];
    look_as_drawn(&cases, usual);
}

#[test]
fn hostile_texts_stay_in_their_cells() {
    for size in SIZES {
        for (name, keys) in
            [("hostile_lab", ""), ("hostile_session", "2"), ("hostile_log", "8"), ("hostile_doctor", "8 x")]
        {
            let mut cockpit = on(size, FakeLab { hostile: true, ..FakeLab::new(500) });
            cockpit.press(keys);
            cockpit.look();
            let screen = cockpit.screen();
            assert!(!screen.chars().any(|c| c.is_control() && c != '\n'), "{name}");
            for line in screen.lines() {
                assert!(crate::text::width(line) <= usize::from(size.0), "{name}: {line}");
            }
            snapshot(name, size, &cockpit);
        }
    }
}

#[test]
fn ascii_is_ascii() {
    let options =
        TuiOptions { ascii: true, images: false, colours: ColourDepth::None, ..TuiOptions::default() };
    let mut cockpit = Cockpit::with(120, 40, FakeLab::new(100), options);
    snapshot("ascii_lab", (120, 40), &cockpit);
    for keys in ["1", "8", "?"] {
        cockpit.press(keys);
        let foreign: String =
            cockpit.screen().chars().filter(|c| !c.is_ascii() && !"“”←×…".contains(*c)).collect();
        assert_eq!(foreign, "", "{keys}");
    }
}

#[test]
fn a_lab_with_nothing_says_so() {
    let mut cockpit = Cockpit::new(80, 24, 0);
    cockpit.lab.findings.clear();
    cockpit.tell(Msg::View(Default::default()));
    for (keys, words) in [
        ("1", "No device yet"),
        ("1", "No session yet"),
        ("2", "No session is open"),
        ("3", "No finding yet"),
        ("8", "Nothing was reported"),
    ] {
        cockpit.app = crate::app::App::new(TuiOptions::default());
        cockpit.tell(Msg::Resize(80, 24));
        cockpit.press(keys);
        let screen = cockpit.screen();
        assert!(screen.contains(words), "{keys} should say {words}:\n{screen}");
    }
}

#[test]
fn a_small_terminal_is_told_so_and_none_panics() {
    for (width, height) in
        [(1, 1), (2, 3), (30, 10), (59, 24), (80, 15), (60, 16), (61, 17), (99, 33), (151, 20)]
    {
        let mut cockpit = Cockpit::new(width, height, 300);
        for keys in ["1", "2", "z", "3", "enter", "tab", "v", "8", "?", "esc", ":", "esc", "esc"] {
            cockpit.press(keys);
            let screen = cockpit.screen();
            if width == 59 {
                assert!(screen.contains("too small"), "{screen}");
            }
        }
    }
}

/// The transcript of the Session screen: shown only if a model is asked; named, streaming, hidden on request.
#[test]
fn the_session_screen_has_the_transcript_of_sessions_that_ask() {
    for size in SIZES {
        let mut cockpit = Cockpit::new(size.0, size.1, 1_234);
        cockpit.press("2");
        assert!(!cockpit.screen().contains("Transcript:"), "session 1 asks nobody");
        cockpit.press("]");
        let screen = cockpit.screen();
        for words in ["Transcript: gpt-4o", "detector", "{\"action\"", "cost 1.23", "only the picture"] {
            assert!(screen.contains(words), "{size:?}: {words} is not in\n{screen}");
        }
        let mut view = cockpit.lab.view();
        for session in &mut view.sessions {
            session.model.name = "rules".into();
            session.model.asking[..].iter_mut().for_each(|open| open.partial = "{\"page\": 2".into());
        }
        cockpit.tell(Msg::View(view.into()));
        let screen = cockpit.screen();
        assert!(screen.contains("Transcript: rules") && screen.contains("{\"page\": 2"), "{screen}");
        cockpit.press("m");
        assert!(!cockpit.screen().contains("Transcript:"), "hidden");
        assert!(
            !cockpit.lab.asked.iter().any(|asked| matches!(asked, Request::Exchange { .. })),
            "lines only"
        );
    }
}

/// A lab whose findings have this detail.
fn telling(made: fn(&[Arc<Layout>]) -> FindingDetail) -> FakeLab {
    let mut lab = FakeLab::new(500);
    lab.detail = made(&lab.layouts);
    lab
}

#[test]
fn a_deviation_shows_the_usual_behaviour_beside_the_deviant_one() {
    let mut cockpit = on((200, 66), telling(deviation));
    for (keys, expected) in [
        (
            "3 enter",
            &[
                "30 behaviours in 2 clusters of 29, 1",
                "mean 29.00, deviation 5.38",
                "this one holds 1, 5.2 deviations below",
                "attribute values dropped",
                "1. only usually:",
                "2. only here:",
                "The usual input, from s1 j29 test 0",
                "The deviant input, from s1 j1 test 0",
            ][..],
        ),
        ("tab", &["only usually:", "Usual, before", "Usual, after", "Deviant, before", "Deviant, after"]),
    ] {
        cockpit.press(keys);
        let screen = cockpit.screen();
        for words in expected {
            assert!(screen.contains(words), "{words} is not in\n{screen}");
        }
    }
}

/// Findings of the techniques that ask a language model: why they are findings, and the screens before
/// and after.
#[test]
fn unusual_texts_and_mismatches_are_explained() {
    for (name, made) in
        [("findings_mistreated", mistreated as fn(&[_]) -> _), ("findings_mismatch", mismatch)]
    {
        let (why, compare) = (format!("{name}_why"), format!("{name}_compare"));
        look_as_drawn(&[(&why, "3 enter"), (&compare, "3 enter tab")], || telling(made));
    }
}

#[test]
fn a_breach_shows_property_data_model_and_functions() {
    let mut cockpit = on((200, 60), telling(breach));
    for (keys, expected) in [
        (
            "3 enter",
            &[
                "Other oracles agree: odin",
                "After `delete entry` (delete entry) the specification wants this",
                "Found: old_entry is widget 12 of the layout",
                "entry before: Cinema · Gardening",
                "entry after: Cinema",
                "7  delete entry  − \"Gardening\"",
            ][..],
        ),
        ("G", &["Shrunk from 8 to 1 event", "droidmux shrink s1-1a2b3c40"]),
        ("tab", &["old_entry is widget 12 of the layout", "Before turn 8", "After turn 8"]),
    ] {
        cockpit.press(keys);
        let screen = cockpit.screen();
        for words in expected {
            assert!(screen.contains(words), "{words} is not in\n{screen}");
        }
    }
}
