//! One exchange in full.

use ratatui::layout::Rect;

use super::{Pane, TextPane};
use crate::app::App;
use crate::paint::Painter;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let screen = &app.transcripts;
    let title = match screen.detail() {
        Some(detail) => format!("{} {}", detail.line.agent.name(), detail.line.slot),
        None => "Exchange".into(),
    };
    let nothing = if screen.lines.len() == 0 { "No exchange is selected." } else { "Fetching the exchange." };
    let text = TextPane {
        pane: Pane::Exchange,
        title: &title,
        list: &screen.text,
        lines: &screen.text_lines,
        nothing,
    };
    text.draw(app, painter, frame);
}
