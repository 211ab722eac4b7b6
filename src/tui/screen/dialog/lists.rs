//! Dialogs to choose from: rows that what is typed narrows down.

use super::{draw_input, keys, open, padded};
use crate::app::{App, Choice, PaletteRow, Prompt, RecordingForm, devices as offered, palette_rows};
use crate::command;
use crate::list::List;
use crate::paint::Painter;
use crate::screen::rows::rows;
use crate::screen::{body, centred};
use crate::theme::Role;
use droidmux_proto::StepSubject;
use droidmux_words::figure;
use ratatui::layout::{Position, Rect};

/// The commands.
pub(super) fn palette(
    app: &App,
    painter: &mut Painter<'_>,
    title: &str,
    input: &Prompt,
    list: List,
) -> Option<Position> {
    let found = palette_rows(app, input.value());
    let inside = open(painter, centred(body(app), 100, height(found.len(), 3).clamp(6, 24)), title);
    let cursor = draw_input(painter, Rect { height: 1, ..padded(inside) }, "> ", input);
    rows(painter, below_input(inside), list, found.len(), |painter, line, n| {
        if let Some(row) = found.get(n) {
            draw_row(app, painter, line, row);
        }
    });
    cursor
}

/// The steps that people marked.
pub(super) fn bookmarks(app: &App, painter: &mut Painter<'_>, title: &str, list: List) {
    let marks = &app.bookmarks.rows;
    let inside = open(painter, centred(body(app), 80, height(marks.len(), 2).clamp(3, 20)), title);
    rows(painter, inside, list, marks.len(), |painter, line, n| {
        let Some(mark) = marks.get(n) else { return };
        let place = format!("{:<6}{:>9}  ", mark.session.to_string(), figure::thousands(mark.seq));
        let pieces = [(place.as_str(), Role::Strong), (mark.words.as_str(), Role::Text)];
        painter.pieces(line.x, line.y, line.width, &pieces);
    });
}

/// The devices on which a test can be stepped through.
pub(super) fn devices(
    app: &App,
    painter: &mut Painter<'_>,
    title: &str,
    subject: &StepSubject,
    (input, list): (&Prompt, List),
) -> Option<Position> {
    let choices = Choice::matching(input.value(), &offered(app));
    let inside = open(painter, centred(body(app), 76, height(choices.len(), 4).clamp(5, 20)), title);
    let cursor = draw_input(painter, Rect { height: 1, ..padded(inside) }, "> ", input);
    let keys = format!("enter steps through {subject}, esc does not; type to filter");
    painter.text(inside.x + 1, inside.bottom() - 1, inside.width, &keys, Role::Dim);
    let below = Rect { y: inside.y + 1, height: inside.height.saturating_sub(2), ..inside };
    draw_choices(painter, below, &choices, list);
    cursor
}

/// What can be recorded, and where.
pub(super) fn recording(
    app: &App,
    painter: &mut Painter<'_>,
    title: &str,
    form: &RecordingForm,
) -> Option<Position> {
    let choices = form.choices(app);
    let inside = open(painter, centred(body(app), 76, height(choices.len(), 3).clamp(6, 20)), title);
    let cursor = draw_input(painter, Rect { height: 1, ..padded(inside) }, "> ", &form.input);
    draw_choices(painter, below_input(inside), &choices, form.list);
    cursor
}

/// The height of so many rows and what is around them.
fn height(rows: usize, around: u16) -> u16 {
    u16::try_from(rows).unwrap_or(u16::MAX).saturating_add(around)
}

/// What is left of a dialog below the line that is typed into.
fn below_input(inside: Rect) -> Rect {
    Rect { y: inside.y + 1, height: inside.height.saturating_sub(1), ..inside }
}

fn draw_choices(painter: &mut Painter<'_>, area: Rect, choices: &[Choice], list: List) {
    rows(painter, area, list, choices.len(), |painter, line, n| {
        let Some(choice) = choices.get(n) else { return };
        let name = format!("{:<20} ", choice.name);
        let pieces = [(name.as_str(), Role::Strong), (choice.words.as_str(), Role::Text)];
        painter.pieces(line.x, line.y, line.width, &pieces);
    });
}

fn draw_row(app: &App, painter: &mut Painter<'_>, line: Rect, row: &PaletteRow) {
    let command = row.command;
    let (name, keys) = match (&row.argument, command::argument(command)) {
        (Some(value), _) => (format!("{} {value}", command.name), String::new()),
        (None, Some(argument)) => (format!("{} {}", command.name, argument.name), keys(app, command)),
        (None, None) => (command.name.to_owned(), keys(app, command)),
    };
    let cells =
        [(name.as_str(), 22, Role::Strong), (keys.as_str(), 18, Role::Key), (command.what, 200, Role::Text)];
    let mut x = line.x;
    for (text, width, role) in cells {
        let room = line.right().saturating_sub(x).min(width);
        painter.text(x, line.y, room.saturating_sub(1), text, role);
        x += room;
    }
}
