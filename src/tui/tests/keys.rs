//! What keys do: (state, keys, what follows).

use super::Cockpit;
use crate::app::{App, Msg, Screen};
use crate::pane::Pane;
use droidmux_record::FindingState;

/// What of the state a test looks at.
fn state(app: &App) -> String {
    let cursor = |list: &crate::list::List| list.cursor;
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
        ("l 5 a", "Exchanges row 12 of explorer 13 is 39 follows"),
        ("l 5 a a a k", "Exchanges row 12 of detector 14 is 38"),
        ("l 5 a a a a", "Exchanges row 0 of reader 1 is 36 follows"),
        ("l 5 a a a a a a", "Exchanges row 41 of all 42 is 41 follows"),
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
