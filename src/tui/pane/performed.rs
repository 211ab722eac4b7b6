//! What was performed: the events that lead to the function, then its own.

use ratatui::layout::Rect;

use super::{Pane, position, row};
use crate::app::App;
use crate::paint::Painter;
use crate::theme::Role;

/// Cells for the number of an event.
const NUMBER: u16 = 6;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Performed;
    let list = app.recorder.performed;
    let len = app.len(Pane::Performed);
    let inside = painter.pane(frame, "Performed", &position(list.cursor, len), focused);
    let Some(view) = app.recorder.view.as_ref().filter(|view| !view.events.is_empty()) else {
        let words = match app.recorder.view {
            None => "",
            Some(_) => {
                "Bring the app to where the function begins, press B, perform it, mark the data, press f."
            }
        };
        return painter.notice(inside, words);
    };
    let begins = u64::from(view.begins);
    let rows = Pane::Performed.rows(frame);
    for (n, index) in list.visible(len, rows.height).enumerate() {
        let Some(words) = usize::try_from(index).ok().and_then(|n| view.events.get(n)) else { continue };
        let line = row(rows, n as u64);
        let (number, role) = match index.checked_sub(begins) {
            Some(own) => (format!("{:>4}", own + 1), Role::Text),
            None => ("lead".to_owned(), Role::Dim),
        };
        painter.text(line.x + 1, line.y, NUMBER, &number, Role::Accent);
        let x = line.x + 1 + NUMBER;
        painter.text(x, line.y, line.right().saturating_sub(x), words, role);
        if index == list.cursor {
            painter.select(line, focused);
        }
    }
}
