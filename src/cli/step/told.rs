//! A stepped test as text and as JSON.

use std::fmt::Write;

use super::told_json::ToldJson;
use crate::output::json_line;
use droidmux_gui::{Layout, short_class, short_id};
use droidmux_lab::SessionOutcome;
use droidmux_proto::{RowOrigin, RowState, StepRow, StepperView, ViolationNote};
use droidmux_record::{FindingId, WidgetNote};
use droidmux_words::printable;

/// The most differences listed.
const MOST: usize = 8;

/// What a person sees first.
pub(super) fn opening(view: &StepperView) -> String {
    let StepperView { session, name, device, .. } = view;
    let mut text = format!("{name} on {device}, as {session}; `help` lists the orders\n");
    let _ = writeln!(text, "{}", printable(&view.violation.title));
    text + &lanes(view)
}

/// Both tests side by side; `+` inserted, `*` put in by the person.
pub(super) fn lanes(view: &StepperView) -> String {
    let two = view.rows.iter().any(|row| row.seed.is_some());
    view.rows.iter().fold(String::new(), |text, row| text + &line(row, two))
}

fn line(row: &StepRow, two: bool) -> String {
    let origin = match row.origin {
        RowOrigin::Test => ' ',
        RowOrigin::Inserted => '+',
        RowOrigin::Seed => '-',
        RowOrigin::Added => '*',
    };
    let state = match row.state {
        RowState::Next => '>',
        RowState::Done | RowState::Skipped | RowState::Ahead => ' ',
    };
    let number = row.number.map(|number| number.to_string()).unwrap_or_default();
    let event = row.event.as_deref().unwrap_or_default();
    let became = match (row.state, row.recorded, row.live) {
        (RowState::Skipped, ..) => "  skipped",
        (RowState::Done, Some(recorded), Some(live)) if recorded == live => "  as recorded",
        (RowState::Done, Some(_), Some(_)) => "  another screen than recorded",
        (RowState::Done, ..) => "  done",
        (RowState::Next | RowState::Ahead, ..) => "",
    };
    let seed = match two {
        true => format!("{:<40.40} ", row.seed.as_deref().unwrap_or_default()),
        false => String::new(),
    };
    printable(&format!("{state}{origin}{number:>4} {seed}{event}{became}")).into_owned() + "\n"
}

/// The state before the next order.
pub(super) fn text(view: &StepperView) -> String {
    let mut text = String::new();
    if !view.trouble.is_empty() {
        let _ = writeln!(text, "! {}", printable(&view.trouble));
    }
    let done = view.rows.iter().rev().find(|row| row.state != RowState::Ahead && row.state != RowState::Next);
    text.extend(done.map(|row| line(row, false)));
    if !view.differences.is_empty() {
        list(&mut text, "differs from the recorded screen", &view.differences);
    }
    match &view.effect {
        Some(effect) if effect.is_whole() && effect.came > 0 => {
            let _ = writeln!(text, "  the seed's effect came");
        }
        Some(effect) if !effect.is_whole() => {
            list(&mut text, "of the seed's effect is missing", &effect.missing)
        }
        Some(_) | None => {}
    }
    if view.violation.reached {
        text += &violation(&view.violation);
    }
    match &view.next {
        Some(next) => {
            let widget = next.widget.map(|widget| format!(", widget {widget}")).unwrap_or_default();
            let found =
                if next.found.is_empty() { String::new() } else { format!(" ({}{widget})", next.found) };
            let _ = writeln!(text, "next: {}{found}", printable(&next.event));
        }
        None => text += "the test is at its end\n",
    }
    let seconds = view.back_ms.div_ceil(1000);
    let _ = writeln!(text, "(back takes about {seconds} s)");
    text
}

fn list(text: &mut String, head: &str, lines: &[String]) {
    let _ = writeln!(text, "  {head}:");
    for line in lines.iter().take(MOST) {
        let _ = writeln!(text, "    {}", printable(line));
    }
    if let Some(more @ 1..) = lines.len().checked_sub(MOST) {
        let _ = writeln!(text, "    and {more} more");
    }
}

fn violation(note: &ViolationNote) -> String {
    let mut text = format!("the violation: {}\n", printable(&note.title));
    if let Some(shows) = &note.shows {
        let _ = writeln!(text, "  {}", printable(&shows.sentence()));
    }
    for reason in &note.reasons {
        let _ = writeln!(text, "  {}", printable(reason));
    }
    for part in &note.parts {
        let widgets = match (&part.before, &part.after) {
            (Some(before), Some(after)) => format!("{} became {}", widget(before), widget(after)),
            (Some(before), None) => format!("{} went away", widget(before)),
            (None, Some(after)) => format!("{} appeared", widget(after)),
            (None, None) => "a widget".to_owned(),
        };
        let came = match part.came {
            Some(true) => ": came this time",
            Some(false) => ": is missing again",
            None => "",
        };
        let context = if part.context.is_empty() { String::new() } else { format!(", in {}", part.context) };
        let _ = writeln!(text, "  {}", printable(&format!("{widgets}{context}{came}")));
    }
    text
}

fn widget(note: &WidgetNote) -> String {
    let (class, id) = (short_class(&note.class), short_id(&note.resource_id));
    let label = if note.text.is_empty() { &note.description } else { &note.text };
    format!("{class} {id} {label:?}")
}

/// The widgets that take events, with their numbers.
pub(super) fn widgets(layout: Option<&Layout>) -> String {
    let Some(layout) = layout else { return "no screen is known yet\n".into() };
    let mut text = String::new();
    for operable in layout.operable() {
        let Some(widget) = layout.get(operable.widget) else { continue };
        let can: Vec<&str> = operable.interactions.iter().map(|can| widget.event_of(*can).name()).collect();
        let (number, words) = (operable.widget.0, self::widget(&WidgetNote::of(widget)));
        let _ = writeln!(text, "{number:>4}  {}  ({})", printable(&words), can.join(", "));
    }
    text
}

/// The last line for a person.
pub(super) fn end_text(outcome: &SessionOutcome, finding: &FindingId) -> String {
    let session = outcome.session;
    let said = match outcome.findings.as_slice() {
        [] => String::new(),
        findings => format!(", {} found in what was done", findings.len()),
    };
    format!(
        "recorded as {session}{said}; `droidmux replay {finding} --stepped {session}` runs it again, `shrink` in the \
         place of `replay` shortens it\n"
    )
}

/// A line for each question.
pub(super) fn json(view: &StepperView, question: u32) -> String {
    json_line(&ToldJson::step(view, question))
}

/// The last line.
pub(super) fn end_json(outcome: &SessionOutcome, last: Option<&StepperView>) -> String {
    json_line(&ToldJson::stepped(outcome, last))
}
