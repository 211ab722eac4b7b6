//! Dumps of all windows, and files of several dumps.

use proptest::prelude::*;

use super::*;

/// A window of a dump: type, layer, whether it has the focus, package, the text in it, and its height.
type Pane<'a> = (&'a str, i32, bool, &'a str, &'a str, i32);

const STATUS: Pane<'static> = ("TYPE_SYSTEM", 9, false, "com.android.systemui", "10:21", 80);
const PAGE: Pane<'static> = ("TYPE_APPLICATION", 1, true, "org.tea", "Basket", 2400);
const KEYBOARD: Pane<'static> = ("TYPE_INPUT_METHOD", 5, false, "org.keys.inputmethod", "qwe", 800);

fn window(pane: &Pane<'_>) -> String {
    let (kind, layer, focused, package, text, height) = pane;
    let bounds = format!("bounds=\"[0,0][1080,{height}]\"");
    let kind = if kind.is_empty() { String::new() } else { format!(" type=\"{kind}\"") };
    let hierarchy = if text.is_empty() {
        String::new()
    } else {
        format!(
            "<hierarchy rotation=\"1\"><node class=\"a.Frame\" package=\"{package}\" {bounds}>\
             <node class=\"a.TextView\" package=\"{package}\" text=\"{text}\" {bounds}/></node></hierarchy>"
        )
    };
    format!(
        "<window index=\"0\" title=\"w\" {bounds} active=\"{focused}\" focused=\"{focused}\" id=\"1\" layer=\"{layer}\"{kind}>\
         {hierarchy}</window>"
    )
}

fn display(id: u32, panes: &[Pane<'_>]) -> String {
    let windows: String = panes.iter().map(window).collect();
    format!("<display id=\"{id}\">{windows}</display>")
}

fn displays(inside: &str) -> String {
    format!("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><displays>{inside}</displays>")
}

/// The texts of a layout from the first root to the last.
fn texts(dump: &Dump) -> Vec<&str> {
    dump.layout.widgets().map(|widget| widget.text()).filter(|text| !text.is_empty()).collect()
}

#[test]
fn the_window_of_the_app_is_read_with_those_above_it() {
    let dialog = ("TYPE_APPLICATION", 3, false, "org.tea", "Sure?", 300);
    let below = ("TYPE_APPLICATION", 0, false, "org.launcher", "Apps", 2400);
    let shade = ("TYPE_SYSTEM", 8, true, "com.android.systemui", "Quiet hours", 2400);
    let unfocused = ("TYPE_APPLICATION", 1, false, "org.tea", "Basket", 2400);
    let rootless = ("TYPE_APPLICATION", 1, true, "org.tea", "", 2400);
    let overlay = ("TYPE_ACCESSIBILITY_OVERLAY", 7, false, "org.magnify", "x", 90);
    let untyped = |(_, layer, focused, package, text, height): Pane<'static>| {
        ("", layer, focused, package, text, height)
    };
    let number = ("1", 1, true, "org.tea", "Basket", 2400);
    // The windows, the texts of the layout, and whether the dump is degraded.
    let cases: [(&[Pane<'_>], &[&str], bool); 11] = [
        (&[STATUS, PAGE], &["Basket"], false),
        (&[PAGE, STATUS], &["Basket"], false),
        (&[STATUS, KEYBOARD, PAGE, below], &["Basket"], false),
        (&[STATUS, dialog, PAGE], &["Basket", "Sure?"], false),
        (&[STATUS, PAGE, dialog], &["Basket", "Sure?"], false),
        (&[shade, unfocused], &["Basket", "Quiet hours"], false),
        (&[overlay, unfocused, below], &["Basket"], false),
        (&[untyped(STATUS), untyped(KEYBOARD), untyped(PAGE)], &["Basket"], false),
        (&[STATUS, number], &["Basket"], false),
        (&[STATUS, rootless], &[], true),
        (&[STATUS], &["10:21"], true),
    ];
    for (panes, expected, degraded) in cases {
        let dump = read_dump(displays(&display(0, panes)).as_bytes()).expect("a dump");
        assert_eq!(texts(&dump), expected, "{panes:?}");
        assert_eq!(dump.is_degraded(), degraded, "{panes:?}: {:?}", dump.notes);
        if !degraded {
            assert_eq!(dump.layout.roots().next().map(|root| root.package()), Some("org.tea"));
            assert_eq!(dump.layout.rotation(), 1);
        }
    }
}

#[test]
fn a_dump_of_all_windows_is_the_plain_dump_when_nothing_lies_over_the_app() {
    let plain = window(&PAGE);
    let hierarchy = plain.find("<hierarchy").and_then(|at| plain.get(at..)).expect("a hierarchy");
    let plain = read_dump(hierarchy.trim_end_matches("</window>").as_bytes()).expect("a dump");
    let all = read_dump(displays(&display(0, &[STATUS, KEYBOARD, PAGE])).as_bytes()).expect("a dump");
    assert_eq!(all.layout, plain.layout);
    assert_eq!(all.notes, [Note::Windows { read: 1, left_out: 2 }]);
}

#[test]
fn windows_lie_in_windows_and_wrappers_have_other_names() {
    let child = window(&("TYPE_APPLICATION", 4, false, "org.tea", "Menu", 400));
    let nested = window(&PAGE).replace("<hierarchy", &format!("{child}<hierarchy"));
    let cases = [
        (displays(&format!("<display id=\"0\">{nested}</display>")), vec!["Basket", "Menu"]),
        (format!("<windows>{}{}</windows>", window(&STATUS), window(&PAGE)), vec!["Basket"]),
        (format!("<hierarchy>{}{}</hierarchy>", window(&STATUS), window(&PAGE)), vec!["Basket"]),
    ];
    for (text, expected) in cases {
        assert_eq!(texts(&read_dump(text.as_bytes()).expect("a dump")), expected, "{text}");
    }
}

#[test]
fn another_display_is_not_passed_over_in_silence() {
    let map = ("TYPE_APPLICATION", 1, true, "org.map", "Map", 2400);
    let unfocused = ("TYPE_APPLICATION", 1, false, "org.tea", "Basket", 2400);
    let both = displays(&format!("{}{}", display(2, &[map]), display(0, &[STATUS, unfocused])));
    // The app, if it is known, and the text of the layout.
    for (app, expected) in [("", "Map"), ("org.tea", "Basket"), ("org.map", "Map"), ("org.other", "Map")] {
        let dumps = read_dumps(both.as_bytes(), app).expect("dumps");
        assert_eq!(texts(&dumps[0]), [expected], "{app}");
        assert!(dumps[0].notes.contains(&Note::OtherDisplays { windows: 1 }));
        assert!(dumps[0].is_degraded());
    }
}

#[test]
fn several_dumps_are_never_one() {
    let page = |text| displays(&display(0, &[STATUS, ("TYPE_APPLICATION", 1, true, "org.tea", text, 2400)]));
    let plain = |text: &str| {
        format!(
            "<hierarchy rotation=\"0\"><node class=\"a.TextView\" text=\"{text}\" bounds=\"[0,0][9,9]\"/></hierarchy>"
        )
    };
    let json = |text: &str| {
        format!(
            "{{\"attributes\":{{\"class\":\"a.TextView\",\"text\":\"{text}\",\"bounds\":\"[0,0][9,9]\"}},\"children\":[]}}\n"
        )
    };
    let cases = [
        [page("one"), page("two"), page("three")].concat(),
        [plain("one"), plain("two"), plain("three")].join("\nUI hierchary dumped to: /dev/tty\n"),
        [plain("one"), page("two"), plain("three")].join("\n"),
        [json("one"), json("two"), json("three")].concat(),
    ];
    for text in cases {
        let first = read_dump(text.as_bytes()).expect("a dump");
        assert_eq!(texts(&first), ["one"], "{text}");
        assert!(
            first.is_degraded() && first.notes.contains(&Note::SeveralDumps { dumps: 3 }),
            "{:?}",
            first.notes
        );
        let all = read_dumps(text.as_bytes(), "").expect("dumps");
        let read: Vec<&str> = all.iter().flat_map(texts).collect();
        assert_eq!(read, ["one", "two", "three"], "{text}");
        assert!(all.iter().all(|dump| !dump.is_degraded()));
    }
    let cut = [plain("one"), plain("two").replace("</hierarchy>", "")].concat();
    assert_eq!(read_dump(cut.as_bytes()).expect("the first").notes, [Note::SeveralDumps { dumps: 2 }]);
    assert!(matches!(read_dumps(cut.as_bytes(), "").map_err(|e| e.fault), Err(Fault::Truncated { .. })));
    let many = "<hierarchy/>".repeat(MAX_DUMPS + 1);
    assert_eq!(read_dumps(many.as_bytes(), "").map_err(|e| e.fault), Err(Fault::TooManyDumps));
    let windows = displays(&"<window/>".repeat(201));
    assert_eq!(read_dump(windows.as_bytes()).map_err(|e| e.fault), Err(Fault::TooManyWindows));
    let cut = displays(&display(0, &[STATUS, PAGE])).replace("</display></displays>", "");
    assert!(matches!(read_dump(cut.as_bytes()).map_err(|e| e.fault), Err(Fault::Truncated { .. })));
}

/// Any windows, the app's among them.
fn panes() -> impl Strategy<Value = Vec<(String, i32, bool, String, String, i32)>> {
    let kind = prop_oneof![
        Just("TYPE_APPLICATION"),
        Just("TYPE_SYSTEM"),
        Just("TYPE_INPUT_METHOD"),
        Just("TYPE_SPLIT_SCREEN_DIVIDER"),
        Just(""),
        Just("<UNKNOWN:9>")
    ];
    let package = prop_oneof![Just("org.tea"), Just("com.android.systemui"), Just("org.other")];
    let one = (kind, -2..9, any::<bool>(), package, "[a-z]{0,3}", 0..2400);
    let owned = |(kind, layer, focused, package, text, height): (&str, _, _, &str, _, _)| {
        (kind.to_owned(), layer, focused, package.to_owned(), text, height)
    };
    prop::collection::vec(one.prop_map(owned), 0..8)
}

proptest! {
    /// Whatever the windows: the app's comes first, once, and no text comes from nowhere.
    #[test]
    fn the_app_named_is_the_first_root(panes in panes(), at in 0usize..8) {
        let mut panes: Vec<Pane<'_>> =
            panes.iter().map(|(kind, l, f, package, text, h)| (kind.as_str(), *l, *f, package.as_str(), text.as_str(), *h)).collect();
        panes.retain(|pane| pane.3 != "org.tea");
        panes.insert(at.min(panes.len()), PAGE);
        let text = displays(&display(0, &panes));
        let dumps = read_dumps(text.as_bytes(), "org.tea").expect("a dump");
        prop_assert_eq!(dumps.len(), 1);
        let layout = &dumps[0].layout;
        prop_assert_eq!(layout.roots().next().map(|root| root.package()), Some("org.tea"));
        prop_assert_eq!(layout.widgets().filter(|widget| widget.text() == "Basket").count(), 1);
        prop_assert!(layout.roots().count() <= panes.len());
        prop_assert_eq!(Layout::decode(&layout.encode()), Some(layout.clone()));
    }
}
