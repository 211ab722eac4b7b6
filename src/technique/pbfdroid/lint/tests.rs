use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::pbfdroid::format::{read_dmfs, read_key_views};
use droidmux_gui::{LayoutBuilder, NewWidget};
use droidmux_record::KeyView;

/// A function that calls for no remarks.
fn clean() -> Value {
    json!({
        "datatype": "note", "name": "add note", "type": "add", "proportion": "10",
        "widgets": [
            { "name": "new", "UI_layout_num": "0", "resource-id": "a.b:id/new" },
            { "name": "field", "UI_layout_num": "1", "resource-id": "a.b:id/field" },
            { "name": "typed", "UI_layout_num": "2", "resource-id": "a.b:id/field" },
            { "name": "row", "UI_layout_num": "2", "resource-id": "a.b:id/row", "text": "typed.text" },
        ],
        "preconditions": [{ "relation": "in", "widget": "new", "UI_layout_num": "0" }],
        "events": [
            { "action": "click", "widget": "new" },
            { "action": "edit", "widget": "field", "text": "random" },
        ],
        "impacts": [{ "operator": "add", "object": "typed.text" }],
        "post-conditions": [{ "relation": "in", "widget": "row", "UI_layout_num": "2" }],
    })
}

/// What is said of the clean function with some of its parts replaced, and of none other.
fn said(parts: &Value) -> Vec<String> {
    let mut function = clean();
    for (pointer, value) in parts.as_object().expect("an object") {
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
        let parent = function.pointer_mut(parent).unwrap_or_else(|| panic!("no {parent}"));
        match key.parse::<usize>() {
            Ok(number) => parent[number] = value.clone(),
            Err(_) => parent[key] = value.clone(),
        }
    }
    said_of(&json!({ "dmfs": [function] }), Vec::new())
}

fn said_of(file: &Value, key_views: Vec<KeyView>) -> Vec<String> {
    let dmfs = read_dmfs("x.json", &file.to_string()).expect("specification");
    let remarks = lint(&Specification { dmfs, key_views });
    let words = |remark: &Remark| {
        let mark = if remark.weight == Weight::Fault { "FAULT " } else { "" };
        format!("{mark}{}: {}", remark.about, remark.what)
    };
    remarks.iter().map(words).collect()
}

#[test]
fn remarks_on_functions() {
    let event = |action, widget, text| json!({ "action": action, "widget": widget, "text": text });
    let cases = [
        (json!({}), vec![]),
        // An optional event may be left out, and a layout's number with it.
        (
            json!({ "/events/1": { "action": "edit", "widget": "field", "text": "random", "force": false },
                    "/post-conditions/0/UI_layout_num": "1" }),
            vec![],
        ),
        // An edit of something else about the object: what is shown stays.
        (json!({ "/type": "edit", "/impacts": [] }), vec![]),
        (
            json!({ "/type": "edit" }),
            vec![": its type is `edit`, and no impact deletes the object as it was before the edit"],
        ),
        // Another widget that must be there stands for the page.
        (
            json!({ "/preconditions/0/widget": "page",
                    "/widgets/0": { "name": "page", "UI_layout_num": "0", "resource-id": "a.b:id/page" },
                    "/events/0": { "action": "back" } }),
            vec![],
        ),
        (json!({ "/proportion": "0" }), vec![": its proportion is 0, so it is never chosen"]),
        (
            json!({ "/events/0/widget": "gone" }),
            vec!["FAULT : event 1 names the widget `gone`, which is not defined"],
        ),
        (
            json!({ "/post-conditions": [] }),
            vec![
                ": it has no post-condition: it is carried out and nothing is checked",
                "widget `row`: is defined and never used",
            ],
        ),
        (json!({ "/preconditions": [] }), vec![": it has no precondition, so it is tried on every layout"]),
        (
            json!({ "/preconditions/0/widget": "field" }),
            vec!["precondition 1: `field` is said to be on layout 1; preconditions are read on layout 0"],
        ),
        (
            json!({ "/preconditions/0": { "relation": "is not empty", "datatype": "task" } }),
            vec![
                "FAULT precondition 1: no function adds a task, so this never holds",
                ": no precondition asks for `new`, which its first event needs",
            ],
        ),
        (
            json!({ "/preconditions/0": { "relation": "smaller", "datatype": "" } }),
            vec![
                "precondition 1: `smaller` asks the data model of no type; fill in `datatype`",
                ": no precondition asks for `new`, which its first event needs",
            ],
        ),
        (
            json!({ "/impacts/0/object": "typed" }),
            vec![
                "impact 1: the object is the word `typed`; for what the widget shows write `typed.text`",
                "post-condition 1: no impact adds the text of `typed`: is it the new object?",
            ],
        ),
        (
            json!({ "/type": "delete" }),
            vec![
                "event 2 (edit): types random text, in a function that is to delete something",
                ": its type is `delete`, and no impact deletes an object",
            ],
        ),
        (
            json!({ "/type": "search", "/impacts": [] }),
            vec![
                "event 2 (edit): searches for random text, which finds nothing; `note::random` is a note that is there",
            ],
        ),
        (
            json!({ "/type": "view" }),
            vec![
                "event 2 (edit): types random text, in a function that is to view something",
                ": its type is `view`, and its impacts change the data model, though it only reads",
            ],
        ),
        (
            json!({ "/post-conditions/0/relation": "not in" }),
            vec!["post-condition 1: no impact deletes the text of `typed`: why should it not be shown?"],
        ),
        (
            json!({ "/post-conditions/0/UI_layout_num": "5" }),
            vec!["post-condition 1: says layout 5; it is read on the last one, which after 2 events is 2"],
        ),
        (
            json!({ "/widgets/3/text": "" }),
            vec![
                "post-condition 1: `row` has no text: any widget with its attributes counts, whatever it shows",
            ],
        ),
        (
            json!({ "/events/1/text": "task::random" }),
            vec![
                "FAULT event 2 (edit): types a task of the data model, and no function adds one: it always fails",
            ],
        ),
        (json!({ "/events/1/text": "" }), vec!["event 2 (edit): types nothing: it empties the field"]),
        (
            json!({ "/events/1/text": "typed" }),
            vec!["event 2 (edit): types the word `typed`; for what the widget shows write `typed.text`"],
        ),
        (
            json!({ "/events/0/text": "x" }),
            vec!["event 1 (click): its text `x` is not used: only `edit`, `scrollto` and `sleep` have one"],
        ),
        (json!({ "/events/0": event("scrollto", "", "Add") , "/preconditions/0/relation": "in" }), vec![]),
        (
            json!({ "/events/0": event("scrollto", "new", "Add") }),
            vec!["event 1 (scrollto): its widget `new` is not used: it scrolls to the text `Add`"],
        ),
        (
            json!({ "/events/0": event("scrollto", "", "task::random") }),
            vec![
                "FAULT event 1 (scrollto): scrolls to a task of the data model, and no function adds one: it always fails",
            ],
        ),
        (
            json!({ "/events": [event("click", "new", ""), event("edit", "field", "random"), event("back", "new", ""), event("sleep", "", "90")],
                    "/post-conditions/0/UI_layout_num": "4" }),
            vec![
                "event 3 (back): its widget `new` is not used",
                "event 4 (sleep): it waits 30 seconds at most",
            ],
        ),
        (
            json!({ "/events/1": { "action": "edit", "widget": "field", "text": "random", "force": false },
                    "/events/0": { "action": "click", "widget": "new", "force": false } }),
            vec![": all its events are optional, so it may be carried out without doing anything"],
        ),
        (
            json!({ "/widgets/0/UI_layout_num": "2", "/preconditions/0/relation": "not in" }),
            vec![
                "event 2 (edit): its widget is said to be on layout 1, and an earlier event's on layout 2",
                "precondition 1: `new` is said to be on layout 2; preconditions are read on layout 0",
                ": no precondition asks for `new`, which its first event needs",
                "widget `typed`: is read on layout 0, before event 2 (edit) types into it",
            ],
        ),
        (
            json!({ "/widgets/2/UI_layout_num": "1" }),
            vec!["widget `typed`: is read on layout 1, before event 2 (edit) types into it"],
        ),
        (
            json!({ "/widgets/2/UI_layout_num": "7" }),
            vec!["widget `typed`: says layout 7; after 2 events the last one is 2, where it is read"],
        ),
        (
            json!({ "/widgets/1/resource-id": "" }),
            vec!["FAULT widget `field`: names no attribute, so it fits no widget"],
        ),
        (
            json!({ "/widgets/1/xpath": "field" }),
            vec!["FAULT widget `field`: its xpath is no path that droidmux can follow"],
        ),
        (
            json!({ "/widgets/1/class": "EditText", "/widgets/1/resource-id": "field", "/widgets/1/content-desc": "a.b:id/field" }),
            vec![
                "widget `field`: its class `EditText` has no package; classes are compared whole",
                "widget `field`: its resource-id `field` is not of the form `PACKAGE:id/NAME`; ids are compared whole",
                "widget `field`: its content-desc `a.b:id/field` looks like a resource-id",
            ],
        ),
        (
            json!({ "/widgets/3/text": "typed" }),
            vec!["widget `row`: its text is the word `typed`; for what the widget shows write `typed.text`"],
        ),
    ];
    for (parts, expected) in cases {
        let said = said(&parts);
        let agree = said.len() == expected.len() && said.iter().zip(&expected).all(|(s, e)| s.starts_with(e));
        assert!(agree, "{parts}\n said {said:#?}\n not {expected:#?}");
    }
}

#[test]
fn remarks_on_several_functions_and_key_views() {
    let twin = said_of(&json!({ "dmfs": [clean(), clean()] }), Vec::new());
    assert_eq!(twin, [": function 1 has the same name; `functions` in a session file chooses both"]);
    let views = r##"{"keyviews": [
        {"view": "<node text='Delete' />"}, {"view": "<node resource-id='save' />"},
        {"view": "<node text='Delete' />"}, {"view": "<node text='#any#' bounds='' />"},
        {"view": "<node bounds='[1188,2140][1384,2336]' />"}, {"view": "<node text='a' bounds='here' />"}]}"##;
    let views = said_of(&json!({ "dmfs": [] }), read_key_views("k.json", views).expect("key views"));
    let expected = [
        "key view 2: its resource-id `save` is not of the form `PACKAGE:id/NAME`; ids are compared whole",
        "key view 3: is the same as key view 1",
        "FAULT key view 4: fits every widget: nothing would ever be touched at random",
        "FAULT key view 6: has the bounds `here`, not `[left,top][right,bottom]`: it fits no widget",
    ];
    assert_eq!(views, expected);
}

/// What a session leaves out is what lint finds at fault, and it is said.
#[test]
fn a_session_uses_what_lint_finds_usable() {
    let mut add = clean();
    add["events"][0]["widget"] = json!("gone");
    let mut search = clean();
    (search["name"], search["type"], search["impacts"]) = (json!("search note"), json!("search"), json!([]));
    search["preconditions"] = json!([
        { "relation": "is not empty", "datatype": "note" }, { "relation": "in", "widget": "new" }
    ]);
    let views = r##"{"keyviews": [{"view": "<node text='Delete' />"}, {"view": "<node text='#any#' />"}]}"##;
    let key_views = read_key_views("k.json", views).expect("key views");
    for (functions, expected) in [
        // Without notes there is none to search for.
        (
            [add, search.clone()],
            vec![
                "function `add note` cannot be used: event 1 names the widget `gone`, which is not defined",
                "function `search note` cannot be used: precondition 1: no function adds a note, so this never \
                 holds",
                "key view 2 is left out: fits every widget: nothing would ever be touched at random",
            ],
        ),
        (
            [clean(), search],
            vec!["key view 2 is left out: fits every widget: nothing would ever be touched at random"],
        ),
    ] {
        let dmfs = read_dmfs("x.json", &json!({ "dmfs": functions }).to_string()).expect("specification");
        let remarks = lint(&Specification { dmfs: dmfs.clone(), key_views: key_views.clone() });
        let specification = specification(dmfs, key_views.clone());
        assert_eq!(unusable(&specification), expected);
        for (number, dmf) in specification.dmfs.iter().enumerate() {
            let is_faulty = |it: &Remark| it.function == Some(number) && it.weight == Weight::Fault;
            assert_eq!(remarks.iter().any(is_faulty), dmf.fault.is_some(), "{}", dmf.name);
        }
    }
}

#[test]
fn what_is_on_a_layout() {
    let dmf =
        read_dmfs("x.json", &json!({ "dmfs": [clean()] }).to_string()).expect("specification").remove(0);
    let mut builder = LayoutBuilder::new();
    for (class, resource_id, text) in [
        ("a.List", "a.b:id/list", ""),
        ("a.Text", "a.b:id/row", "tea"),
        ("a.Text", "a.b:id/row", "milk"),
        ("a.Button", "a.b:id/new", ""),
    ] {
        builder.open(NewWidget { class, resource_id, text, ..NewWidget::default() });
        builder.close();
    }
    let found: Vec<_> = presence(&dmf, &Arc::new(builder.finish()))
        .into_iter()
        .map(|it| format!("{} {}: {:?}, {}", it.part, it.asked, it.fits, it.found))
        .collect();
    let expected = [
        "precondition 1 new is on the layout: Some(true), new is widget 3 of the layout",
        "widget new: Some(true), Button #new",
        "widget field: Some(false), no widget has any of its attributes",
        "widget typed: Some(false), no widget has any of its attributes",
        "widget row: Some(true), with any text: 2 widgets, the first is Text \"tea\"",
    ];
    assert_eq!(found, expected);
}
