//! Why the selected finding is called a violation.

use ratatui::layout::Rect;

use super::{Pane, TextPane};
use crate::app::App;
use crate::paint::Painter;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let screen = &app.findings;
    let (title, nothing) = match screen.selected() {
        Some(row) => (format!("Why {}", row.id), "Fetching the finding."),
        None => ("Why".into(), "No finding is selected."),
    };
    let text =
        TextPane { pane: Pane::Why, title: &title, list: &screen.why, lines: &screen.why_lines, nothing };
    text.draw(app, painter, frame);
}
