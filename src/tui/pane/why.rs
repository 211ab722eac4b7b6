//! Why the selected finding is called a violation.

use ratatui::layout::Rect;

use super::{Pane, position};
use crate::tui::app::App;
use crate::tui::paint::Painter;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Why;
    let screen = &app.findings;
    let len = screen.why_lines.len() as u64;
    let rows = Pane::Why.rows(frame);
    let note = if len > u64::from(rows.height) { position(screen.why.offset, len) } else { String::new() };
    let title = match screen.selected() {
        Some(row) => format!("Why {}", row.id),
        None => "Why".into(),
    };
    let inside = painter.pane(frame, &title, &note, focused);
    if screen.why_lines.is_empty() {
        let text =
            if screen.selected().is_some() { "Fetching the finding." } else { "No finding is selected." };
        return painter.notice(inside, text);
    }
    let from = usize::try_from(screen.why.offset).unwrap_or(0);
    painter.lines(rows, screen.why_lines.iter().skip(from).map(Vec::as_slice));
}
