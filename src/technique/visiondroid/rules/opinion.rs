//! The Detector by rules: its reply, whichever rule objects.

use serde_json::{Value, json};

use super::deed::Deeds;
use super::story;
use crate::visiondroid::chronicle::{Chronicle, Function};
use droidmux_gui::EventKind;

/// What a rule objects to.
pub(super) struct Bug {
    /// Numbers of the step after which it shows, and of the step that triggers it.
    pub(super) shows: usize,
    pub(super) trigger: usize,
    /// The widget that shows it, in words.
    pub(super) widget: String,
    pub(super) expected: String,
    pub(super) actual: String,
}

/// What is said of a function.
pub(super) fn opinion(chronicle: &Chronicle, function: &Function, deeds: &Deeds<'_>) -> Value {
    let steps = chronicle.steps.get(deeds.first.saturating_sub(1)..deeds.last).unwrap_or_default();
    let moved = steps.iter().any(|step| matches!(step.kind, EventKind::Scroll(_) | EventKind::Rotate));
    // Rows that were scrolled out of sight are not gone.
    let found = if moved { None } else { story::by_rows(deeds) };
    let found = found.or_else(|| story::dead_switch(deeds)).or_else(|| story::came_up(deeds));
    let mut expected: Vec<String> = steps.iter().map(|step| step.told.event.clone()).collect();
    let mut actual = expected.clone();
    let mut reasoning = "nothing in the steps contradicts another".to_owned();
    if let Some(bug) = &found {
        reasoning = format!("{}, but {}", bug.expected, bug.actual);
        expected.push(bug.expected.clone());
        actual.push(bug.actual.clone());
    }
    let wrong: Vec<Value> = (deeds.first..)
        .zip(steps)
        .filter(|(_, step)| step.failed())
        .map(|(number, _)| json!({"step": number, "why": "it could not be done; choose what is on the screen"}))
        .collect();
    json!({
        "function": function.name,
        "expected": expected,
        "actual": actual,
        "meets_expectations": found.is_none(),
        "shows_after_step": found.as_ref().map(|bug| bug.shows),
        "widget": found.as_ref().map(|bug| bug.widget.clone()),
        "trigger_step": found.as_ref().map(|bug| bug.trigger),
        "reasoning": reasoning,
        "wrong_operations": wrong,
    })
}
