//! The screen on the device beside the one that was recorded at this place of the test.

use ratatui::layout::Rect;

use super::{Pane, compare, difference};
use crate::app::App;
use crate::paint::Painter;
use crate::theme::Role;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Beside;
    let inside = painter.pane(frame, "Beside the recorded screen", "", focused);
    let rows = Pane::Beside.rows(frame);
    let Some(half) = app.beside_half() else {
        let words = match app.stepper.view.as_ref().and_then(|view| view.live) {
            Some(_) => "No screen was recorded at this place of the test.",
            None => "No screen yet.",
        };
        return painter.notice(inside, words);
    };
    let head = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), height: 1, ..inside };
    painter.text(head.x, head.y, head.width, &difference::told(&half), Role::Strong);
    let from = usize::try_from(app.stepper.beside.offset).unwrap_or(0);
    compare::draw_half(app, painter, rows, &half, from);
}
