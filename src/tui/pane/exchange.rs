//! One exchange in full.

use ratatui::layout::Rect;

use super::{Pane, position};
use crate::tui::app::App;
use crate::tui::paint::Painter;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Exchange;
    let screen = &app.transcripts;
    let len = screen.text_lines.len() as u64;
    let rows = Pane::Exchange.rows(frame);
    let note = if len > u64::from(rows.height) { position(screen.text.offset, len) } else { String::new() };
    let title = match screen.detail() {
        Some(detail) => format!("{} {}", detail.line.agent.name(), detail.line.slot),
        None => "Exchange".into(),
    };
    let inside = painter.pane(frame, &title, &note, focused);
    if screen.text_lines.is_empty() {
        let text = match screen.lines.len() {
            0 => "No exchange is selected.",
            _ => "Fetching the exchange.",
        };
        return painter.notice(inside, text);
    }
    let from = usize::try_from(screen.text.offset).unwrap_or(0);
    painter.lines(rows, screen.text_lines.iter().skip(from).map(Vec::as_slice));
}
