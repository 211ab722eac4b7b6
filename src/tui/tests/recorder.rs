//! The Recorder screen: keys in, orders and screens out.

use super::Cockpit;
use crate::app::Msg;
use droidmux_proto::{RecorderPhase, RecorderView, RehearsalView, Reply};

const SIZES: [(u16, u16); 3] = [(200, 60), (120, 40), (80, 24)];

/// Opens a recording of `add entry` on any device, the cursor on a field that can be typed into.
const OPEN: &str = "7 n enter enter enter e n t r y enter j";

fn cockpit(size: (u16, u16), keys: &str) -> Cockpit {
    let mut cockpit = Cockpit::new(size.0, size.1, 1_234);
    cockpit.press(keys);
    cockpit
}

/// What the lab says the recording has become.
fn told(cockpit: &mut Cockpit, change: impl FnOnce(&mut RecorderView)) {
    let mut view = cockpit.lab.recorder.clone().expect("something is recorded");
    change(&mut view);
    cockpit.tell(Msg::Reply(Reply::Recorder(Some(Box::new(view)))));
}

#[test]
fn it_looks_as_drawn() {
    let grown = format!("{OPEN} t");
    let cases = [
        ("recorder_empty", "7"),
        ("recorder_device", "7 n"),
        ("recorder_function", "7 n enter enter"),
        ("recorder_begun", OPEN),
        ("recorder_text", &format!("{OPEN} e")),
        ("recorder_grown", &grown),
        ("recorder_performed", &format!("{grown} tab")),
        ("recorder_leave", &format!("{grown} X")),
    ];
    for size in SIZES {
        for (name, keys) in cases {
            insta::assert_snapshot!(format!("{name}_{}x{}", size.0, size.1), cockpit(size, keys).screen());
        }
    }
}

#[test]
fn a_rehearsal_and_a_lost_device_are_told() {
    for size in SIZES {
        let mut rehearsed = cockpit(size, &format!("{OPEN} t"));
        told(&mut rehearsed, |view| {
            view.lacks.clear();
            let lines = vec![
                "data: + \"Gardening\"".to_owned(),
                "holds: add_object, showing \"Gardening\", is on the layout: widget 17".to_owned(),
            ];
            view.rehearsal = Some(RehearsalView { lines, good: true });
            view.saved = "/home/ann/org.diary.json".into();
        });
        insta::assert_snapshot!(format!("recorder_rehearsed_{}x{}", size.0, size.1), rehearsed.screen());
        let mut lost = cockpit(size, &format!("{OPEN} t"));
        let why = "emulator-5554: waiting: the device was lost (ADB says: gone)";
        told(&mut lost, |view| view.phase = RecorderPhase::Lost(why.into()));
        insta::assert_snapshot!(format!("recorder_lost_{}x{}", size.0, size.1), lost.screen());
    }
}

#[test]
fn keys_are_orders() {
    let on = |action: &str, text: &str| {
        format!("Do {{ action: {action}, widget: Some(WidgetId(3)), text: {text}, seen: ")
    };
    let global = |action: &str, text: &str| {
        format!("Do {{ action: {action}, widget: None, text: Some(\"{text}\"), seen: ")
    };
    let cases: [(&str, &str, String); 20] = [
        ("t", "", on("Click", "Some(\"\")")),
        ("L", "", on("LongClick", "Some(\"\")")),
        ("e", "green tea", on("Edit", "Some(\"green tea\")")),
        ("r", "", on("Edit", "None")),
        ("s", "", on("Scroll(Down)", "Some(\"\")")),
        ("S", "", on("Scroll(Up)", "Some(\"\")")),
        ("b", "", global("Back", "")),
        ("y", "", global("Enter", "")),
        ("H", "", global("Home", "")),
        ("W", "5", global("Sleep", "5")),
        ("B", "", "Record(Begin)".into()),
        ("d", "", "Record(After(\"Gardening\"))".into()),
        ("o", "", "Record(Before(\"Gardening\"))".into()),
        ("u", "", "Record(Undo)".into()),
        ("O", "", "Record(Over)".into()),
        ("f", "", "Record(Rehearse)".into()),
        ("w", "diary.json", "Record(Save(\"diary.json\"))".into()),
        ("N", "note it", "Record(Name(\"note it\"))".into()),
        ("R", "emulator-5556", "Record(Resume(Some(\"emulator-5556\")))".into()),
        ("X", "", "Record(Leave)".into()),
    ];
    for (key, typed, expected) in cases {
        let mut cockpit = cockpit((200, 60), OPEN);
        let opened = cockpit.effects.pop().unwrap_or_default();
        let asked = "serial: None, app: \"net.files.manager\", operation: Add, datatype: \"entry\"";
        assert!(opened.contains(asked), "{opened}");
        cockpit.press(key);
        if !typed.is_empty() {
            cockpit.type_text(typed);
            cockpit.press("enter");
        }
        let sent = cockpit.effects.pop().unwrap_or_default();
        assert!(sent.contains(&expected), "{key} {typed}: {sent}");
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let cases = [
        ("7 t", "nothing is recorded: press n to begin"),
        ("7 w", "nothing is recorded: press n to begin"),
        // The cursor on the title, which takes no text.
        ("7 n enter enter enter e n t r y enter e", "choose a field that text can be typed into"),
        ("7 n enter enter enter enter", "type a name"),
    ];
    for (keys, words) in cases {
        let said = cockpit((120, 40), keys).app.status.map(|(text, _)| text).unwrap_or_default();
        assert!(said.contains(words), "{keys}: {said}");
    }
    for phase in [RecorderPhase::Opening, RecorderPhase::Acting, RecorderPhase::Rehearsing] {
        let mut cockpit = cockpit((120, 40), OPEN);
        told(&mut cockpit, |view| view.phase = phase);
        cockpit.effects.clear();
        cockpit.press("t");
        assert_eq!(cockpit.effects, Vec::<String>::new(), "it is under way");
        // Leaving is always possible.
        cockpit.press("X");
        assert_eq!(cockpit.effects, ["Record(Leave)"]);
    }
}

/// Another device, an app that no session has, another function.
#[test]
fn the_questions_take_what_is_chosen_and_what_is_typed() {
    let mut cockpit = cockpit((120, 40), "7 n");
    cockpit.type_text("5556");
    cockpit.press("enter");
    cockpit.type_text("org.example.notes");
    cockpit.press("enter");
    cockpit.type_text("takes");
    cockpit.press("enter");
    cockpit.type_text("note");
    cockpit.press("enter");
    let asked =
        "serial: Some(\"emulator-5556\"), app: \"org.example.notes\", operation: Delete, datatype: \"note\"";
    let sent = cockpit.effects.pop().unwrap_or_default();
    assert!(sent.contains(asked), "{sent}");
}

#[test]
fn what_was_performed_is_dropped_only_after_a_question() {
    for (key, order) in [("X", "Record(Leave)"), ("O", "Record(Over)")] {
        let mut cockpit = cockpit((120, 40), &format!("{OPEN} t"));
        cockpit.effects.clear();
        cockpit.press(key);
        assert_eq!(cockpit.effects, Vec::<String>::new());
        cockpit.press("enter");
        assert_eq!(cockpit.effects, [order]);
    }
}
