//! The Detector: whether the steps of a function did what the function is for.

use serde_json::Value;

use super::chronicle::{Chronicle, Function, Stage};
use super::misreply::Misreply;
use super::phrase::quoted;
use super::prompt::Prompt;
use super::{phrase, pictures};
use crate::VisiondroidSettings;
use crate::members::{self, Members, flag, number, text, texts};
use crate::reply;
use droidmux_record::{Agent, BugExample, Example, Layouts, Question};

/// What the Detector says of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opinion {
    /// The function, described.
    pub description: String,
    pub expected: Vec<String>,
    pub actual: Vec<String>,
    pub meets: bool,
    /// The step after which the bug shows on the screen, and the one that triggers it.
    pub shows_after: Option<u32>,
    pub trigger: Option<u32>,
    /// The widget that shows it.
    pub widget: String,
    pub reasoning: String,
    pub wrong: Vec<WrongOperation>,
}

/// An operation of the Explorer that made no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongOperation {
    pub step: Option<u32>,
    pub why: String,
}

const ROLE: &str = "You look for functional bugs in a mobile app: cases where it neither crashes nor complains \
                    but does not do what its function is for. You are given the steps of one function with what \
                    each changed on the screen. Report a bug only when the steps prove it.";

const STEPS: &str = "1. Name the function that the steps carry out and describe what it is for.\n\
                     2. Write down the path you expect: the steps, and what the screens should show after each.\n\
                     3. Write down the actual path: the steps, and what the screens did show.\n\
                     4. Compare both, line by line: what is there that should not be, what is missing, what \
                     changed that nobody touched, and what did not change though it should. A step that a tester would not make is a wrong operation, no bug; what you \
                     cannot see is no bug.";

const WANTED: &str = r#"Reply with one JSON object:
{"function": the function's name and what it is for,
 "expected": [the expected path, a text for each step],
 "actual": [the actual path, a text for each step],
 "meets_expectations": false only when the app has a bug,
 "shows_after_step": the number of the step after which the bug shows on the screen, or null,
 "widget": the widget that shows it, as the steps call it, or null,
 "trigger_step": the number of the step that triggers it, or null,
 "reasoning": why it is a bug, or why not,
 "wrong_operations": [{"step": number, "why": what the explorer should have done instead}]}"#;

const SCHEMA: &str = r#"{"type":"object","properties":{"function":{"type":"string"},"expected":{"type":"array","items":{"type":"string"}},"actual":{"type":"array","items":{"type":"string"}},"meets_expectations":{"type":"boolean"},"shows_after_step":{"type":["integer","null"]},"widget":{"type":["string","null"]},"trigger_step":{"type":["integer","null"]},"reasoning":{"type":"string"},"wrong_operations":{"type":"array","items":{"type":"object","properties":{"step":{"type":"integer"},"why":{"type":"string"}},"required":["step","why"],"additionalProperties":false}}},"required":["function","expected","actual","meets_expectations","shows_after_step","widget","trigger_step","reasoning","wrong_operations"],"additionalProperties":false}"#;

/// The question about the steps of a function.
pub fn question(
    chronicle: &Chronicle,
    function: &Function,
    examples: &[Example],
    complaint: Option<&str>,
    settings: &VisiondroidSettings,
    layouts: &dyn Layouts,
) -> Question {
    let (first, last, end) = (function.first, chronicle.last_of(function), chronicle.end_of(function));
    let mut prompt = Prompt::default();
    prompt.section("Bugs of other apps", &told(examples));
    prompt.section("How to proceed", STEPS);
    prompt.section("App", &chronicle.here().map(|here| format!("app {}", here.package)).unwrap_or_default());
    prompt.section("Function", &format!("{}{}", function.name, state(chronicle, function)));
    prompt.section(
        "Texts typed and dropped before that are shown again: their page was left without saving",
        &dropped(chronicle, function, layouts),
    );
    prompt.section(
        "Before the function, one line for each step: what may be missing or left behind since",
        &chronicle.told_briefly(1..first),
    );
    prompt.section("The screen before its first step", &chronicle.screen(first.saturating_sub(1)));
    prompt.section("Steps", &chronicle.told(first..=last));
    if end > last {
        let heading = "The step after them, no part of the function: it may show what the function did";
        prompt.section(heading, &chronicle.told([end]));
    }
    prompt.pictures(pictures::history(chronicle, first..=end, settings.history));
    prompt.pictures(pictures::after(chronicle, end, layouts));
    prompt.complaint(complaint);
    prompt.text(WANTED);
    prompt.question(Agent::Detector, ROLE, SCHEMA)
}

/// Whether it was carried out to its end, where nobody said so.
fn state(chronicle: &Chronicle, function: &Function) -> &'static str {
    if matches!(function.stage, Stage::Open) && !chronicle.is_inspected() {
        "\nNot finished: the test ended here. What was not done yet is no bug."
    } else {
        ""
    }
}

fn dropped(chronicle: &Chronicle, function: &Function, layouts: &dyn Layouts) -> String {
    let sights = chronicle.sights.get(function.first..=chronicle.end_of(function)).unwrap_or_default();
    let screens: Vec<_> = sights.iter().filter_map(|sight| layouts.layout(sight.layout)).collect();
    let is_shown = |text: &str| screens.iter().any(|screen| phrase::times_shown(screen, text) > 0);
    let texts = chronicle.dropped_before(function.first).filter(|typed| is_shown(&typed.text));
    let lines = texts.map(|typed| format!("{} at step {}", quoted(&typed.text), typed.step));
    lines.collect::<Vec<_>>().join("\n")
}

fn told(examples: &[Example]) -> String {
    let bugs = examples.iter().filter_map(|example| match example {
        Example::Bug(bug) => Some(bug),
        Example::Input(_) => None,
    });
    let lines = (1..).zip(bugs).map(|(number, bug)| {
        let BugExample { activity, function, steps, expected, actual, .. } = bug;
        let steps = steps.join("; ");
        format!("{number}. {activity}: {function}\n   steps: {steps}\n   expected: {expected}\n   actual: {actual}")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// What it says in a reply.
///
/// # Errors
/// [`Misreply`]: what is wrong with it.
pub fn read(reply: &str) -> Result<Opinion, Misreply> {
    let object = reply::object(reply).ok_or(Misreply::NoObject)?;
    // Some models put what is about the bug into an object of its own.
    let bug = members::find(&object, &["bug"]).and_then(Value::as_object).cloned().unwrap_or_default();
    let meets = flag(&object, &["meets_expectations", "meets", "as_expected"]);
    let meets = meets.ok_or(Misreply::NoOpinion)?;
    let in_either = |names: &[&str]| number(&object, names).or_else(|| number(&bug, names));
    let told = |names: &[&str]| {
        Some(text(&object, names)).filter(|t| !t.is_empty()).unwrap_or_else(|| text(&bug, names))
    };
    Ok(Opinion {
        description: text(&object, &["function", "function_name", "description"]),
        expected: texts(&object, &["expected", "expected_path"]),
        actual: texts(&object, &["actual", "actual_path"]),
        meets,
        shows_after: in_either(&["shows_after_step", "page_after_step", "page"]),
        trigger: in_either(&["trigger_step", "operation", "trigger"]),
        widget: told(&["widget", "element"]),
        reasoning: told(&["reasoning", "reason", "why"]),
        wrong: wrong(&object),
    })
}

fn wrong(object: &Members) -> Vec<WrongOperation> {
    let Some(Value::Array(listed)) = members::find(object, &["wrong_operations", "wrong"]) else {
        return Vec::new();
    };
    let one = |value: &Value| match value {
        Value::Object(members) => {
            WrongOperation { step: number(members, &["step"]), why: text(members, &["why", "reason"]) }
        }
        other => {
            WrongOperation { step: None, why: other.as_str().unwrap_or_default().chars().take(500).collect() }
        }
    };
    listed.iter().take(20).map(one).filter(|wrong| !wrong.why.is_empty()).collect()
}
