//! How the Lab is arranged: (state, keys, screen).

use std::sync::Arc;

use super::Cockpit;
use crate::TuiOptions;
use crate::app::Msg;
use droidmux_proto::LabView;
use droidmux_record::SessionId;
use droidmux_testutils::fixtures::FakeLab;

/// A lab with this many devices, and a session for every two of them.
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

/// Every device of a large lab is on the screen at once, and every one can be reached.
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
        let height = crate::screen::lab::device_grid(&cockpit.app).height;
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

/// The arrangement is kept when it changes, and a cockpit that starts with it looks that way.
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
