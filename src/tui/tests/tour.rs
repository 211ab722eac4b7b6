//! The guided tour: what ends each stage, going back, and that it hides nothing.

use std::sync::Arc;

use super::Cockpit;
use crate::app::Msg;
use crate::screen;
use crate::tour::lines;
use crate::{TuiOptions, text};
use droidmux_proto::{Reply, RowOrigin, RowState, SessionState, StepperView};
use droidmux_record::SessionId;
use droidmux_testutils::fixtures::{FakeLab, stepper};

const SIZES: [(u16, u16); 2] = [(120, 40), (80, 24)];

/// What happens between two stages besides keys.
type Happens = fn(&mut Cockpit);

/// The whole tour: what the person presses, what the lab does then, the title of the stage that is shown next, and
/// words of it.
const WALK: [(&str, Happens, &str, &str); 16] = [
    ("", nothing, "the lab", "enter opens it"),
    ("enter", nothing, "a session", "the screen after an earlier event"),
    ("k", nothing, "what was found", "Press 3 to see what was found"),
    ("3", nothing, "the findings", "You are on s1-1a2b3c40"),
    ("enter", nothing, "why it is a bug", "What is wrong stands first"),
    ("tab", nothing, "the two layouts", "Press v to compare"),
    ("v", nothing, "on a device", "press R to lead the test"),
    ("R", nothing, "on a device", "Leave the line empty and press enter"),
    ("enter", nothing, "an event left out", "Press x to leave it out"),
    ("x", left_out, "to the violation", "v goes on to where"),
    ("v", in_trouble, "to the violation", "It cannot go on"),
    ("x v", reached, "what it shows", "The effect is missing again"),
    ("L", ended, "your word", "Press 3 to go back to s1-1a2b3c40"),
    ("3", nothing, "your word", "press t to say that it is a true bug"),
    ("t", nothing, "your word", "it may stay empty"),
    ("enter", nothing, "where to go next", "f4 ends the tour"),
];

fn nothing(_: &mut Cockpit) {}

/// The test before its first inserted event.
fn opened(lab: &FakeLab) -> StepperView {
    let mut view = stepper(lab.detail.finding.id.clone(), SessionId(1), &lab.layouts);
    view.rows.retain(|row| row.origin != RowOrigin::Added);
    let inserted = view.rows.iter_mut().filter(|row| row.origin == RowOrigin::Inserted);
    inserted.zip([RowState::Next, RowState::Ahead]).for_each(|(row, state)| row.state = state);
    view.trouble.clear();
    view.violation.reached = false;
    view
}

fn left_out(cockpit: &mut Cockpit) {
    stands(cockpit, |view| {
        let mut inserted = view.rows.iter_mut().filter(|row| row.origin == RowOrigin::Inserted);
        inserted.next().expect("an inserted event").state = RowState::Skipped;
    });
}

fn in_trouble(cockpit: &mut Cockpit) {
    stands(cockpit, |view| view.trouble = "the event could not be performed: not found".into());
}

fn reached(cockpit: &mut Cockpit) {
    stands(cockpit, |view| {
        view.trouble.clear();
        view.violation.reached = true;
    });
}

/// The led test stands elsewhere, and the cockpit hears of it.
fn stands(cockpit: &mut Cockpit, change: fn(&mut StepperView)) {
    let view = cockpit.lab.stepped.as_mut().expect("a led test");
    change(view);
    view.question = view.question.map(|number| number + 1);
    let reply = Reply::Stepper(view.session, Some(Box::new(view.clone())));
    cockpit.tell(Msg::Reply(reply));
}

fn ended(cockpit: &mut Cockpit) {
    let mut view = cockpit.lab.view();
    view.sessions[0].state = SessionState::Done;
    cockpit.tell(Msg::View(Arc::new(view)));
}

/// A cockpit on the tour.
fn cockpit((width, height): (u16, u16)) -> Cockpit {
    let mut lab = FakeLab::new(1_234);
    lab.stepped = Some(opened(&lab));
    Cockpit::with(width, height, lab, TuiOptions { images: false, tour: true, ..TuiOptions::default() })
}

/// The stage that is shown, and its words.
fn told(cockpit: &Cockpit) -> (&'static str, String) {
    let Some(stage) = cockpit.app.tour.as_ref().and_then(|tour| tour.told()) else {
        return ("", String::new());
    };
    let words = lines(&screen::tour::told(&cockpit.app, stage), &cockpit.app.keymap, 10_000);
    (stage.title, words.iter().flatten().map(|(text, _)| text.as_str()).collect())
}

#[test]
fn each_stage_ends_by_what_the_person_has_done() {
    for size in SIZES {
        let mut cockpit = cockpit(size);
        for (keys, happens, title, words) in WALK {
            cockpit.press(keys);
            happens(&mut cockpit);
            let (stage, text) = told(&cockpit);
            assert_eq!(stage, title, "{size:?}, after `{keys}`: {text}");
            assert!(text.contains(words), "{size:?}, after `{keys}`: {text}");
        }
        cockpit.press("f4");
        assert!(cockpit.app.tour.is_none() && !cockpit.screen().contains("Tour"));
    }
}

#[test]
fn whoever_takes_back_what_was_left_out_is_told_so() {
    let mut cockpit = cockpit(SIZES[0]);
    for (keys, happens, ..) in WALK.iter().take_while(|(.., title, _)| *title != "what it shows") {
        cockpit.press(keys);
        happens(&mut cockpit);
    }
    stands(&mut cockpit, |view| {
        let skipped = view.rows.iter_mut().filter(|row| row.state == RowState::Skipped);
        skipped.for_each(|row| row.state = RowState::Ahead);
    });
    reached(&mut cockpit);
    let (stage, text) = told(&cockpit);
    assert_eq!(stage, "what it shows");
    assert!(text.contains("missing again, with the test as it was found"), "{text}");
}

#[test]
fn every_stage_is_told_whole_and_hides_nothing() {
    for size in [(200, 60), (120, 40), (80, 24), (60, 20)] {
        let mut cockpit = cockpit(size);
        for (keys, happens, title, _) in WALK {
            cockpit.press(keys);
            happens(&mut cockpit);
            let height = screen::tour::height(&cockpit.app);
            let wrapped = {
                let stage = cockpit.app.tour.as_ref().and_then(|tour| tour.told()).expect("a stage");
                let words = screen::tour::told(&cockpit.app, stage);
                lines(&words, &cockpit.app.keymap, usize::from(size.0) - 2)
            };
            assert!(wrapped.len() < usize::from(height), "{size:?}, {title}: {wrapped:?}");
            for line in &wrapped {
                let width: usize = line.iter().map(|(piece, _)| text::width(piece)).sum();
                assert!(width <= usize::from(size.0) - 2, "{line:?}");
            }
            for (pane, frame) in screen::frames(&cockpit.app) {
                assert!(frame.bottom() < size.1 - height, "{size:?}, {title}: {pane:?} under the tour");
            }
        }
    }
}

#[test]
fn the_tour_looks_as_drawn() {
    let shown = [
        "the lab",
        "the findings",
        "the two layouts",
        "an event left out",
        "what it shows",
        "where to go next",
    ];
    for size in SIZES {
        let mut cockpit = cockpit(size);
        for (keys, happens, title, _) in WALK {
            let before = told(&cockpit).0;
            cockpit.press(keys);
            happens(&mut cockpit);
            if shown.contains(&title) && (before != title || keys.is_empty()) {
                let name = format!("tour_{}_{}x{}", title.replace(' ', "_"), size.0, size.1);
                insta::assert_snapshot!(name, cockpit.screen());
            }
        }
    }
}

#[test]
fn a_stage_gone_back_to_stays_until_it_is_done_anew() {
    // (keys, the stage told then)
    let cases = [
        ("enter k 3 enter tab", "the two layouts"),
        ("f2", "why it is a bug"),
        // It is done as things stand: only doing it anew, or going on, ends it.
        ("j", "why it is a bug"),
        ("shift-tab", "why it is a bug"),
        ("tab", "the two layouts"),
        ("f2 f2", "the findings"),
        ("f3", "why it is a bug"),
        ("f3", "the two layouts"),
        ("f2 f2 f2 f2 f2 f2 f2 f2", "the lab"),
        ("1 enter", "what was found"),
    ];
    let mut cockpit = cockpit(SIZES[0]);
    for (keys, stage) in cases {
        cockpit.press(keys);
        assert_eq!(told(&cockpit).0, stage, "after `{keys}`");
    }
}

#[test]
fn whoever_looks_elsewhere_is_told_the_way_back() {
    let mut cockpit = cockpit(SIZES[0]);
    cockpit.press("enter 8");
    assert_eq!(told(&cockpit).0, "a session");
    assert!(told(&cockpit).1.contains("2 comes back to Session"), "{}", told(&cockpit).1);
    cockpit.press("2 k");
    assert_eq!(told(&cockpit).0, "what was found");
}

#[test]
fn the_tour_says_what_it_waits_for() {
    let mut lab = FakeLab::new(100);
    let (all, mut none) = (lab.findings.clone(), lab.findings.clone());
    none.iter_mut().for_each(|row| row.oracle = "crash".into());
    lab.findings = none;
    let options = TuiOptions { images: false, tour: true, ..TuiOptions::default() };
    let mut cockpit = Cockpit::with(80, 24, lab, options);
    for keys in ["enter k", "3", "enter"] {
        cockpit.press(keys);
        let (_, text) = told(&cockpit);
        assert!(
            text.contains(
                "Awaited is the first that s1 (genie) reports; it is testing mutants; its end is 22:50 away"
            ),
            "{keys}: {text}"
        );
    }
    cockpit.lab.findings = all;
    let view = droidmux_proto::LabView { findings_version: 9, ..cockpit.lab.view() };
    cockpit.tell(Msg::View(Arc::new(view)));
    assert_eq!(told(&cockpit).0, "why it is a bug", "the person stands on it already");
}

#[test]
fn the_tour_begins_and_ends_in_any_cockpit() {
    let mut cockpit = Cockpit::new(120, 40, 100);
    assert!(cockpit.app.tour.is_none());
    cockpit.press("f2 f3");
    assert!(cockpit.app.tour.is_none(), "there is nothing to turn");
    cockpit.press(":");
    cockpit.type_text("tour");
    cockpit.press("enter");
    assert_eq!(told(&cockpit).0, "the lab");
    cockpit.press("f4");
    assert!(cockpit.app.tour.is_none());
}
