//! The state under the cursor: the way to it, and where its events led.

use ratatui::layout::Rect;

use super::{Pane, position};
use crate::tui::app::App;
use crate::tui::paint::Painter;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Way;
    let screen = &app.map;
    let rows = Pane::Way.rows(frame);
    let len = screen.text_lines.len() as u64;
    let note = if len > u64::from(rows.height) { position(screen.text.offset, len) } else { String::new() };
    let state = screen.map.as_ref().zip(screen.selected()).and_then(|(map, number)| map.state(number));
    let title = state.map_or_else(|| "State".to_owned(), crate::proto::StateView::name);
    let inside = painter.pane(frame, &title, &note, focused);
    if screen.text_lines.is_empty() {
        return painter.notice(inside, "No state is selected.");
    }
    let from = usize::try_from(screen.text.offset).unwrap_or(0);
    painter.lines(rows, screen.text_lines.iter().skip(from).map(Vec::as_slice));
}
