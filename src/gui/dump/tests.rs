//! Deliberately wrong dumps, and properties that hold for any bytes.

use proptest::prelude::*;

use super::*;
use crate::Flags;

fn dump(inside: &str) -> Vec<u8> {
    format!("<?xml version='1.0'?>\n<hierarchy rotation=\"0\">{inside}</hierarchy>").into_bytes()
}

#[test]
fn errors_say_where() {
    let node = "<node class=\"a\" bounds=\"[0,0][1,1]\">";
    let deep = node.repeat(MAX_DEPTH + 1);
    let many = "<node bounds=\"[0,0][1,1]\"/>".repeat(MAX_WIDGETS + 1);
    let cases: [(Vec<u8>, &str); 10] = [
        (b"".to_vec(), "the dump is empty (at line 1, column 1, byte 0)"),
        (b" \n\n ".to_vec(), "the dump is empty (at line 1, column 1, byte 0)"),
        (
            b"\nERROR: could not get idle state.\n".to_vec(),
            "no <hierarchy> element: this is no UI dump; it begins `ERROR: could not get idle state.` \
             (at line 2, column 1, byte 1)",
        ),
        (
            b"\x1b[2J\0\xff".to_vec(),
            "no <hierarchy> element: this is no UI dump; it begins `␛[2J␀\u{fffd}` (at line 1, column 1, byte 0)",
        ),
        (
            b"<hierarchy><node>\n <node class=\"a\"".to_vec(),
            "the dump breaks off inside <a tag>; take it again (at line 2, column 2, byte 19)",
        ),
        (
            b"<hierarchy><node>\n </node>".to_vec(),
            "the dump breaks off inside <hierarchy>; take it again (at line 2, column 9, byte 26)",
        ),
        (
            b"<hierarchy>\n<node></nodes></hierarchy>".to_vec(),
            "malformed XML: ill-formed document: expected `</node>`, but `</nodes>` was found \
             (at line 2, column 7, byte 18)",
        ),
        (
            b"<hierarchy>\n  <node text=a/></hierarchy>".to_vec(),
            "malformed XML: position 10: attribute value must be enclosed in `\"` or `'` \
             (at line 2, column 3, byte 14)",
        ),
        (dump(&deep), "widgets are nested deeper than 256 (at line 2, column 9241, byte 9262)"),
        (dump(&many), "more than 20000 widgets (at line 2, column 540025, byte 540046)"),
    ];
    for (bytes, expected) in cases {
        match read_dump(&bytes) {
            Ok(dump) => panic!("{expected}: read {dump:?}"),
            Err(error) => assert_eq!(error.to_string(), expected),
        }
    }
    let error = read_dump(&vec![b' '; MAX_BYTES + 1]).expect_err("too large");
    assert_eq!(error.fault, Fault::TooLarge { bytes: MAX_BYTES + 1 });
}

#[test]
fn what_is_odd_is_noted() {
    let view = "<node class=\"android.view.View\" content-desc=\"x\" bounds=\"[0,0][1,1]\"/>";
    let bare = view.repeat(8);
    let button = "<node class=\"Image\" clickable=\"true\" bounds=\"[0,0][1,1]\"/>";
    let compose = "androidx.compose.ui.platform.ComposeView";
    let cases: [(String, Vec<Note>); 17] = [
        ("<node class=\"a\" bounds=\"[0,0][1,1]\"/>".into(), vec![]),
        ("<a bounds=\"[0,0][1,1]\"/>".into(), vec![]),
        (
            "<node bounds=\"[0,0][1,1]\"><node class=\"\" text=\"x\" bounds=\"[0,0][1,1]\"/><node class=\"a\" bounds=\"[0,0][1,1]\"/></node>"
                .into(),
            vec![Note::NoClasses { widgets: 2, of: 3 }],
        ),
        (
            "<node class=\"a.TextView\" bounds=\"[0,0][1,1]\"/>".into(),
            vec![Note::NoTexts { widgets: 1, of: 1 }],
        ),
        (
            "<node class=\"a.Button\" bounds=\"[0,0][1,1]\"><node class=\"a.TextView\" text=\"x\" bounds=\"[0,0][1,1]\"/></node>"
                .into(),
            vec![],
        ),
        (
            format!(
                "<node class=\"a\" bounds=\"[0,0][1,1]\">{}<node class=\"a.TextView\" text=\"x\" bounds=\"[0,0][1,1]\"/></node>",
                "<node class=\"a.TextView\" bounds=\"[0,0][1,1]\"/>".repeat(3)
            ),
            vec![Note::NoTexts { widgets: 3, of: 4 }],
        ),
        (String::new(), vec![Note::NoWidgets]),
        ("<node class=\"a\" bounds=\"[0,0][1,1]\"/>log & line".into(), vec![Note::TextInside]),
        ("<node class=\"a\" bounds=\"[3,0][3,1]\"/>".into(), vec![Note::EmptyBounds { widgets: 1, touchable: 0 }]),
        (
            "<node class=\"a\" clickable=\"true\"/>".into(),
            vec![Note::BadBounds { widgets: 1 }, Note::EmptyBounds { widgets: 1, touchable: 1 }],
        ),
        ("<node class=\"a\" text=\"&#0;\" bounds=\"[0,0][1,1]\"/>".into(), vec![Note::BadReferences { count: 1 }]),
        (
            "<node class=\"a\" text=\"a&#13;\" bounds=\"[0,0][1,1]\"/>".into(),
            vec![Note::ControlCharacters { widgets: 1 }],
        ),
        (
            "<node class=\"android.webkit.WebView\" bounds=\"[0,0][1,1]\"><node class=\"a\" bounds=\"[0,0][1,1]\"/></node>".into(),
            vec![Note::OpaqueWebView { views: 1 }],
        ),
        (
            "<node class=\"android.webkit.WebView\" bounds=\"[0,0][1,1]\"><node class=\"a\" text=\"a\" bounds=\"[0,0][1,1]\"/></node>".into(),
            vec![],
        ),
        (
            format!("<node class=\"{compose}\" bounds=\"[0,0][1,1]\">{button}{button}</node>"),
            vec![Note::Compose { widgets: 2, named: 0 }],
        ),
        (bare, vec![Note::SeveralRoots { roots: 8 }, Note::Flutter { widgets: 8 }]),
        (
            format!("<node class=\"a\" bounds=\"[0,0][1,1]\">{}</node>", button.repeat(8)),
            vec![Note::FewIds { widgets: 8, named: 0 }],
        ),
    ];
    for (inside, expected) in cases {
        let read = read_dump(&dump(&inside)).expect(&inside);
        assert_eq!(read.notes, expected, "{inside}");
    }
}

#[test]
fn attributes_are_read() {
    let inside = r#"<android.widget.Switch index="7" text="a &amp; b" resource-id="p:id/x" package="p"
        content-desc="d" hint="h" checkable="true" checked="true" clickable="true" enabled="false"
        visible-to-user="false" NAF="true" bounds="[1,2][3,4]" unknown="&x;"/>"#;
    let layout = read_dump(&dump(inside)).expect("dump").layout;
    let widget = layout.widgets().next().expect("widget");
    let read = (widget.class(), widget.resource_id(), widget.text(), widget.description(), widget.hint());
    assert_eq!(read, ("android.widget.Switch", "p:id/x", "a & b", "d", "h"));
    assert_eq!(
        (widget.index(), widget.package(), widget.bounds().to_string()),
        (7, "p", "[1,2][3,4]".into())
    );
    let flags = [Flags::CHECKABLE, Flags::CHECKED, Flags::CLICKABLE, Flags::INVISIBLE];
    let expected = flags.into_iter().fold(Flags::default(), |all, flag| all.with(flag, true));
    assert_eq!(widget.flags(), expected);
}

#[test]
fn a_hundred_widgets_take_well_under_20_kilobytes() {
    let row = |n: usize| {
        format!(
            "<node class=\"android.widget.LinearLayout\" package=\"com.example.shop\" bounds=\"[0,{n}][9,9]\">\
             <node class=\"android.widget.ImageView\" resource-id=\"com.example.shop:id/picture\" \
             package=\"com.example.shop\" bounds=\"[0,0][1,1]\"/>\
             <node class=\"android.widget.TextView\" resource-id=\"com.example.shop:id/title\" \
             package=\"com.example.shop\" text=\"A title of usual length, number {n}\" bounds=\"[0,0][1,1]\"/>\
             <node class=\"android.widget.Button\" resource-id=\"com.example.shop:id/buy\" \
             package=\"com.example.shop\" content-desc=\"Buy number {n}\" bounds=\"[0,0][1,1]\"/></node>"
        )
    };
    let rows: String = (0..25).map(row).collect();
    let layout = read_dump(&dump(&rows)).expect("dump").layout;
    assert_eq!(layout.len(), 100);
    assert!(layout.memory() < 12_000, "{} bytes", layout.memory());
}

/// Pieces that make dumps, half-dumps and nonsense.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("<hierarchy rotation=\"3\">".to_owned()),
        Just("</hierarchy>".to_owned()),
        Just("<displays><display id=\"0\">".to_owned()),
        Just(
            "<window type=\"TYPE_APPLICATION\" layer=\"2\" active=\"true\" bounds=\"[0,0][9,9]\"><hierarchy>"
                .to_owned()
        ),
        Just("</hierarchy></window>".to_owned()),
        Just("</display></displays>".to_owned()),
        Just("<node class=\"android.webkit.WebView\" bounds=\"[0,0][9,9]\">".to_owned()),
        Just("</node>".to_owned()),
        Just("<?xml version='1.0' encoding='UTF-16'?>".to_owned()),
        Just("<!DOCTYPE a [<!ENTITY b \"c\">]>".to_owned()),
        Just("<![CDATA[".to_owned()),
        Just("&#x".to_owned()),
        "<node text=\"[^\"<]{0,20}\" bounds=\"\\[-?[0-9]{1,12},1\\]\\[2,3\\]\" clickable=\"true\"/>",
        any::<String>(),
    ]
}

fn check(bytes: &[u8]) {
    match read_dump(bytes) {
        Ok(dump) => {
            let several = dump.notes.iter().any(|note| matches!(note, Note::SeveralDumps { .. }));
            if let Ok(dumps) = read_dumps(bytes, "") {
                assert_eq!(several, dumps.len() > 1);
                assert_eq!(dumps[0].layout, dump.layout);
            }
            let layout = dump.layout;
            assert_eq!(Layout::decode(&layout.encode()).as_ref(), Some(&layout));
            for widget in layout.widgets() {
                let found = layout.resolve(&layout.selector(widget.id()));
                assert_eq!(found.widget().is_some(), !widget.class().is_empty());
            }
            assert!(layout.events().len() <= 5 * layout.len());
        }
        Err(error) => {
            let message = error.to_string();
            assert_eq!(droidmux_words::printable(&message), message);
        }
    }
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check(&bytes);
    }

    #[test]
    fn no_pieces_panic(pieces in prop::collection::vec(piece(), 0..20), cut in 0usize..2000) {
        let text = format!("<hierarchy>{}", pieces.concat());
        check(text.as_bytes());
        check(text.as_bytes().get(..cut).unwrap_or(text.as_bytes()));
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        check(&utf16);
    }
}
