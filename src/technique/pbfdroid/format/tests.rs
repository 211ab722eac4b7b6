use proptest::prelude::*;
use serde_json::Value;

use super::*;
use droidmux_record::{Condition, DmfAction, DmfEvent, DmfWidget, Impact, Operation, Operator, Relation};

/// A function with one part replaced, to see what is said of it.
fn said(part: &str) -> String {
    let mut object: Value = serde_json::from_str(
        r#"{"datatype": "note", "name": "add note", "type": "add", "proportion": "10",
            "widgets": [{"name": "w", "UI_layout_num": "0"}],
            "events": [{"action": "click", "widget": "w"}]}"#,
    )
    .expect("JSON");
    let part: Value = serde_json::from_str(part).expect("JSON");
    for (key, value) in part.as_object().expect("an object") {
        object[key] = value.clone();
    }
    match read_dmfs("x.json", &json!({ "dmfs": [object] }).to_string()) {
        Ok(dmfs) => match &dmfs[0].fault {
            Some(fault) => format!("fault: {fault}"),
            None => "ok".to_owned(),
        },
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_is_said_of_functions() {
    let place = "x.json: function 1 `add note`";
    let cases = [
        (r#"{}"#, "ok".to_owned()),
        (r#"{"proportion": 7}"#, "ok".into()),
        (r#"{"proportion": ""}"#, format!("{place}: `proportion` is missing: a weight such as \"10\"")),
        (
            r#"{"proportion": "ten"}"#,
            format!("{place}: `proportion` is `ten`, not a number from 0 to 1000000"),
        ),
        (
            r#"{"postconditions": []}"#,
            format!("{place}: unknown field `postconditions` (did you mean `post-conditions`?)"),
        ),
        (
            r#"{"type": "create"}"#,
            format!("{place}: unknown type `create`; there are: add, view, edit, delete, search"),
        ),
        (r#"{"name": ""}"#, "x.json: function 1 ``: `name` is empty".into()),
        (r#"{"datatype": ["note"]}"#, format!("{place}: `datatype` is a list, not a text")),
        (r#"{"events": {}}"#, format!("{place}: `events` is an object, not a list")),
        (
            r#"{"events": [{"action": "tap", "widget": "w"}]}"#,
            format!(
                "{place}, event 1: unknown action `tap`; there are: click, longclick, edit, back, home, enter, scrollto, scroll_up, scroll_down, scroll_left, scroll_right, sleep"
            ),
        ),
        (
            r#"{"events": [{"action": "click", "widget": "w", "force": "yes"}]}"#,
            format!("{place}, event 1: `force` is a text, not true or false"),
        ),
        (
            r#"{"widgets": [{"name": "w", "resource_id": "x"}]}"#,
            format!("{place}, widget 1: unknown field `resource_id` (did you mean `resource-id`?)"),
        ),
        // What PBFDroid does not read is ignored, unless it looks like something that is missing.
        (r#"{"widgets": [{"name": "w", "proportion": "10"}]}"#, "ok".into()),
        (r#"{"comment": ["as you like"], "Name": "add note"}"#, "ok".into()),
        (r#"{"events": [{"action": "click", "widget": "w", "UI_layout_num": "0"}]}"#, "ok".into()),
        (r#"{"events": [{"action": "scrollto", "text": "Delete"}]}"#, "ok".into()),
        (r#"{"events": [{"action": "scrollto", "widget": "gone", "text": "Delete"}]}"#, "ok".into()),
        (
            r#"{"events": [{"action": "scrollto", "widget": "gone"}]}"#,
            "fault: event 1 names the widget `gone`, which is not defined".into(),
        ),
        (
            r#"{"events": [{"action": "scrollto"}]}"#,
            "fault: event 1 (scrollto) names neither a text nor a widget".into(),
        ),
        (
            r#"{"post-conditions": [{"relation": "not inn", "widget": "w"}]}"#,
            format!("{place}, post-condition 1: unknown relation `not inn` (did you mean `not in`?)"),
        ),
        (
            r#"{"impacts": [{"operator": "remove", "object": "w.text"}]}"#,
            format!(
                "{place}, impact 1: unknown operator `remove`; there are: add, add conflict, add noduplicate, delete, clear"
            ),
        ),
        (
            r#"{"events": [{"action": "click", "widget": "v"}]}"#,
            "fault: event 1 names the widget `v`, which is not defined".into(),
        ),
        (r#"{"events": [{"action": "click"}]}"#, "fault: event 1 (click) names no widget".into()),
        (r#"{"events": [{"action": "back"}]}"#, "ok".into()),
        (r#"{"events": [{"action": "sleep", "text": "5"}]}"#, "ok".into()),
        (
            r#"{"events": [{"action": "sleep", "text": "long"}]}"#,
            "fault: event 1 sleeps for `long`, not for a number of seconds".into(),
        ),
        (
            r#"{"preconditions": [{"relation": "in", "widget": "v"}]}"#,
            "fault: precondition 1 names the widget `v`, which is not defined".into(),
        ),
        (
            r#"{"post-conditions": [{"relation": "not in", "widget": ""}]}"#,
            "fault: post-condition 1 (not in) names no widget".into(),
        ),
        (r#"{"preconditions": [{"relation": "is empty", "datatype": "note"}]}"#, "ok".into()),
        (
            r#"{"impacts": [{"operator": "add", "object": "v.text"}]}"#,
            "fault: impact 1 refers to the text of the widget `v`, which is not defined".into(),
        ),
        (r#"{"impacts": [{"operator": "add", "object": "tea"}]}"#, "ok".into()),
        (r#"{"impacts": [{"operator": "add"}]}"#, "fault: impact 1 names no object".into()),
        (r#"{"impacts": [{"operator": "clear"}]}"#, "ok".into()),
        (
            r#"{"widgets": [{"name": "w", "text": "v.text"}]}"#,
            "fault: widget 1 refers to the text of the widget `v`, which is not defined".into(),
        ),
        (
            r#"{"widgets": [{"name": "w", "text": "v.text"}, {"name": "v", "text": "w.text"}]}"#,
            "fault: the text of the widget `w` refers back to itself".into(),
        ),
        (r#"{"widgets": [{"name": "w"}, {"name": "w"}]}"#, "fault: two of its widgets are called `w`".into()),
        (r#"{"events": []}"#, "fault: it has no events".into()),
    ];
    for (part, expected) in cases {
        let said = said(part);
        assert!(said.starts_with(&expected), "{part}\n said {said}\n not {expected}");
    }
}

#[test]
fn what_is_said_of_files() {
    let deep = format!(r#"{{"dmfs": {}{}}}"#, "[".repeat(5_000), "]".repeat(5_000));
    let many = format!(r#"{{"dmfs": [{}]}}"#, vec!["{}"; MOST_ENTRIES + 1].join(","));
    let large = " ".repeat(MOST_BYTES + 1);
    let cases = [
        ("{\"dmfs\": []}", "ok"),
        ("\u{feff}{\"dmfs\": []}", "ok"),
        ("{\n\"dmfs\": [\n", "x.json:3: is no JSON: EOF"),
        ("", "x.json:1: is no JSON"),
        ("[]", "x.json: the file: is a list, not an object"),
        ("{}", "x.json: the file: `dmfs` is missing"),
        ("{\"dmf\": []}", "x.json: the file: unknown field `dmf` (did you mean `dmfs`?)"),
        ("{\"dmfs\": [3]}", "x.json: function 1 ``: is a number, not an object"),
        (&deep, "recursion limit exceeded"),
        (&many, "`dmfs` has 1001 entries, more than 1000"),
        (&large, "x.json: has 4194305 bytes"),
    ];
    for (text, expected) in cases {
        let said = match read_dmfs("x.json", text) {
            Ok(_) => "ok".to_owned(),
            Err(error) => error.to_string(),
        };
        let shown: String = text.chars().take(40).collect();
        assert!(said.contains(expected), "{shown}\n said {said}\n not {expected}");
    }
}

#[test]
fn fields_that_are_not_read_are_told() {
    let text = r#"{"version": 2, "dmfs": [{"name": "a", "size": 1,
        "widgets": [{"name": "w"}, {"proportion": "10", "name": "v"}], "post-conditions": [{"why": ""}]}],
        "keyviews": [{"view": "", "seen": true}]}"#;
    let told = unread_fields(text).into_iter().map(|it| (it.function, it.about, it.field));
    let expected = [
        (None, "the file", "`version`"),
        (Some(0), "", "`size`"),
        (Some(0), "widget 2", "`proportion`"),
        (Some(0), "post-condition 1", "`why`"),
        (None, "key view 1", "`seen`"),
    ];
    let expected = expected.map(|(function, about, field)| (function, about.to_owned(), field.to_owned()));
    assert_eq!(told.collect::<Vec<_>>(), expected);
    for text in ["", "[]", "{\"dmfs\": [3, {\"widgets\": {}}]}"] {
        assert_eq!(unread_fields(text), [], "{text}");
    }
}

#[test]
fn one_bad_function_leaves_the_others_usable() {
    let text = r#"{"dmfs": [
        {"datatype": "note", "name": "a", "type": "add", "proportion": "1",
         "widgets": [], "events": [{"action": "click", "widget": "w"}]},
        {"datatype": "note", "name": "b", "type": "add", "proportion": "1",
         "widgets": [{"name": "w"}], "events": [{"action": "click", "widget": "w"}]}]}"#;
    let dmfs = read_dmfs("x.json", text).expect("specification");
    let usable: Vec<_> = dmfs.iter().map(|dmf| (dmf.name.as_str(), dmf.fault.is_none())).collect();
    assert_eq!(usable, [("a", false), ("b", true)]);
}

#[test]
fn key_views() {
    let view = KeyView {
        text: Some("a & \"b\"\n<c>'d'".into()),
        flags: vec![("checked".into(), true), ("visible-to-user".into(), false)],
        others: vec![
            ("index".into(), "3".into()),
            ("bounds".into(), "[0,0][1,1]".into()),
            ("vendor-mark".into(), "7".into()),
        ],
        ..KeyView::default()
    };
    let text = write_key_views(std::slice::from_ref(&view));
    assert_eq!(read_key_views("k.json", &text).expect("key views"), [view]);

    let long = format!("<node {}/>", "a='' ".repeat(4_000));
    let cases = [
        (&*long, "`view` has 20008 bytes; a node has at most 16384"),
        ("<node text='x' />", "ok"),
        ("<node text='x' vendor-mark='7' />", "ok"),
        ("<node text=\"x\">", "ok"),
        ("<view text='x' />", "key view 1: `view` is `<view text='x' />`, not a `<node … />` of a dump"),
        ("", "`view` is ``, not a `<node … />`"),
        ("<node text='x", "not a `<node … />`"),
        ("<node txt='x' />", "has an unknown attribute `txt` (did you mean `text`?)"),
        ("<node clickable='yes' />", "has clickable=`yes`, not true, false or #any#"),
        ("<node text='&nosuch;' />", "is no XML in `text`"),
        ("<node text='a' text='b' />", "is no XML"),
    ];
    for (node, expected) in cases {
        let said = match read_key_views("k.json", &json!({ "keyviews": [{ "view": node }] }).to_string()) {
            Ok(_) => "ok".to_owned(),
            Err(error) => error.to_string(),
        };
        assert!(said.contains(expected), "{node}\n said {said}\n not {expected}");
    }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z_]{0,8}", "[a-z]{1,4}\\.text", "[ -~äß你👍\\n\\t]{0,12}"]
}

fn name() -> impl Strategy<Value = String> {
    "[a-z][a-z_ ]{0,7}"
}

fn number() -> impl Strategy<Value = Option<u32>> {
    proptest::option::of(0..1_001_u32)
}

fn widget() -> impl Strategy<Value = DmfWidget> {
    (name(), number(), text(), text(), number(), text(), text(), text()).prop_map(
        |(name, layout, class, description, instance, resource_id, text, xpath)| DmfWidget {
            name,
            layout,
            class,
            description,
            instance,
            resource_id,
            text,
            xpath,
        },
    )
}

fn event() -> impl Strategy<Value = DmfEvent> {
    (proptest::sample::select(&DmfAction::ALL), text(), text(), any::<bool>())
        .prop_map(|(action, widget, text, force)| DmfEvent { action, widget, text, force })
}

fn condition() -> impl Strategy<Value = Condition> {
    (text(), proptest::sample::select(&Relation::ALL), text(), number())
        .prop_map(|(widget, relation, datatype, layout)| Condition { widget, relation, datatype, layout })
}

fn impact() -> impl Strategy<Value = Impact> {
    (text(), proptest::sample::select(&Operator::ALL))
        .prop_map(|(object, operator)| Impact { object, operator })
}

fn dmf() -> impl Strategy<Value = Dmf> {
    use proptest::collection::vec;
    let head = (name(), name(), proptest::sample::select(&Operation::ALL), 0..1_000_001_u32);
    let conditions = || vec(condition(), 0..4);
    let parts = (vec(widget(), 0..6), conditions(), vec(event(), 0..6), vec(impact(), 0..3), conditions());
    (head, parts).prop_map(|((datatype, name, operation, proportion), parts)| {
        let (widgets, preconditions, events, impacts, postconditions) = parts;
        let mut dmf = Dmf {
            datatype,
            name,
            operation,
            proportion,
            widgets,
            preconditions,
            events,
            impacts,
            postconditions,
            fault: None,
        };
        dmf.fault = fault(&dmf);
        dmf
    })
}

fn key_view() -> impl Strategy<Value = KeyView> {
    let value = || proptest::option::of("[ -~äß你👍\\n\\t]{0,12}");
    let flags = proptest::sample::subsequence(vec!["checkable", "enabled", "selected"], 0..=3);
    (value(), value(), value(), value(), value(), flags, any::<bool>()).prop_map(
        |(text, resource_id, class, package, description, flags, on)| KeyView {
            text,
            resource_id,
            class,
            package,
            description,
            flags: flags.into_iter().map(|flag| (flag.to_owned(), on)).collect(),
            others: Vec::new(),
        },
    )
}

proptest! {
    #[test]
    fn functions_round_trip(dmfs in proptest::collection::vec(dmf(), 0..4)) {
        let read = read_dmfs("x.json", &write_dmfs(&dmfs));
        prop_assert_eq!(read.expect("what was written"), dmfs);
    }

    #[test]
    fn key_views_round_trip(views in proptest::collection::vec(key_view(), 0..4)) {
        let read = read_key_views("k.json", &write_key_views(&views));
        prop_assert_eq!(read.expect("what was written"), views);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[{}\\[\\]\":,a-z<>/= ]{0,80}") {
        let _ = read_dmfs("x.json", &text);
        let _ = read_key_views("k.json", &json!({ "keyviews": [{ "view": text }] }).to_string());
    }
}
