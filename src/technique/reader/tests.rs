//! Replies of readers, and whether their evidence exists.

use droidmux_account::{NoPixels, Veil, tell};
use droidmux_record::Slot;
use droidmux_testutils::script::Script;

use super::{Screens, StepName, reading, schema};

/// Rows are deleted: the first goes by its button, the second stays.
const TRACE: &str = "@ Main Notes
list items
- milk | (Delete)
- tea | (Delete)
- jam | (Delete)
> click milk/Delete
@ Main Notes
list items
- tea | (Delete)
- jam | (Delete)
> click tea/Delete
@ Main Notes
list items
- tea | (Delete)
- jam | (Delete)";

fn screens() -> Screens {
    let script = Script::read(TRACE);
    let tests = tell(&script.run, &script.layouts, &mut Veil::default(), &NoPixels);
    let mut screens = Screens::default();
    screens.add(Slot(3), &tests);
    screens
}

fn reply(steps: &str, check: &str) -> String {
    format!(
        r#"Here: {{"suspicions": [{{"done": "deleted tea", "shown": "tea is still there", "expected": "tea is gone",
        "kind": "lost event", "steps": {steps}, "controls": ["3.1"], "confidence": "80", "check": {check}}}],
        "notebook": ["Delete asks nothing"], "wanted": [["click \"Delete\" in row \"jam\""]]}}"#
    )
}

#[test]
fn what_a_reader_cites_has_to_be_there() {
    let screens = screens();
    for (what, steps, check, expected) in [
        ("a line", r#"["3.1", "3.2"]"#, r#"{"kind": "present", "lines": ["- tea | Delete (1st of 2)"]}"#, ""),
        ("a part of a line", r#"["step 3.2"]"#, r#"{"kind": "present", "lines": ["tea"]}"#, ""),
        ("one text for a list", r#""3.2""#, r#"{"kind": "present", "line": "jam"}"#, ""),
        ("what is gone", r#"["3.2"]"#, r#"{"kind": "absent", "lines": ["milk"]}"#, ""),
        ("how often", r#"["3.2"]"#, r#"{"kind": "count", "lines": ["Delete"], "times": 2}"#, ""),
        ("in order", r#"["3.2"]"#, r#"{"kind": "order", "lines": ["tea", "jam"]}"#, ""),
        ("as before", r#"["3.2"]"#, r#"{"kind": "same", "as": "3.1"}"#, ""),
        (
            "a line that is not there",
            r#"["3.2"]"#,
            r#"{"kind": "present", "lines": ["milk"]}"#,
            "\"milk\" does not stand on the screen after step 3.2",
        ),
        (
            "a step that is not there",
            r#"["3.2", "3.9"]"#,
            r#"{"kind": "present", "lines": ["tea"]}"#,
            "step 3.9 is not in the account",
        ),
        (
            "a step of another job to be the same as",
            r#"["3.2"]"#,
            r#"{"kind": "same", "as": "4.1"}"#,
            "step 4.1 is not in the account",
        ),
        (
            "what was never there is missed",
            r#"["3.2"]"#,
            r#"{"kind": "absent", "lines": ["beer"]}"#,
            "\"beer\" stood on no screen of that test before step 3.2",
        ),
        (
            "what is told to be there never",
            r#"["3.2"]"#,
            r#"{"kind": "count", "lines": ["beer"], "times": 0}"#,
            "\"beer\" stood on no screen of that test before step 3.2",
        ),
        (
            "the other order",
            r#"["3.2"]"#,
            r#"{"kind": "order", "lines": ["jam", "tea"]}"#,
            "the screen after step 3.2 is not as the check says",
        ),
        (
            "as it was not",
            r#"["3.2"]"#,
            r#"{"kind": "same", "as": "3.0"}"#,
            "the screen after step 3.2 is not as the check says",
        ),
    ] {
        let read = reading(&reply(steps, check)).unwrap();
        let [suspicion] = read.suspicions.as_slice() else { panic!("{what}: {read:?}") };
        let said = screens.evidence(suspicion).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(said, expected, "{what}");
        assert_eq!(
            (suspicion.confidence, suspicion.controls.as_slice()),
            (80, &[StepName { slot: 3, turn: 1 }][..])
        );
        assert_eq!(read.wanted, [["click \"Delete\" in row \"jam\""]]);
    }
}

#[test]
fn what_cannot_be_used_is_counted_and_says_why() {
    for (steps, check, why) in [
        ("[]", r#"{"kind": "absent", "lines": ["x"]}"#, "it names no step of the account"),
        (r#"["the last"]"#, r#"{"kind": "absent", "lines": ["x"]}"#, "it names no step of the account"),
        (r#"["3.1"]"#, r#"{"kind": "wrong"}"#, "it has no check that a program can make"),
        (r#"["3.1"]"#, r#"{"kind": "present", "lines": []}"#, "it has no check that a program can make"),
        (r#"["3.1"]"#, "null", "it has no check that a program can make"),
    ] {
        let read = reading(&reply(steps, check)).unwrap();
        let whys: Vec<String> = read.unusable.iter().map(ToString::to_string).collect();
        assert_eq!((read.suspicions.len(), whys), (0, vec![why.to_owned()]), "{steps} {check}");
    }
    for nonsense in ["", "I see no bugs.", "[1, 2]"] {
        assert_eq!(reading(nonsense), None, "{nonsense}");
    }
    let empty = reading(r#"{"suspicions": "none", "notebook": "a", "wanted": 7}"#).unwrap();
    assert_eq!((empty.suspicions.len(), empty.notebook, empty.wanted.len()), (0, vec!["a".to_owned()], 0));
}

#[test]
fn the_schema_is_json_and_bounds_what_is_read() {
    let schema: serde_json::Value = serde_json::from_str(&schema()).unwrap();
    let required = &schema["properties"]["suspicions"]["items"]["required"];
    assert_eq!(required.as_array().map(Vec::len), Some(8), "{schema}");
}
