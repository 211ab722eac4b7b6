//! Dialogs over a screen: help, palette, lines to fill in, questions.
//!
//! ```text
//! ╭ Command ────────────────────────────────────────────╮
//! │ > paus▏                                             │
//! │▌pause          p        Pause the session, or let … │
//! │ …                                                   │
//! ╰─────────────────────────────────────────────────────╯
//! ```

use ratatui::layout::{Position, Rect};
use tui_input::Input;

use crate::proto::Digest;
use crate::tui::app::{App, Dialog, digest, palette_rows};
use crate::tui::command::{self, Command};
use crate::tui::list::List;
use crate::tui::paint::Painter;
use crate::tui::text;
use crate::tui::theme::Role;

/// Draws the open dialog; gives the place of the text cursor.
pub fn draw(app: &App, painter: &mut Painter<'_>) -> Option<Position> {
    let area = super::body(app.area);
    match app.dialog.as_ref()? {
        Dialog::Help(list) => {
            draw_help(app, painter, list);
            None
        }
        Dialog::Digest(digest, list) => {
            draw_digest(app, painter, digest, list);
            None
        }
        Dialog::Palette { input, list } => {
            let rows = palette_rows(app, input.value());
            let height = u16::try_from(rows.len()).unwrap_or(u16::MAX).saturating_add(3).clamp(6, 24);
            let inside = open(painter, super::centred(area, 100, height), "Command");
            let cursor = draw_input(painter, Rect { height: 1, ..padded(inside) }, "> ", input);
            let below = Rect { y: inside.y + 1, height: inside.height.saturating_sub(1), ..inside };
            let mut list = *list;
            list.settle(rows.len() as u64, below.height);
            let from = usize::try_from(list.offset).unwrap_or(0);
            for (y, (n, command)) in (below.top()..below.bottom()).zip(rows.iter().enumerate().skip(from)) {
                let line = Rect { y, height: 1, ..below };
                draw_command(app, painter, line, command);
                if n as u64 == list.cursor {
                    painter.select(line, true);
                }
            }
            cursor
        }
        Dialog::Filter(input) => {
            let line = Rect { y: app.area.bottom().saturating_sub(1), height: 1, ..app.area };
            painter.fill(line, Role::Dialog);
            draw_input(painter, padded(line), "/", input)
        }
        dialog @ Dialog::Note { finding, input, .. } => {
            let inside = open(painter, super::centred(area, 76, 5), dialog.prompt());
            painter.text(
                inside.x + 1,
                inside.y,
                inside.width,
                &format!("{finding}, with a note if you like:"),
                Role::Dim,
            );
            let cursor =
                draw_input(painter, Rect { y: inside.y + 1, height: 1, ..padded(inside) }, "> ", input);
            let keys = "enter marks it, esc leaves it as it is";
            painter.text(inside.x + 1, inside.y + 2, inside.width, keys, Role::Dim);
            cursor
        }
        dialog @ Dialog::Device { finding, input } => {
            let inside = open(painter, super::centred(area, 76, 4), dialog.prompt());
            let cursor = draw_input(painter, Rect { height: 1, ..padded(inside) }, "> ", input);
            let keys = format!("enter steps through {finding}, esc does not");
            painter.text(inside.x + 1, inside.y + 1, inside.width, &keys, Role::Dim);
            cursor
        }
        dialog @ Dialog::Insert(input) => {
            let inside = open(painter, super::centred(area, 76, 4), dialog.prompt());
            let cursor = draw_input(painter, Rect { height: 1, ..padded(inside) }, "> ", input);
            let keys = "enter performs it before the next event, esc does not";
            painter.text(inside.x + 1, inside.y + 1, inside.width, keys, Role::Dim);
            cursor
        }
        dialog @ Dialog::Stop(session) => {
            let inside = open(painter, super::centred(area, 60, 4), dialog.prompt());
            let text = format!("{session} ends cleanly after the acts under way.");
            painter.text(inside.x + 1, inside.y, inside.width, &text, Role::Text);
            painter.text(
                inside.x + 1,
                inside.y + 1,
                inside.width,
                "enter stops it, esc lets it run",
                Role::Dim,
            );
            None
        }
    }
}

/// How far the help can be scrolled.
pub fn help_overflow(app: &App) -> u64 {
    let area = help_area(app);
    let lines = help_lines(app, usize::from(area.width.saturating_sub(4))).len();
    (lines as u64).saturating_sub(u64::from(area.height.saturating_sub(2)))
}

/// How far the digest can be scrolled.
pub fn digest_overflow(app: &App) -> u64 {
    let Some(Dialog::Digest(digest, _)) = &app.dialog else { return 0 };
    let area = help_area(app);
    let lines = digest::lines(digest, app.glyphs, usize::from(area.width.saturating_sub(4))).len();
    (lines as u64).saturating_sub(u64::from(area.height.saturating_sub(2)))
}

fn help_area(app: &App) -> Rect {
    super::centred(super::body(app.area), 110, 46)
}

/// A cell left free at both sides.
fn padded(area: Rect) -> Rect {
    Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area }
}

fn open(painter: &mut Painter<'_>, area: Rect, title: &str) -> Rect {
    painter.fill(area, Role::Dialog);
    painter.pane(area, title, "", true)
}

fn draw_help(app: &App, painter: &mut Painter<'_>, list: &List) {
    let area = help_area(app);
    let inside = open(painter, area, &format!("Keys of the {} screen", app.screen.name()));
    let inside = padded(inside);
    let lines = help_lines(app, usize::from(inside.width));
    let from = usize::try_from(list.offset).unwrap_or(0);
    painter.lines(inside, lines.iter().skip(from).map(Vec::as_slice));
}

fn draw_digest(app: &App, painter: &mut Painter<'_>, digest: &Digest, list: &List) {
    let title = format!("Since you left at {}", text::clock(digest.since_ms));
    let inside = padded(open(painter, help_area(app), &title));
    let lines = digest::lines(digest, app.glyphs, usize::from(inside.width));
    let from = usize::try_from(list.offset).unwrap_or(0);
    painter.lines(inside, lines.iter().skip(from).map(Vec::as_slice));
}

/// The help's lines: what applies on this screen first, then what applies everywhere.
fn help_lines(app: &App, width: usize) -> Vec<Vec<(String, Role)>> {
    let mut lines = Vec::new();
    for problem in &app.problems {
        for line in text::wrap(problem, width) {
            lines.push(vec![(line, Role::Warn)]);
        }
    }
    if app.options.read_only {
        let words = "This viewer may only look: what changes something in the lab is left out.";
        lines.extend(text::wrap(words, width).into_iter().map(|line| vec![(line, Role::Warn)]));
    }
    let mut scope = None;
    for command in command::offered(app).filter(|command| command.scope.is_on(app.screen)) {
        if scope != Some(command.scope) {
            if !lines.is_empty() {
                lines.push(Vec::new());
            }
            lines.push(vec![(command.scope.words(), Role::Accent)]);
            scope = Some(command.scope);
        }
        let keys = format!("{:<22}", text::fit(&keys(app, command), 21, app.glyphs.ellipsis));
        let name = format!("{:<18}", command.name);
        lines.push(vec![(keys, Role::Key), (name, Role::Strong), (command.what.into(), Role::Text)]);
    }
    lines
}

fn keys(app: &App, command: &Command) -> String {
    let keys: Vec<_> = app.keymap.keys(command).iter().map(ToString::to_string).collect();
    keys.join(" ")
}

fn draw_command(app: &App, painter: &mut Painter<'_>, line: Rect, command: &Command) {
    let keys = keys(app, command);
    let cells =
        [(command.name, 18, Role::Strong), (keys.as_str(), 18, Role::Key), (command.what, 200, Role::Text)];
    let mut x = line.x + 1;
    for (text, width, role) in cells {
        let room = line.right().saturating_sub(x).min(width);
        painter.text(x, line.y, room.saturating_sub(1), text, role);
        x += room;
    }
}

/// A line being typed, scrolled so that its cursor is in view.
fn draw_input(painter: &mut Painter<'_>, line: Rect, lead: &str, input: &Input) -> Option<Position> {
    let used = painter.text(line.x, line.y, line.width, lead, Role::Key);
    let room = line.width.saturating_sub(used + 1);
    let scroll = input.visual_scroll(usize::from(room));
    let mut hidden = 0;
    let shown: String = input
        .value()
        .chars()
        .skip_while(|c| {
            let skip = hidden < scroll;
            hidden += text::width(c.encode_utf8(&mut [0; 4]));
            skip
        })
        .collect();
    painter.text(line.x + used, line.y, room, &shown, Role::Strong);
    let column = u16::try_from(input.visual_cursor().saturating_sub(scroll)).unwrap_or(room);
    (line.width > used).then(|| Position::new(line.x + used + column.min(room), line.y))
}
