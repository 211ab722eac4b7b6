//! Leading a test from the cockpit: where it is opened, on which device, what is chosen.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::Cockpit;
use crate::app::{Dialog, Msg, Screen};
use droidmux_proto::DeviceHealth;

/// What the lab is asked when a test is to be led, wherever the cursor is.
#[test]
fn the_stepper_opens_on_findings_verdicts_and_steps() {
    let test = |slot: &str, test: u16, key: &str| {
        format!("subject: Test {{ session: SessionId(1), slot: Slot({slot}), test: {test}, key: {key:?} }}")
    };
    let cockpit = {
        let mut cockpit = Cockpit::new(120, 40, 1_234);
        cockpit.press("2 tab");
        cockpit
    };
    let verdict = cockpit.app.session.verdict_log.get(0).expect("a verdict").clone();
    let step = cockpit.app.session.steps.get(1_233).expect("a step").clone();
    for (keys, expected) in [
        ("3 R enter", "subject: Finding(".to_owned()),
        ("2 tab R enter", test(&verdict.slot.0.to_string(), verdict.test, &verdict.key)),
        ("2 R enter", test(&step.slot.0.to_string(), step.test, "")),
        ("3 R enter", "serial: None, after: None".to_owned()),
        ("3 R down enter", "serial: Some(\"emulator-5554\"), after: None".to_owned()),
        ("3 R 5 5 5 6 enter", "serial: Some(\"emulator-5556\")".to_owned()),
        ("3 R enter R enter", "after: Some(SessionId(1))".to_owned()),
    ] {
        let mut cockpit = Cockpit::new(120, 40, 1_234);
        cockpit.press(keys);
        let asked = cockpit.effects.last().cloned().unwrap_or_default();
        assert!(asked.starts_with("OpenStepper") && asked.contains(&expected), "{keys}: {asked}\n{expected}");
        assert_eq!(cockpit.app.screen, Screen::Stepper, "{keys}");
    }
    for (keys, said) in [
        ("3 R x y z enter", "no device is called"),
        ("3 R down down down down enter", "cannot be used: away"),
    ] {
        let mut cockpit = Cockpit::new(120, 40, 1_234);
        cockpit.press(keys);
        let text = cockpit.app.status.clone().map(|(text, _)| text).unwrap_or_default();
        assert!(text.contains(said) && cockpit.effects.is_empty(), "{keys}: {text}");
        assert!(matches!(cockpit.app.dialog, Some(Dialog::Device { .. })), "{keys}: it is asked again");
    }
}

/// A test that may only run on one device is offered another when that is lost; one that may run on any is not.
#[test]
fn another_device_is_offered_when_that_of_a_led_test_is_lost() {
    for (keys, offered) in [("3 R down enter", true), ("3 R enter", false)] {
        let mut cockpit = Cockpit::new(120, 40, 1_234);
        cockpit.press(keys);
        let mut view = cockpit.lab.view();
        view.devices[0].health = DeviceHealth::Away("offline".into());
        cockpit.tell(Msg::View(view.clone().into()));
        let is_offered = |cockpit: &Cockpit| matches!(cockpit.app.dialog, Some(Dialog::Device { .. }));
        assert_eq!(is_offered(&cockpit), offered, "{keys}");
        if offered {
            assert!(cockpit.screen().contains("emulator-5554 was lost"), "{}", cockpit.screen());
            cockpit.press("esc");
            cockpit.tell(Msg::View(view.into()));
            assert!(!is_offered(&cockpit), "it is offered once");
        }
    }
}

/// A click on the picture chooses the widget there.
#[test]
fn widgets_are_chosen_on_the_picture() {
    let mut cockpit = Cockpit::new(200, 60, 1_234);
    cockpit.press("3 R enter");
    let screen = cockpit.screen();
    let lines: Vec<Vec<char>> = screen.lines().map(|line| line.chars().collect()).collect();
    let word: Vec<char> = "Sleeping".chars().collect();
    let places = lines.iter().zip(0_u16..).flat_map(|(line, row)| {
        let starts = line.windows(word.len()).zip(0_u16..).filter(|(window, _)| *window == word.as_slice());
        starts.map(move |(_, column)| (column, row)).collect::<Vec<_>>()
    });
    // The rightmost one: the widgets stand left of the picture.
    let (column, row) = places.max().expect("it is on the picture");
    let kind = MouseEventKind::Down(MouseButton::Left);
    cockpit.tell(Msg::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
    let layout = cockpit.app.stepped_layout().expect("a layout");
    let chosen = layout.get(cockpit.app.stepper.widget()).expect("a widget");
    let shows = |widget: droidmux_gui::Widget<'_>| widget.text() == "Sleeping";
    assert!(shows(chosen) || chosen.children().any(shows), "{}", chosen.class());
}

/// A cockpit that comes to a lab where a test waits for orders leads it.
#[test]
fn a_test_that_waits_for_orders_is_taken_up() {
    let mut cockpit = Cockpit::new(120, 40, 1_234);
    let mut view = cockpit.lab.view();
    view.sessions[0].asks = Some(3);
    cockpit.tell(Msg::View(view.clone().into()));
    assert!(
        cockpit.screen().contains("s1 steps through a test and waits for an order"),
        "{}",
        cockpit.screen()
    );
    cockpit.press("4 n");
    assert!(cockpit.effects.iter().any(|effect| effect.starts_with("Order")), "{:?}", cockpit.effects);
    // What it was opened with is known again.
    cockpit.press("R enter");
    let asked = cockpit.effects.last().cloned().unwrap_or_default();
    assert!(asked.contains("subject: Finding(") && asked.contains("after: Some(SessionId(1))"), "{asked}");
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
