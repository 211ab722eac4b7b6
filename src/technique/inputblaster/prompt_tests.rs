//! Prompts of InputBlaster.

use super::super::errand::{Expectation, FormRound, Reaction, TriedText};
use super::*;
use droidmux_gui::{Event, EventKind};
use droidmux_record::InputExample;

fn page() -> PageContext {
    let field = |name: &str, is_password| FieldContext {
        name: name.into(),
        class: "EditText".into(),
        is_password,
        is_high: false,
        shows: String::new(),
        parent: String::new(),
        leaves: "near".into(),
        row: "row".into(),
        page: "Go;Help".into(),
    };
    PageContext {
        app: "a.b".into(),
        activity: "a.b.Form".into(),
        start_at: "2026-03-01T09:00".parse().ok(),
        fields: vec![field("From \"x\"\n", false), field("Code", true)],
    }
}

#[test]
fn the_questions_hold_all_that_is_known() {
    let new = vec![
        Appeared { text: "Too \"short\"".into(), field: Some(1) },
        Appeared { text: "!".into(), field: None },
    ];
    let tries = [
        Try { texts: vec!["a".into(), "\n".into()], appeared: new, ..Try::default() },
        Try { texts: vec!["b".into(), String::new()], held: vec![(1, "12".into())], ..Try::default() },
    ];
    let question = valid_input(&page(), &tries);
    let text = question.text();
    for part in [
        "App: a.b\n",
        "Clock of the device: set to 2026-03-01T09:00 ",
        "Today on the device: 2026-03-01\n",
        "Field 1: \"From \\\"x\\\"\\n\"\n",
        "Field 2: \"Code\"\n  class: EditText\n  password: yes\n",
        "Page: \"Go;Help\"",
        "departure and arrival",
        "Try 1: [\"a\",\"\\n\"]\n  appeared at field 2: \"Too \\\"short\\\"\"\n  appeared: \"!\"\n",
        "Try 2: [\"b\",\"\"]\n  field 2 then held: \"12\"\n  nothing appeared",
        "`accepted`",
    ] {
        assert!(text.contains(part), "{part}\nin {text}");
    }
    let first = valid_input(&page(), &[]);
    assert!(!first.text().contains("`accepted`") && !first.schema.contains("accepted"));
    let tried = |text: &str, reaction, held: Option<&str>, shown: &[&str]| TriedText {
        text: beginning(text),
        reaction,
        length: text.chars().count() as u32,
        held: held.map(|held| (held.to_owned(), held.chars().count() as u32)),
        shown: shown.iter().map(|text| (*text).to_owned()).collect(),
        ..TriedText::default()
    };
    let known = FormKnown {
        valid: vec!["Bern".into(), "Ab1".into()],
        submit: Event::global(EventKind::Enter),
        look: None,
        ticks: false,
        in_place: false,
        constraints: vec!["not empty".into(), "long ".repeat(60)],
        complaints: vec!["At most 60 characters".into()],
        rounds: vec![FormRound {
            field: 0,
            rule: "add an emoji".into(),
            tried: vec![
                tried("Bern😀", Reaction::Crashed, None, &[]),
                tried("é", Reaction::Refused, Some("e"), &["letters only"]),
                tried("B\u{200b}\u{10d83d}", Reaction::Accepted, None, &[]),
                tried(&"a".repeat(402), Reaction::Accepted, None, &[]),
            ],
            failure: "it threw: x".into(),
            expected: Expectation::Refused,
            untried: 7,
            ground: String::new(),
        }],
    };
    let example = |context: &str, input: &str| {
        let (context, input) = (context.to_owned(), input.to_owned());
        Example::Input(InputExample { context, input, ..InputExample::default() })
    };
    let examples = [example("from; to; Search", "%n"), example("amount; Add", "1e400")];
    let asked = Asked { field: 0, twins: &[0], inputs: 7, examples: 5 };
    let text = test_generator(&page(), &asked, &known, &examples).text();
    for part in [
        "Field under test, 1: ",
        "Of the field under test: \"Bern\"",
        "- not empty\n",
        "# What the page said to inputs that it did not take\n- \"At most 60 characters\"\n",
        "The first 7 that the device can type are all run",
        "The other fields keep their valid inputs.",
        "of any name or none",
        "Rule for field 1: \"add an emoji\"\n  expected to be refused\n  showed bugs, do not repeat them:\n    \"Bern😀\" the app crashed",
        "showed none, take another rule:\n    \"é\" it was refused with a message; the field held \"e\"; the page then showed \"letters only\"\n",
        "    \"B\\u200b\\ud83d\" it was accepted, though it should be refused\n",
        "aa… (402 characters)\" it was accepted",
        "  7 more were yielded, and not tried\n",
        "its generator failed: it threw: x",
        "- context: \"from; to; Search\"; input: \"%n\"",
        "long ".repeat(60).trim_end(),
    ] {
        assert!(text.contains(part), "{part}\nin {text}");
    }
    assert!(!text.contains("1e400") && !text.contains("unknown"), "{text}");
    let few = test_generator(&page(), &Asked { examples: 0, ..asked }, &known, &examples).text();
    assert!(!few.contains("%n"), "as many examples as are wanted: {few}");
    let asked = Asked { field: 0, twins: &[0, 1], ..asked };
    let text = test_generator(&page(), &asked, &known, &examples).text();
    assert!(text.contains("Field 2 gets the same input"), "{text}");
    let asked = Asked { field: 1, twins: &[1], ..asked };
    let text = test_generator(&page(), &asked, &known, &examples).text();
    assert!(!text.contains("# Inputs that broke"), "none rather than bad ones: {text}");
    for schema in [FIRST_SCHEMA, VALID_SCHEMA, GENERATOR_SCHEMA] {
        assert!(serde_json::from_str::<serde_json::Value>(schema).is_ok(), "{schema}");
    }
}
