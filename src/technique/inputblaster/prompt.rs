//! The two questions to a language model (Table 1 and Figure 4 of the paper).
//!
//! Texts of pages and inputs stand in them as JSON strings, so that the reader of the prompt (a
//! model, or the rules in its place) can tell them from its words; long ones are cut.

use super::context::FieldContext;
use super::errand::{FormKnown, FormRound, TriedText};
use super::landing::Appeared;
use droidmux_record::{Agent, Example, Part, Question};

/// What is known of the page that is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PageContext {
    /// Package of the app.
    pub app: String,
    pub activity: String,
    pub fields: Vec<FieldContext>,
}

/// Texts that were entered, and what appeared then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Try {
    /// One for each field.
    pub texts: Vec<String>,
    /// The dynamic hints: texts of widgets that were not there before; none when the page stayed
    /// as it was.
    pub appeared: Vec<Appeared>,
    pub crashed: bool,
}

/// The most characters of a text in a prompt.
const MOST_CHARS: usize = 120;

/// The most texts of one kind that are listed for a round, and the most rounds.
const MOST_LISTED: usize = 12;
const MOST_ROUNDS: usize = 12;

const ROLE: &str = "You test Android apps by entering texts into their forms.";

/// What inputs of forms often must keep to (section 2.1.2 of the paper, in our words).
const CONSTRAINTS: &str = "\
Within a field, explicit or implied by what it is for:
- pure text: letters only, no digits, no special characters
- digits only; whole numbers; decimal numbers; numbers above 0
- a length: at least, at most or exactly so many characters
- a format: date, time, e-mail address, phone number, URL, currency, a given pattern
- a range: from a least to a largest number or date
- required, not empty; unique, not used before; the name of something that exists
- a password: letters of both cases and digits, long enough
Between fields:
- different from each other, such as departure and arrival
- equal to each other, such as a password and its repetition
- ordered, such as start before end, diastolic below systolic, least below largest
- depending on each other, such as one required when the other is given";

const VALID_SCHEMA: &str = r#"{"type":"object","properties":{"inputs":{"type":"array","items":{"type":"object","properties":{"field":{"type":"integer"},"input":{"type":"string"}},"required":["field","input"],"additionalProperties":false}},"constraints":{"type":"array","items":{"type":"string"}},"accepted":{"type":"boolean"}},"required":["inputs","constraints","accepted"],"additionalProperties":false}"#;

const GENERATOR_SCHEMA: &str = r#"{"type":"object","properties":{"rule":{"type":"string"},"generator":{"type":"string"}},"required":["rule","generator"],"additionalProperties":false}"#;

/// Asks for inputs that pass the page, and for the constraints on them.
pub(super) fn valid_input(page: &PageContext, tries: &[Try]) -> Question {
    let mut text = head(page);
    for (number, field) in (1..).zip(&page.fields) {
        text += &format!("\nField {number}: {}\n{}", quoted(&field.name), around(field));
    }
    if let Some(field) = page.fields.first() {
        text += &format!("\nPage: {}\n", quoted(&field.page));
    }
    text += &format!("\n# What inputs often must keep to\n{CONSTRAINTS}\n");
    if !tries.is_empty() {
        text += "\n# Tried before, none of them passed\n";
    }
    for (number, tried) in (1..).zip(tries) {
        text += &format!("\nTry {number}: {}\n", list(&tried.texts));
        text += &appeared(tried);
    }
    text += "\n# Question\n\
        Which inputs, one for each field, pass this page, and which constraints do they keep to? \
        Reply with JSON: `inputs`, a list of objects with `field` (its number) and `input` (the \
        text; empty to leave the field empty); `constraints`, a list of sentences, within and \
        between fields; `accepted`: true only if what appeared after the last try is the result of \
        inputs that the page took, and no complaint about them.\n";
    question(Agent::ValidInput, text, VALID_SCHEMA)
}

/// Asks for a mutation rule and a generator that follows it, for one field.
pub(super) fn test_generator(
    page: &PageContext,
    field: usize,
    known: &FormKnown,
    examples: &[Example],
    batch: u16,
) -> Question {
    let mut text = head(page);
    let number = field + 1;
    if let Some(field) = page.fields.get(field) {
        text += &format!("\nField under test, {number}: {}\n{}", quoted(&field.name), around(field));
        text += &format!("\nPage: {}\n", quoted(&field.page));
    }
    text += &format!("\n# Valid inputs of all fields\n{}\n", list(&known.valid));
    let valid = known.valid.get(field).map_or("", String::as_str);
    text += &format!("Of the field under test: {}\n", quoted(valid));
    text += "\n# Constraints that were inferred\n";
    for constraint in &known.constraints {
        text += &format!("- {}\n", line(constraint));
    }
    text += &feedback(&known.rounds);
    if !examples.is_empty() {
        text += "\n# Inputs that broke fields like this one in other apps\n";
        examples.iter().for_each(|example| text += &told_example(example));
    }
    text += &format!(
        "\n# Question\n\
        First give a mutation rule: how to change the valid input so that the app may fail on it \
        (crash, hang, lose the text, compute something wrong), by breaking the constraints or by \
        what programs handle badly. Then write a test generator that follows the rule: a JavaScript \
        generator function without parameters that yields about {batch} different strings, one \
        input each; no input and output, no libraries. Take a rule that was not tried before on \
        this field. Reply with JSON: `rule` (the mutation rule in words), `generator` (the code).\n"
    );
    question(Agent::TestGenerator, text, GENERATOR_SCHEMA)
}

/// What came of a try: the dynamic hints.
fn appeared(tried: &Try) -> String {
    if tried.crashed {
        return "  the app crashed\n".into();
    }
    if tried.appeared.is_empty() {
        return "  nothing appeared, the page stayed\n".into();
    }
    let told = |new: &Appeared| match new.field {
        Some(field) => format!("  appeared at field {}: {}\n", field + 1, quoted(&new.text)),
        None => format!("  appeared: {}\n", quoted(&new.text)),
    };
    tried.appeared.iter().take(MOST_LISTED).map(told).collect()
}

fn question(agent: Agent, text: String, schema: &str) -> Question {
    Question { agent, role: ROLE.into(), parts: vec![Part::Text(text)], schema: schema.into() }
}

fn head(page: &PageContext) -> String {
    let (app, activity) = (line(&page.app), line(&page.activity));
    let count = page.fields.len();
    format!("# The page\nApp: {app}\nActivity: {activity}\nText fields: {count}\n")
}

fn around(field: &FieldContext) -> String {
    let password = if field.is_password { "yes" } else { "no" };
    format!(
        "  class: {}\n  password: {password}\n  shows: {}\n  parent: {}\n  near it: {}\n  in its row: {}\n",
        line(&field.class),
        quoted(&field.shows),
        quoted(&field.parent),
        quoted(&field.leaves),
        quoted(&field.row)
    )
}

/// What was tried on the page: what showed a bug is not to be repeated, what did not calls for
/// another rule.
fn feedback(rounds: &[FormRound]) -> String {
    let mut text = String::new();
    if !rounds.is_empty() {
        text += "\n# Tried before on this page\n";
    }
    let skipped = rounds.len().saturating_sub(MOST_ROUNDS);
    for round in rounds.iter().skip(skipped) {
        let number = round.field + 1;
        text += &format!("\nRule for field {number}: {}\n", quoted(&round.rule));
        let of = |bug: bool| -> String {
            let tried = round.tried.iter().filter(|tried| tried.reaction.is_bug() == bug).take(MOST_LISTED);
            let told =
                |tried: &TriedText| format!("    {} {}\n", quoted(&tried.text), tried.reaction.words());
            tried.map(told).collect()
        };
        let (bugs, others) = (of(true), of(false));
        if !bugs.is_empty() {
            text += &format!("  showed bugs, do not repeat them:\n{bugs}");
        }
        if !others.is_empty() {
            text += &format!("  showed none, take another rule:\n{others}");
        }
        if !round.failure.is_empty() {
            text += &format!("  its generator failed: {}\n", line(&round.failure));
        }
    }
    text
}

fn told_example(example: &Example) -> String {
    match example {
        Example::Input(example) => {
            let rule = if example.rule.is_empty() { "unknown" } else { &example.rule };
            let (context, rule) = (quoted(&example.context), line(rule));
            format!("- context: {context}; rule: {rule}; input: {}\n", quoted(&example.input))
        }
        Example::Bug(_) => String::new(),
    }
}

/// A text as a JSON string, cut when it is long.
fn quoted(text: &str) -> String {
    serde_json::to_string(&shortened(text)).unwrap_or_default()
}

fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| shortened(text)).collect();
    serde_json::to_string(&texts).unwrap_or_default()
}

/// A text cut to at most this many characters, saying so if anything was cut off.
pub(super) fn shortened(text: &str) -> String {
    let count = text.chars().count();
    let head: String = text.chars().take(MOST_CHARS).collect();
    if count > MOST_CHARS { format!("{head}… ({count} characters)") } else { head }
}

/// A text in one line, cut when it is long.
fn line(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    shortened(text.trim())
}

#[cfg(test)]
mod tests {
    use super::super::errand::Reaction;
    use super::*;
    use droidmux_gui::{Event, EventKind};
    use droidmux_record::InputExample;

    fn page() -> PageContext {
        let field = |name: &str, is_password| FieldContext {
            name: name.into(),
            class: "EditText".into(),
            is_password,
            shows: String::new(),
            parent: String::new(),
            leaves: "near".into(),
            row: "row".into(),
            page: "Go;Help".into(),
        };
        PageContext {
            app: "a.b".into(),
            activity: "a.b.Form".into(),
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
            Try { texts: vec!["a".into(), "\n".into()], appeared: new, crashed: false },
            Try { texts: vec!["b".into(), String::new()], appeared: Vec::new(), crashed: false },
        ];
        let question = valid_input(&page(), &tries);
        let text = question.text();
        for part in [
            "App: a.b\n",
            "Field 1: \"From \\\"x\\\"\\n\"\n",
            "Field 2: \"Code\"\n  class: EditText\n  password: yes\n",
            "Page: \"Go;Help\"",
            "departure and arrival",
            "Try 1: [\"a\",\"\\n\"]\n  appeared at field 2: \"Too \\\"short\\\"\"\n  appeared: \"!\"\n",
            "Try 2: [\"b\",\"\"]\n  nothing appeared",
        ] {
            assert!(text.contains(part), "{part}\nin {text}");
        }
        let tried = |text: &str, reaction| TriedText { text: text.into(), reaction };
        let known = FormKnown {
            valid: vec!["Bern".into(), "Ab1".into()],
            submit: Event::global(EventKind::Enter),
            look: None,
            ticks: false,
            in_place: false,
            constraints: vec!["not empty".into()],
            rounds: vec![FormRound {
                field: 0,
                rule: "add an emoji".into(),
                tried: vec![tried("Bern😀", Reaction::Crashed), tried("é", Reaction::Accepted)],
                failure: "it threw: x".into(),
            }],
        };
        let example = InputExample { context: "name".into(), input: "%n".into(), ..InputExample::default() };
        let text = test_generator(&page(), 0, &known, &[Example::Input(example)], 10).text();
        for part in [
            "Field under test, 1: ",
            "Of the field under test: \"Bern\"",
            "- not empty\n",
            "Rule for field 1: \"add an emoji\"\n  showed bugs, do not repeat them:\n    \"Bern😀\" the app crashed",
            "showed none, take another rule:\n    \"é\" it was accepted",
            "its generator failed: it threw: x",
            "- context: \"name\"; rule: unknown; input: \"%n\"",
        ] {
            assert!(text.contains(part), "{part}\nin {text}");
        }
        for schema in [VALID_SCHEMA, GENERATOR_SCHEMA] {
            assert!(serde_json::from_str::<serde_json::Value>(schema).is_ok(), "{schema}");
        }
    }
}
