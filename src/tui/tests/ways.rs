//! The ways through the cockpit: from findings to verdicts and steps and back, and through the trace.

use std::sync::Arc;

use super::Cockpit;
use crate::TuiOptions;
use crate::app::{Dialog, Msg, Screen};
use crate::pane::Pane;
use droidmux_proto::{Digest, LabView, Lens, Reply, Request, SessionState};
use droidmux_record::{Bookmark, FindingId, SessionId, TierCounts};
use droidmux_testutils::fixtures::FakeLab;

/// A cockpit whose first finding is the one that the violations of session 1 are part of.
fn cockpit() -> Cockpit {
    let mut lab = FakeLab::new(1_234);
    let id = FindingId::of(SessionId(1), "genie", "deleted picture");
    (lab.findings[0].id, lab.findings[0].cluster) = (id.clone(), id);
    Cockpit::with(120, 40, lab, TuiOptions { images: false, ..TuiOptions::default() })
}

/// Where a person stands.
fn place(cockpit: &Cockpit) -> String {
    let app = &cockpit.app;
    let session = app.session.id.map(|id| id.to_string()).unwrap_or_default();
    match app.screen {
        Screen::Session => {
            let (step, verdict) = (app.session.trace.cursor, app.session.verdicts.cursor);
            format!("{session} {:?} step {step} verdict {verdict}", app.focus())
        }
        Screen::Findings => {
            let rank = app.findings.selected().map_or(0, |row| row.rank);
            format!("findings {:?} rank {rank}", app.focus())
        }
        screen => screen.name().to_owned(),
    }
}

#[test]
fn escape_goes_where_one_came_from() {
    // (keys, where they lead); verdict 2 is a violation.
    let cases = [
        ("2 tab j j", "s1 Verdicts step 1233 verdict 2"),
        ("2 tab j j enter", "findings Why rank 1"),
        ("2 tab j j enter esc", "s1 Verdicts step 1233 verdict 2"),
        ("2 tab j j enter esc esc", "Lab"),
        ("2 tab j j enter o", "s1 Trace step 4 verdict 2"),
        ("2 tab j j enter o esc", "findings Why rank 1"),
        ("2 tab j j enter o esc esc", "s1 Verdicts step 1233 verdict 2"),
        ("2 tab j j w", "s1 Trace step 20 verdict 2"),
        ("2 tab j j w esc", "s1 Verdicts step 1233 verdict 2"),
        ("2 g j w", "s1 Verdicts step 1 verdict 0"),
        ("2 g j w esc", "s1 Trace step 1 verdict 0"),
        ("3 j enter esc", "findings Table rank 2"),
        ("3 j w", "s2 Verdicts step 1233 verdict 12"),
        ("3 j w esc", "findings Table rank 2"),
        ("3 j w esc esc", "Lab"),
        ("2 3 8 esc", "findings Table rank 1"),
        ("2 3 8 esc esc", "s1 Trace step 1233 verdict 0"),
        ("2 3 8 esc esc esc esc esc", "Lab"),
        // finding, verdict, step, layout: each jump has its way back.
        ("3 enter w w enter", "s1 Tree step 120 verdict 12"),
        ("3 enter w w enter esc", "s1 Trace step 120 verdict 12"),
        ("3 enter w w enter esc esc", "s1 Verdicts step 1233 verdict 12"),
        ("3 enter w w enter esc esc esc", "findings Why rank 1"),
        ("3 enter w w enter esc esc esc esc", "findings Table rank 1"),
        ("3 enter w w enter esc esc esc esc esc", "Lab"),
        ("3 enter enter esc", "findings Why rank 1"),
        ("3 enter enter esc esc", "findings Table rank 1"),
        // A person who went back by hand is not led there again.
        ("2 enter enter esc", "Lab"),
        // What the trace showed is shown again.
        ("2 # 1 0 0 enter o 3 esc", "s1 Trace step 4 verdict 0"),
        ("2 # 1 0 0 enter o w esc", "s1 Trace step 4 verdict 0"),
        ("2 # 1 0 0 enter o 3 j w esc esc", "s1 Trace step 4 verdict 0"),
        // What a reader cites, step by step, and what a reviewer judges.
        ("l 5 k k k k k enter s", "s1 Trace step 17 verdict 0"),
        ("l 5 k k k k k enter s esc", "Transcripts"),
        ("l 5 k k k k k enter s esc s", "s1 Trace step 18 verdict 0"),
        ("l 5 k k k k k enter s esc s esc s", "s1 Trace step 40 verdict 0"),
        ("l 5 k k k k k enter s esc s esc s esc s", "s1 Trace step 17 verdict 0"),
        ("l 5 k k k k k k k enter s", "findings Why rank 2"),
        ("l 5 k k k k k k k enter s esc", "Transcripts"),
        // All screens are remembered, whatever leads to them.
        ("3 4 esc", "findings Table rank 1"),
        ("3 4 6 7 esc esc", "Stepper"),
        ("3 R enter enter esc esc", "findings Table rank 1"),
    ];
    for (keys, expected) in cases {
        let mut cockpit = cockpit();
        cockpit.press(keys);
        assert_eq!(place(&cockpit), expected, "after {keys}");
    }
}

#[test]
fn a_prompt_takes_a_new_text_in_place_of_its_last_one() {
    let mut cockpit = cockpit();
    cockpit.press("3 /");
    cockpit.type_text("rename");
    cockpit.press("enter /");
    assert!(cockpit.screen().contains("typing replaces it"), "{}", cockpit.screen());
    cockpit.type_text("notes");
    assert_eq!(cockpit.app.findings.filter, "notes");
    cockpit.press("enter / left");
    cockpit.type_text("x");
    assert_eq!(cockpit.app.findings.filter, "notexs");
}

#[test]
fn the_header_counts_what_the_list_shows() {
    let mut cockpit = cockpit();
    let few = TierCounts { reported: 2, suspicious: 0, explained: 0 };
    let view = LabView { findings: few, ..cockpit.lab.view() };
    cockpit.tell(Msg::View(Arc::new(view)));
    let mut cockpit = Cockpit { app: cockpit.app, lab: cockpit.lab, effects: Vec::new() };
    cockpit.tell(Msg::Resize(200, 60));
    cockpit.press("3");
    let screen = cockpit.screen();
    let header = screen.lines().next().unwrap_or_default();
    assert!(header.contains("4 reported, 2 suspicious"), "{header}");
    assert!(screen.contains("[4 reported] 2 suspicious"), "{screen}");
}

#[test]
fn a_session_that_has_ended_is_neither_stepped_nor_stopped() {
    for screen in ["1", "2"] {
        for (state, over) in [(SessionState::Running, false), (SessionState::Done, true)] {
            let mut cockpit = cockpit();
            let mut view = cockpit.lab.view();
            view.sessions[0].state = state;
            cockpit.tell(Msg::View(Arc::new(view)));
            cockpit.app.tiles.cursor = 0;
            cockpit.press(screen);
            let footer = |cockpit: &Cockpit| cockpit.screen().lines().last().unwrap_or_default().to_owned();
            assert_eq!(footer(&cockpit).contains("S stop"), !over, "{}", footer(&cockpit));
            for (key, name) in [("S", "stop"), ("s", "step")] {
                cockpit.press(key);
                assert_eq!(matches!(cockpit.app.dialog, Some(Dialog::Stop(_))), !over && key == "S");
                let said = cockpit.app.status.clone().map(|(text, _)| text).unwrap_or_default();
                assert_eq!(said.contains(&format!("`{name}`: s1 has ended")), over, "{said}");
                cockpit.press("esc");
            }
        }
    }
}

#[test]
fn the_session_of_a_watched_command_is_opened_under_the_digest() {
    let options = TuiOptions { images: false, opens: Some(SessionId(2)), ..TuiOptions::default() };
    let mut cockpit = Cockpit::with(120, 40, FakeLab::new(100), options);
    assert_eq!(place(&cockpit), "s2 Trace step 99 verdict 0");
    cockpit.app.dialog = Some(Dialog::Digest(Box::default(), Default::default()));
    cockpit.press("esc");
    assert_eq!(place(&cockpit), "s2 Trace step 99 verdict 0");
    cockpit.press("esc");
    assert_eq!((cockpit.app.screen, cockpit.app.tiles.cursor), (Screen::Lab, 1));
}

/// Someone who comes for one session sees it; what happened meanwhile is a key away.
#[test]
fn what_happened_meanwhile_does_not_cover_the_session_that_was_asked_for() {
    for (opens, covers) in [(None, true), (Some(SessionId(2)), false)] {
        let mut lab = FakeLab::new(100);
        lab.digest = Digest { ended: vec![(SessionId(1), "complete".into())], ..Digest::default() };
        let mut cockpit = Cockpit::with(120, 40, lab, TuiOptions { opens, ..TuiOptions::default() });
        // As it is told when the cockpit opens; not asked for by the person.
        let digest = cockpit.lab.digest.clone();
        cockpit.tell(Msg::Reply(Reply::Digest(Box::new(digest))));
        let screen = cockpit.screen();
        assert_eq!(screen.contains("Since you left"), covers, "{screen}");
        assert_eq!(screen.contains("things happened since you left: D tells them"), !covers, "{screen}");
        cockpit.press("esc D");
        assert!(cockpit.screen().contains("1 session ended"), "{}", cockpit.screen());
    }
}

#[test]
fn the_trace_of_one_test_or_one_device_is_shown() {
    let mut cockpit = cockpit();
    cockpit.press("2 # 1 0 0 enter o");
    let step = cockpit.app.session.step().expect("a step").clone();
    assert_eq!(step.seq, 100, "the cursor stays on its step");
    assert_eq!(cockpit.app.session.lens, Lens::Test { slot: step.slot, test: step.test });
    let screen = cockpit.screen();
    assert!(screen.contains(&format!("Trace of {}/{} only", step.slot, step.test)), "{screen}");
    let tests = |cockpit: &Cockpit| {
        let rows = 0..cockpit.app.session.steps.len();
        rows.filter_map(|row| cockpit.app.session.steps.get(row))
            .map(|s| (s.slot, s.test))
            .collect::<Vec<_>>()
    };
    assert!(!tests(&cockpit).is_empty());
    assert!(tests(&cockpit).iter().all(|test| *test == (step.slot, step.test)), "{:?}", tests(&cockpit));
    cockpit.press("o");
    assert_eq!((cockpit.app.session.lens.clone(), cockpit.app.session.trace.cursor), (Lens::All, 100));
    cockpit.press("d");
    assert_eq!(cockpit.app.session.step().map(|step| step.seq), Some(100));
    let devices: Vec<_> = (0..40).filter_map(|row| cockpit.app.session.steps.get(row)).collect();
    assert!(devices.iter().all(|shown| shown.device == step.device), "of one device");
    // What comes later comes in, too.
    let before = cockpit.app.session.steps.len();
    cockpit.lab.steps = 2_000;
    let view = cockpit.lab.view();
    cockpit.tell(Msg::View(Arc::new(view)));
    assert!(cockpit.app.session.steps.len() > before);
}

#[test]
fn the_trace_is_gone_through_by_number_and_by_what_stands_there() {
    // (keys from step 100 on, the step they lead to)
    let cases = [
        ("# 5 0 0 enter", 500),
        ("# + 2 0 enter", 120),
        ("# - 2 0 enter", 80),
        ("# 5 0 % enter", 617),
        ("# x enter", 100),
        (". ", 100),
        (">", 150),
        ("> >", 250),
        ("<", 50),
    ];
    for (keys, expected) in cases {
        let mut cockpit = cockpit();
        cockpit.press("2 # 1 0 0 enter");
        cockpit.press(keys);
        let app = &cockpit.app;
        if keys.trim() == "." {
            let step = app.session.step().expect("a step");
            assert!(step.inserted && step.seq > 100, "{step:?}");
            continue;
        }
        assert_eq!(app.session.trace.cursor, expected, "after {keys}");
    }
    let mut cockpit = cockpit();
    cockpit.press("2 g /");
    cockpit.type_text("add activity");
    cockpit.press("enter");
    let first = cockpit.app.session.step().expect("a step").clone();
    assert!(first.seq > 0 && first.receiver.to_lowercase().contains("add activity"), "{first:?}");
    cockpit.press("n");
    assert!(cockpit.app.session.trace.cursor > first.seq);
    cockpit.press("N");
    assert_eq!(cockpit.app.session.trace.cursor, first.seq);
}

#[test]
fn a_session_that_the_lab_does_not_show_is_opened_from_the_store() {
    let mut cockpit = cockpit();
    cockpit.press("O");
    cockpit.type_text("s9");
    cockpit.press("enter");
    assert!(cockpit.lab.asked.contains(&Request::Open(SessionId(9))), "{:?}", cockpit.lab.asked);
    assert_eq!(place(&cockpit), "Lab", "until it is there");
    let mut view = cockpit.lab.view();
    let mut past = view.sessions[0].clone();
    (past.id, past.state) = (SessionId(9), SessionState::Done);
    view.sessions.push(past);
    cockpit.tell(Msg::View(Arc::new(view)));
    assert_eq!(place(&cockpit), "s9 Trace step 1233 verdict 0");
    assert_eq!(cockpit.app.focus(), Pane::Trace);
}

#[test]
fn bookmarks_lead_back_to_their_steps() {
    let mut cockpit = cockpit();
    cockpit.press("2 # 1 0 0 enter B # 7 enter B");
    assert!(cockpit.screen().contains("*7"), "{}", cockpit.screen());
    cockpit.press("]");
    cockpit.press("'");
    let screen = cockpit.screen();
    assert!(screen.contains("Bookmarks") && screen.contains("s1          100  j2/0"), "{screen}");
    cockpit.press("down enter");
    assert_eq!(place(&cockpit), "s1 Trace step 100 verdict 0");
    cockpit.press("esc");
    assert!(place(&cockpit).starts_with("s2 Trace"), "{}", place(&cockpit));
    cockpit.press("[ # 7 enter B ' down enter");
    assert_eq!(cockpit.app.bookmarks.rows.len(), 1, "the second one was taken away");
}

/// The lab keeps them: the next cockpit has them, and one that is open hears of those of others.
#[test]
fn bookmarks_outlive_their_cockpit() {
    let mut first = cockpit();
    first.press("2 # 1 0 0 enter B");
    let mut second = Cockpit::with(120, 40, first.lab, TuiOptions::default());
    second.press("2 # 1 0 0 enter");
    assert!(second.screen().contains("*100"), "{}", second.screen());
    second.press("g '");
    assert!(second.screen().contains("s1          100  j2/0"), "{}", second.screen());
    second.press("esc");
    let marked = |seq| Bookmark { session: SessionId(1), seq, words: "j0/0 back".into() };
    second.lab.bookmarks = (vec![marked(3)], 9);
    second.look();
    assert_eq!(second.app.bookmarks.rows, [marked(3)]);
}

#[test]
fn any_two_steps_are_compared() {
    for size in [(200, 60), (120, 40), (80, 24)] {
        let options = TuiOptions { images: false, ..TuiOptions::default() };
        let mut cockpit = Cockpit::with(size.0, size.1, FakeLab::new(1_234), options);
        cockpit.press("2 =");
        assert!(!cockpit.screen().contains("Differences"), "nothing to compare with");
        // Layouts 0 and 1: the picture and its like go.
        cockpit.press("# 1 0 0 enter x");
        assert!(cockpit.screen().contains("the layouts are equal"), "{}", cockpit.screen());
        cockpit.press("j");
        let screen = cockpit.screen();
        for words in ["s1 after step 100", "s1 after step 101", "1 widget gone, 0 new, 1 changed"] {
            assert!(screen.contains(words), "{size:?} {words}: {screen}");
        }
        cockpit.press("=");
        assert!(!cockpit.screen().contains("Differences"), "{}", cockpit.screen());
    }
}
