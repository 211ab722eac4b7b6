//! Trees in JSON, as Maestro and HarmonyOS write them, and hostile ones.

use proptest::prelude::*;

use super::*;
use crate::{Flags, Widget};

/// What `maestro hierarchy` prints: a banner, the document and the element around the widgets as nodes, the white space
/// between elements as nodes, no packages.
const MAESTRO: &str = r#"Running on emulator-5554

{
  "attributes" : { },
  "children" : [ {
    "attributes" : { "ignoreBoundsFiltering" : "false" },
    "children" : [ { "attributes" : { }, "children" : [ ] }, {
      "attributes" : {
        "text" : "", "accessibilityText" : "", "resource-id" : "", "bounds" : "[0,0][1080,2400]", "class" : "android.widget.FrameLayout"
      },
      "children" : [ { "attributes" : { }, "children" : [ ] }, {
        "attributes" : {
          "text" : "Pay \"now\"", "accessibilityText" : "Pays", "hintText" : "h", "resource-id" : "org.tea:id/pay",
          "clickable" : "true", "bounds" : "[0,300][500,400]", "enabled" : "false", "scrollable" : "true",
          "selected" : "true", "class" : "android.widget.Button"
        },
        "children" : [ ],
        "clickable" : true, "enabled" : false, "focused" : true, "checked" : true, "selected" : true
      } ]
    }, {
      "attributes" : { "text" : "10:21", "resource-id" : "com.android.systemui:id/clock", "bounds" : "[0,0][1080,80]", "class" : "android.widget.TextView" },
      "children" : [ ]
    } ]
  } ]
}
"#;

const HARMONY: &str = r#"{"attributes":{"bounds":"[0,0][1260,2720]","type":"","text":""},"children":[
  {"attributes":{"bundleName":"com.example.tea","abilityName":"EntryAbility","pagePath":"pages/Index","bounds":"[0,0][1260,2720]","type":"root"},
   "children":[{"attributes":{"type":"Text","text":"Basket","id":"title","bounds":"[0,100][500,200]","longClickable":"true","clickable":"false","enabled":"true","hint":"","description":"d"},"children":[]}]},
  {"attributes":{"bundleName":"com.ohos.systemui","bounds":"[0,0][1260,100]","type":"root"},
   "children":[{"attributes":{"type":"Text","text":"10:21","bounds":"[0,0][100,100]"},"children":[]}]}]}"#;

fn read(text: &str) -> Dump {
    read_dump(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn with_text<'a>(dump: &'a Dump, text: &str) -> Widget<'a> {
    dump.layout.widgets().find(|widget| widget.text() == text).expect(text)
}

#[test]
fn what_maestro_prints_is_a_screen() {
    let dump = read(MAESTRO);
    assert_eq!(dump.layout.len(), 2, "the frame and the button, not the bar of the system");
    let pay = with_text(&dump, "Pay \"now\"");
    assert_eq!(
        pay.parent().map(|frame| (frame.class(), frame.package())),
        Some(("android.widget.FrameLayout", ""))
    );
    let said = (pay.class(), pay.resource_id(), pay.description(), pay.hint(), pay.package());
    assert_eq!(said, ("android.widget.Button", "org.tea:id/pay", "Pays", "h", "org.tea"));
    assert_eq!(pay.bounds().to_string(), "[0,300][500,400]");
    let flags = [Flags::CLICKABLE, Flags::SCROLLABLE, Flags::SELECTED, Flags::FOCUSED, Flags::CHECKED];
    assert_eq!(pay.flags(), flags.into_iter().fold(Flags::default(), |all, flag| all.with(flag, true)));
    assert_eq!(dump.notes, [Note::TextBefore { bytes: 24 }, Note::Windows { read: 1, left_out: 1 }]);
}

#[test]
fn what_harmony_writes_is_a_screen() {
    let dump = read(HARMONY);
    let title = with_text(&dump, "Basket");
    let said = (title.class(), title.resource_id(), title.description(), title.package());
    assert_eq!(said, ("Text", "title", "d", "com.example.tea"));
    assert!(title.has(Flags::LONG_CLICKABLE) && title.has(Flags::ENABLED) && !title.has(Flags::CLICKABLE));
    assert_eq!(dump.layout.roots().map(|root| root.class()).collect::<Vec<_>>(), ["root"]);
    assert!(!dump.is_degraded(), "{:?}", dump.notes);
}

#[test]
fn what_is_missing_or_wrong_is_told() {
    // Before version 1.37 Maestro wrote no classes.
    let old = read(&MAESTRO.replace("class", "klass"));
    assert!(old.notes.contains(&Note::NoClasses { widgets: 2, of: 2 }), "{:?}", old.notes);
    assert!(old.is_degraded());
    assert_eq!(with_text(&old, "Pay \"now\"").class(), "node");
    let deep = "{\"children\":[".repeat(2 * MAX_DEPTH);
    let node = "{\"attributes\":{\"text\":\"a\"},\"children\":[]},";
    let many = format!("{{\"children\":[{}]}}", node.repeat(2 * MAX_WIDGETS + 1));
    let cases = [
        ("{", 1, "the dump breaks off inside <a node>; take it again"),
        ("{\"attributes\":{\"text\":\"a", 24, "the dump breaks off inside <a node>; take it again"),
        ("{\"attributes\":?}", 14, "malformed JSON"),
        ("\n{\"views\":[]}", 1, "no <hierarchy> element: this is no UI dump; it begins `{\"views\":[]}`"),
        (&deep, 3_380, "widgets are nested deeper than 256"),
        (&many, 13 + 2 * MAX_WIDGETS * node.len() - node.len(), "more than 20000 widgets"),
    ];
    for (text, byte, expected) in cases {
        let error = read_dump(text.as_bytes()).expect_err(expected);
        assert_eq!((error.fault.to_string().as_str(), error.position.byte), (expected, byte));
    }
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("{\"attributes\":{".to_owned()),
        Just("\"bounds\":\"[0,0][9,9]\",\"text\":\"a\"},".to_owned()),
        Just("\"children\":[".to_owned()),
        Just("]}".to_owned()),
        Just("},".to_owned()),
        Just("{\"attributes\":{\"class\":\"a.TextView\",\"clickable\":true},\"children\":[]},".to_owned()),
        Just("\n{".to_owned()),
        Just("\"\\ud83d".to_owned()),
        any::<String>(),
    ]
}

proptest! {
    #[test]
    fn no_pieces_panic(pieces in prop::collection::vec(piece(), 0..20)) {
        let text = format!("{{{}", pieces.concat());
        if let Ok(dumps) = read_dumps(text.as_bytes(), "a") {
            for dump in dumps {
                prop_assert_eq!(Layout::decode(&dump.layout.encode()), Some(dump.layout));
            }
        }
    }

    /// Trees of widgets keep their shape, whatever lies between the widgets.
    #[test]
    fn widgets_nest_as_written(depths in prop::collection::vec(1usize..6, 1..20)) {
        let mut text = String::from("{\"attributes\":{},\"children\":[{\"attributes\":{\"class\":\"0\"},\"children\":[");
        let (mut open, mut expected) = (1, vec![(0, "0".to_owned())]);
        for (n, depth) in depths.iter().enumerate() {
            let depth = (*depth).min(open);
            while open > depth {
                text.push_str("{\"attributes\":{},\"children\":[]}]},");
                open -= 1;
            }
            text.push_str(&format!("{{\"attributes\":{{\"class\":\"{}\"}},\"children\":[", n + 1));
            expected.push((depth, (n + 1).to_string()));
            open += 1;
        }
        text.push_str(&"]}".repeat(open + 1));
        let layout = read(&text).layout;
        let found: Vec<_> = layout.widgets().map(|w| (w.depth(), w.class().to_owned())).collect();
        prop_assert_eq!(found, expected);
    }
}
