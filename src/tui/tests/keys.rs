//! What keys do: (state, keys, what follows).

use std::sync::Arc;

use super::Cockpit;
use crate::proto::{LabView, Reply, Request, SessionState, StepView};
use crate::record::{FindingState, SessionId};
use crate::tui::TuiOptions;
use crate::tui::app::{App, Dialog, Effect, Msg, Screen, update};
use crate::tui::command;
use crate::tui::fixtures::{FakeLab, lab_view, layout, step};
use crate::tui::pane::Pane;

/// What of the state a test looks at.
fn state(app: &App) -> String {
    let cursor = |list: &crate::tui::list::List| list.cursor;
    match (app.screen, app.focus()) {
        (Screen::Lab, Pane::Devices) => format!("lab devices {}", cursor(&app.devices)),
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
        (Screen::Stepper, pane) => {
            let s = &app.stepper;
            format!("stepper {pane:?} row {} widget {}", cursor(&s.lanes), cursor(&s.widgets))
        }
        (Screen::Log, _) => format!("log {}", cursor(&app.log)),
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
        ("l 5 enter", "Exchange row 41 of all 42 is 41 follows"),
        ("l 5 enter esc", "Exchanges row 41 of all 42 is 41 follows"),
        ("l enter tab", "s2 Talk step 1233 widget 0 follows"),
        ("l enter tab k enter", "Exchange row 40 of all 42 is 40"),
        ("l enter tab k enter esc", "Exchanges row 40 of all 42 is 40"),
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
    cockpit.type_text("rename");
    assert_eq!(cockpit.app.findings.selected().map(|row| row.rank), Some(2));
    cockpit.press("enter");
    assert!(cockpit.screen().contains("filter “rename” shows"), "{}", cockpit.screen());
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
    cockpit.type_text("of s1-1a2b3c41");
    cockpit.press("enter");
    assert!(cockpit.effects[0].contains("Duplicate, note: \"of s1-1a2b3c41\""), "{:?}", cockpit.effects);
    let marked = cockpit.app.findings.rows.iter().find(|row| row.id.key == 0x1a2b_3c40);
    assert_eq!(marked.map(|row| row.state), Some(FindingState::Duplicate));
}

#[test]
fn searching_the_layout_goes_round() {
    let mut cockpit = Cockpit::new(200, 60, 1_231);
    cockpit.press("2 /");
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
        app.tiles.cursor = 1;
        app.open_session(Some(first));
        app.show(Screen::Session);
        view.sessions.remove(0);
        update(&mut app, Msg::View(Arc::new(view)));
        assert_eq!(app.screen == Screen::Lab, left, "{state:?}");
        assert_eq!(app.status.is_some(), left, "{state:?}");
        assert_ne!(app.session.id == Some(first), left, "{state:?}");
        app.show(Screen::Lab);
        assert_eq!(app.meant_session().map(|session| session.id), Some(second), "the selected tile stays");
    }
}

/// What pressing the first key of a command leads to on a screen: what it asks of the lab, or the
/// question it asks first, is a change; and what is said.
fn pressed(screen: &str, key: &str, read_only: bool) -> (bool, String) {
    let options = TuiOptions { images: false, read_only, ..TuiOptions::default() };
    let mut cockpit = Cockpit::with(200, 60, FakeLab::new(1_234), options);
    cockpit.press(screen);
    cockpit.effects.clear();
    cockpit.press(key);
    let asks = ["Pause", "Resume", "Stop", "Step", "Priority", "Mark", "OpenStepper", "Order"];
    let changes = cockpit.effects.iter().any(|effect| asks.iter().any(|ask| effect.starts_with(ask)))
        || matches!(
            cockpit.app.dialog,
            Some(Dialog::Stop(_) | Dialog::Note { .. } | Dialog::Device { .. } | Dialog::Insert(_))
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
        let words = if keys.starts_with('1') { "stop" } else { "false" };
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
