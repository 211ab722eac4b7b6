//! Dialogs with a line to fill in, and a hint what may stand there.

use super::{draw_input, open, padded};
use crate::app::{App, Entry, Prompt, Screen};
use crate::paint::Painter;
use crate::query;
use crate::screen::{body, centred};
use crate::theme::Role;
use crate::words;
use droidmux_record::{FindingId, FindingState};
use droidmux_words::figure;
use ratatui::layout::{Position, Rect};

/// Kinds of events that are often wanted.
const INSERTED: &str = "click, long-click, edit TEXT, scroll-down, back, home, rotate, wait 3 …";

/// The filter of a screen, in its last line.
pub(super) fn filter(app: &App, painter: &mut Painter<'_>, input: &Prompt) -> Option<Position> {
    let line = Rect { y: app.area.bottom().saturating_sub(1), height: 1, ..app.area };
    painter.fill(line, Role::Dialog);
    if app.screen == Screen::Findings && input.value().is_empty() {
        let hint = format!("words, and {}", query::fields());
        painter.text(line.x + 4, line.y, line.width.saturating_sub(4), &hint, Role::Dim);
    }
    draw_input(painter, padded(line), "/", input)
}

/// A line below what it takes.
pub(super) fn hinted(
    app: &App,
    painter: &mut Painter<'_>,
    title: &str,
    hint: &str,
    input: &Prompt,
) -> Option<Position> {
    let inside = open(painter, centred(body(app), 60, 4), title);
    painter.text(inside.x + 1, inside.y, inside.width.saturating_sub(1), hint, Role::Dim);
    draw_input(painter, Rect { y: inside.y + 1, height: 1, ..padded(inside) }, "> ", input)
}

/// A note to the marks of findings.
pub(super) fn note(
    app: &App,
    painter: &mut Painter<'_>,
    title: &str,
    (findings, state): (&[FindingId], FindingState),
    input: &Prompt,
) -> Option<Position> {
    let inside = open(painter, centred(body(app), 76, 5), title);
    painter.text(inside.x + 1, inside.y, inside.width, &note_words(findings, state), Role::Dim);
    let cursor = draw_input(painter, Rect { y: inside.y + 1, height: 1, ..padded(inside) }, "> ", input);
    let keys = "enter marks it, esc leaves it as it is";
    painter.text(inside.x + 1, inside.y + 2, inside.width, keys, Role::Dim);
    cursor
}

/// The event to insert into a stepped test.
pub(super) fn inserted(
    app: &App,
    painter: &mut Painter<'_>,
    title: &str,
    input: &Prompt,
) -> Option<Position> {
    let inside = open(painter, centred(body(app), 76, 6), title);
    let cursor = draw_input(painter, Rect { height: 1, ..padded(inside) }, "> ", input);
    let chosen = app.stepped_layout().and_then(|layout| layout.get(app.stepper.widget()));
    let chosen = chosen.map_or_else(|| "no widget is chosen".into(), words::widget);
    let lines = [
        (format!("on: {chosen}"), Role::Text),
        (INSERTED.to_owned(), Role::Dim),
        ("enter performs it before the next event, esc does not".to_owned(), Role::Dim),
    ];
    for (y, (line, role)) in (inside.y + 1..inside.bottom()).zip(&lines) {
        painter.text(inside.x + 1, y, inside.width.saturating_sub(1), line, *role);
    }
    cursor
}

/// A text for the recorder.
pub(super) fn entry(
    app: &App,
    painter: &mut Painter<'_>,
    title: &str,
    entry: &Entry,
    input: &Prompt,
) -> Option<Position> {
    let inside = open(painter, centred(body(app), 76, 4), title);
    let cursor = draw_input(painter, Rect { height: 1, ..padded(inside) }, "> ", input);
    painter.text(inside.x + 1, inside.y + 1, inside.width, entry.hint(), Role::Dim);
    cursor
}

/// What is to be typed beside a mark.
fn note_words(findings: &[FindingId], state: FindingState) -> String {
    let which = match findings {
        [one] => one.to_string(),
        several => figure::count(several.len(), "finding"),
    };
    match state {
        FindingState::Duplicate => format!("{which}, of which finding? its id or its rank here, then a note"),
        _ => format!("{which}, with a note if you like:"),
    }
}
