//! The two questions to a language model (Table 1 and Figure 4 of the paper).
//!
//! Texts of pages and inputs stand in them as JSON strings, so that the reader of the prompt (a model, or the rules in
//! its place) can tell them from its words; what is not seen is escaped, and long ones are cut, with their true length.

use super::context::FieldContext;
use super::errand::FormKnown;
use super::feedback::{dropped, feedback};
use super::landing::Appeared;
use super::like::like;
use droidmux_account::quote::is_unseen;
use droidmux_gui::lone_surrogate;
use droidmux_record::{Agent, Example, Part, Question, StartAt};

/// What is known of the page that is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PageContext {
    /// Package of the app.
    pub app: String,
    pub activity: String,
    /// What the device's clock was set to when the session took it.
    pub start_at: Option<StartAt>,
    pub fields: Vec<FieldContext>,
}

/// Texts that were entered, and what appeared then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Try {
    /// One for each field.
    pub texts: Vec<String>,
    /// The dynamic hints: texts of widgets that were not there before; none when the page stayed
    /// as it was.
    pub appeared: Vec<Appeared>,
    /// Fields that held another text than was typed, with what they held.
    pub held: Vec<(usize, String)>,
    pub crashed: bool,
}

/// The most characters of a text in a prompt; of a rule, a constraint, a valid input.
const MOST_CHARS: usize = 120;
pub(super) const MOST_WORDS: usize = 400;

/// The most texts of one kind that are listed for a round.
pub(super) const MOST_LISTED: usize = 12;

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

/// Before anything was tried, nothing can have been accepted.
const FIRST_SCHEMA: &str = r#"{"type":"object","properties":{"inputs":{"type":"array","items":{"type":"object","properties":{"field":{"type":"integer"},"input":{"type":"string"}},"required":["field","input"],"additionalProperties":false}},"constraints":{"type":"array","items":{"type":"string"}}},"required":["inputs","constraints"],"additionalProperties":false}"#;

const VALID_SCHEMA: &str = r#"{"type":"object","properties":{"inputs":{"type":"array","items":{"type":"object","properties":{"field":{"type":"integer"},"input":{"type":"string"}},"required":["field","input"],"additionalProperties":false}},"constraints":{"type":"array","items":{"type":"string"}},"accepted":{"type":"boolean"}},"required":["inputs","constraints","accepted"],"additionalProperties":false}"#;

const GENERATOR_SCHEMA: &str = r#"{"type":"object","properties":{"rule":{"type":"string"},"expected":{"enum":["accepted","refused","open"]},"ground":{"type":"string"},"generator":{"type":"string"}},"required":["rule","expected","ground","generator"],"additionalProperties":false}"#;

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
        for (field, held) in &tried.held {
            text += &format!("  field {} then held: {}\n", field + 1, quoted(held));
        }
        text += &appeared(tried);
    }
    text += "\n# Question\n\
        Which inputs, one for each field, pass this page, and which constraints do they keep to? \
        Reply with JSON: `inputs`, a list of objects with `field` (its number) and `input` (the \
        text; empty to leave the field empty); `constraints`, a list of sentences, within and \
        between fields";
    if tries.is_empty() {
        text += ".\n";
        return question(Agent::ValidInput, text, FIRST_SCHEMA);
    }
    text += "; `accepted`: true only if what appeared after the last try is the result of \
        inputs that the page took, and no complaint about them.\n";
    question(Agent::ValidInput, text, VALID_SCHEMA)
}

/// What a generator is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    /// The field under test, from 0.
    pub field: usize,
    /// The fields that get the same text as it, itself among them.
    pub twins: &'a [usize],
    /// Inputs that are run.
    pub inputs: u32,
    /// The most examples told.
    pub examples: u8,
}

/// Asks for a mutation rule and a generator that follows it, for one field.
pub(super) fn test_generator(
    page: &PageContext,
    asked: &Asked<'_>,
    known: &FormKnown,
    examples: &[Example],
) -> Question {
    let mut text = head(page);
    let number = asked.field + 1;
    let field = page.fields.get(asked.field);
    if let Some(field) = field {
        text += &format!("\nField under test, {number}: {}\n{}", quoted(&field.name), around(field));
        text += &dropped(&known.rounds, asked.field);
        text += &format!("\nPage: {}\n", quoted(&field.page));
    }
    text += &format!("\n# Valid inputs of all fields\n{}\n", list(&known.valid));
    let valid = known.valid.get(asked.field).map_or("", String::as_str);
    text += &format!("Of the field under test: {}\n", quoted_to(valid, MOST_WORDS));
    text += "\n# Constraints that were inferred\n";
    for constraint in &known.constraints {
        text += &format!("- {}\n", line(constraint, MOST_WORDS));
    }
    if !known.complaints.is_empty() {
        text += "\n# What the page said to inputs that it did not take\n";
    }
    for complaint in &known.complaints {
        text += &format!("- {}\n", quoted(complaint));
    }
    text += &feedback(&known.rounds);
    let like = field.map(|field| like(field, examples)).unwrap_or_default();
    let like: String = like.into_iter().take(asked.examples.into()).map(told_example).collect();
    if !like.is_empty() {
        text += &format!("\n# Inputs that broke fields like this one in other apps\n{like}");
    }
    text += &generator_question(page, asked);
    question(Agent::TestGenerator, text, GENERATOR_SCHEMA)
}

fn generator_question(page: &PageContext, asked: &Asked<'_>) -> String {
    let inputs = asked.inputs;
    let twins: Vec<String> =
        asked.twins.iter().filter(|twin| **twin != asked.field).map(|twin| (twin + 1).to_string()).collect();
    let others = match (page.fields.len(), twins.is_empty()) {
        (0 | 1, _) => String::new(),
        (_, true) => " The other fields keep their valid inputs.".into(),
        (_, false) => format!(
            " Field {} gets the same input; the other fields keep their valid ones.",
            twins.join(" and field ")
        ),
    };
    format!(
        "\n# Question\n\
        First give a mutation rule: how to change the valid input so that the app may fail on it \
        (crash, hang, lose the text, compute something wrong), by breaking the constraints or by \
        what programs handle badly. Then write a test generator that follows the rule: a JavaScript \
        generator function without parameters, of any name or none, that yields about {inputs} different \
        inputs, the most promising first; no input and output, no libraries. The first {inputs} that the \
        device can type are all run, each in a fresh form, whatever the others showed.{others} Take a rule \
        that was not tried before on this field. An input is a string, or an object {{input, expected}} that \
        says what this one should come to; a mixed list is welcome. `expected` is `refused` only if what the \
        page or its complaints say, or the nature of the field, forbids the input; `accepted` if it must be \
        taken and shown as it is; else `open`. A text that should be refused and is accepted counts where the \
        page gives ground for it: copy into `ground` the words of the page, or of a complaint that it made \
        before, that state the broken constraint (exactly and whole; empty if there are none), and yield a \
        plainer text of the same shape that breaks the same constraint as a control. Reply with JSON: `rule` \
        (the mutation rule in words), `expected` (\"accepted\", \"refused\" or \"open\", of all inputs that do \
        not say it themselves), `ground`, `generator` (the code).\n"
    )
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
    let (app, activity) = (line(&page.app, MOST_CHARS), line(&page.activity, MOST_CHARS));
    let count = page.fields.len();
    let clock = page.start_at.map_or(String::new(), |at| {
        let now = at.to_string();
        let today = now.split_once('T').map_or(now.as_str(), |(date, _)| date);
        format!("Clock of the device: set to {now} when the session took it\nToday on the device: {today}\n")
    });
    format!("# The page\nApp: {app}\nActivity: {activity}\n{clock}Text fields: {count}\n")
}

fn around(field: &FieldContext) -> String {
    let password = if field.is_password { "yes" } else { "no" };
    let lines = if field.is_high { "  lines: several\n" } else { "" };
    format!(
        "  class: {}\n  password: {password}\n{lines}  shows: {}\n  parent: {}\n  near it: {}\n  in its row: {}\n",
        line(&field.class, MOST_CHARS),
        quoted(&field.shows),
        quoted(&field.parent),
        quoted(&field.leaves),
        quoted(&field.row)
    )
}

fn told_example(example: &Example) -> String {
    match example {
        Example::Input(example) => {
            let rule = match example.rule.as_str() {
                "" => String::new(),
                rule => format!("; rule: {}", line(rule, MOST_WORDS)),
            };
            let context = quoted(&example.context);
            format!("- context: {context}{rule}; input: {}\n", quoted(&example.input))
        }
        Example::Bug(_) => String::new(),
    }
}

/// A text as a JSON string, cut when it is long.
pub(super) fn quoted(text: &str) -> String {
    quoted_to(text, MOST_CHARS)
}

pub(super) fn quoted_to(text: &str, most: usize) -> String {
    json(&shortened(text, most))
}

/// The beginning of a text of this many characters.
pub(super) fn told_head(head: &str, length: u32) -> String {
    let rest = usize::try_from(length).is_ok_and(|length| length > head.chars().count());
    json(&if rest { format!("{head}… ({length} characters)") } else { head.to_owned() })
}

fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted_to(text, MOST_WORDS)).collect();
    format!("[{}]", texts.join(","))
}

/// A JSON string in which all that is not seen is escaped. Halves of surrogate pairs, which texts of ours keep as
/// private characters, are told as what they are.
fn json(text: &str) -> String {
    let mut json = String::new();
    for c in serde_json::Value::String(text.to_owned()).to_string().chars() {
        match c {
            c if lone_surrogate(c).is_some() => json += &format!("\\u{:04x}", u32::from(c) & 0xffff),
            c if is_unseen(c) => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    json += &format!("\\u{unit:04x}");
                }
            }
            c => json.push(c),
        }
    }
    json
}

/// As much of a text as a prompt has room for.
pub(super) fn beginning(text: &str) -> String {
    droidmux_words::beginning(text, MOST_CHARS).to_owned()
}

/// A text cut to at most this many characters, saying how long it is if anything was cut off.
fn shortened(text: &str, most: usize) -> String {
    let head = droidmux_words::beginning(text, most);
    match head.len() == text.len() {
        true => text.to_owned(),
        false => format!("{head}… ({} characters)", text.chars().count()),
    }
}

/// A text in one line, cut when it is long.
pub(super) fn line(text: &str, most: usize) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    shortened(text.trim(), most)
}

#[cfg(test)]
#[path = "prompt_tests.rs"]
mod tests;
