//! Dialogs to read, scrolled where they are longer than the screen: the help, and what happened while nobody looked.

use super::{keys, padded};
use crate::app::{App, Dialog, digest as told};
use crate::command;
use crate::list::List;
use crate::paint::Painter;
use crate::screen::{body, centred};
use crate::text;
use crate::theme::Role;
use droidmux_proto::Digest;
use droidmux_words::figure;
use ratatui::layout::Rect;

pub(super) fn help(app: &App, painter: &mut Painter<'_>, list: &List) {
    let area = help_area(app);
    let title = format!("Keys of the {} screen", app.screen.name());
    let inside = open_scrolled(app, painter, area, &title, list.offset, help_overflow(app));
    let lines = help_lines(app, usize::from(inside.width));
    let from = usize::try_from(list.offset).unwrap_or(0);
    painter.lines(inside, lines.iter().skip(from).map(Vec::as_slice));
}

/// Opens a dialog whose text may be longer than the dialog is high: if so, its frame says so, and how to see the rest.
fn open_scrolled(
    app: &App,
    painter: &mut Painter<'_>,
    area: Rect,
    title: &str,
    offset: u64,
    overflow: u64,
) -> Rect {
    painter.fill(area, Role::Dialog);
    let note = match (overflow, offset.min(overflow)) {
        (0, _) => String::new(),
        (_, 0) => format!("{} more below: down", figure::count(overflow, "line")),
        (_, at) if at == overflow => format!("{} more above: up", figure::count(at, "line")),
        (_, at) => format!("{at} more above, {} below: up, down", overflow - at),
    };
    let inside = painter.pane(area, title, &note, true);
    let edge = Rect { x: area.right().saturating_sub(1), width: 1, ..area };
    let (up, down) = (app.glyphs.more_above, app.glyphs.more_below);
    if offset > 0 {
        painter.text(edge.x, area.y + 1, 1, up, Role::Accent);
    }
    if offset < overflow {
        painter.text(edge.x, area.bottom().saturating_sub(2), 1, down, Role::Accent);
    }
    padded(inside)
}

pub(super) fn digest(app: &App, painter: &mut Painter<'_>, digest: &Digest, list: &List) {
    let title = format!("Since you left at {}", figure::clock(digest.since_ms));
    let inside = open_scrolled(app, painter, help_area(app), &title, list.offset, digest_overflow(app));
    let lines = told::lines(digest, app.glyphs, usize::from(inside.width));
    let from = usize::try_from(list.offset).unwrap_or(0);
    painter.lines(inside, lines.iter().skip(from).map(Vec::as_slice));
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
    let lines = told::lines(digest, app.glyphs, usize::from(area.width.saturating_sub(4))).len();
    (lines as u64).saturating_sub(u64::from(area.height.saturating_sub(2)))
}

fn help_area(app: &App) -> Rect {
    centred(body(app), 110, 46)
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
