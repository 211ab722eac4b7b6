//! What the rules object to, in functions written in a few lines.

use serde_json::Value;

use super::opinion;
use crate::visiondroid::chronicle::{Chronicle, Function, Stage};
use droidmux_testutils::script::Script;

/// What is said of a function that consists of all steps of a trace.
fn judged(trace: &str) -> Value {
    let script = Script::read(trace);
    let mut chronicle = Chronicle::new("toy");
    for turn in &script.run.turns {
        chronicle.note(&turn.act, &turn.observation, &script.layouts);
    }
    let last = chronicle.steps.len();
    let function = Function { name: "f".into(), first: 1, last, stage: Stage::Finished };
    serde_json::from_str(&opinion(&chronicle, &function, &script.layouts)).unwrap()
}

/// A page of rows.
fn page(rows: &str) -> String {
    let rows: Vec<String> = rows.split_whitespace().map(|row| format!("- {row}")).collect();
    format!("@ Main Notes\nlist items\n{}\n(Add)\n", rows.join("\n"))
}

/// Deletes tea through a dialog.
fn deleted(rows: &str) -> String {
    let dialog = "@dialog Delete?\n(Yes)\n";
    format!("{}> long tea\n{dialog}> click Yes\n{}", page("milk tea rye"), page(rows))
}

/// Opens a form, types, and saves.
fn saved(rows: &str) -> String {
    let form = |text: &str| format!("@ Edit Note\nfield name={text}\n(Save)\n");
    format!(
        "{}> click Add\n{}> edit name: Amber1\n{}> click Save\n{}",
        page("milk tea"),
        form(""),
        form("Amber1"),
        page(rows)
    )
}

/// Goes to another page and back.
fn looked(rows: &str) -> String {
    format!("{}> click Add\n@ Other Else\nlabel x=y\n> back\n{}", page("milk tea rye"), page(rows))
}

#[test]
fn what_no_app_should_do_and_what_any_may() {
    let switch = |after: &str| {
        format!("@ Main Notes\ntoggle Dark=on\n> click Dark\n@ Main Notes\ntoggle Dark={after}\n")
    };
    for (what, trace, bug) in [
        ("the row itself", deleted("milk rye"), false),
        ("another row", deleted("milk tea"), true),
        ("more rows", deleted("milk"), true),
        ("nothing", deleted("milk tea rye"), false),
        ("a row with it", saved("milk tea Amber1"), false),
        ("a row without the text", saved("milk tea cup"), true),
        ("twice", saved("milk tea Amber1 Amber1"), true),
        ("no new row", saved("milk tea"), false),
        ("nothing by looking", looked("milk tea rye"), false),
        ("a row by looking", looked("milk rye"), true),
        ("more by looking", looked("milk tea rye jam"), false),
        ("a dead switch", switch("on"), true),
        ("a live switch", switch("off"), false),
    ] {
        let reply = judged(&trace);
        assert_eq!(reply["meets_expectations"], Value::Bool(!bug), "{what}: {reply:#}");
    }
    let reply = judged(&deleted("milk tea"));
    assert!(reply["reasoning"].as_str().unwrap().ends_with("that of \"rye\" went instead"), "{reply:#}");
}
