//! The oracles' verdicts of a session.

use ratatui::layout::Rect;

use super::{Pane, position, row};
use crate::app::App;
use crate::columns::{Column, left, place};
use crate::paint::Painter;
use crate::theme::Role;

const COLUMNS: [Column; 4] = [
    left("verdict", 12, 14, 0),
    left("test", 6, 9, 2),
    left("oracle", 6, 8, 3),
    left("what was seen", 16, 200, 0),
];

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Verdicts;
    let session = &app.session;
    let len = session.verdict_log.len();
    let inside = painter.pane(frame, "Verdicts", &position(session.verdicts.cursor, len), focused);
    let rows = Pane::Verdicts.rows(frame);
    if len == 0 {
        return painter.notice(inside, "No verdict yet.");
    }
    let placed = place(&COLUMNS, rows.width);
    placed.headings(painter, &COLUMNS, Rect { height: 1, ..inside });
    for (n, index) in session.verdicts.visible(len, rows.height).enumerate() {
        let line = row(rows, n as u64);
        if let Some(verdict) = session.verdict_log.get(index) {
            let (sign, role) = match verdict.outcome.as_str() {
                "pass" => (painter.glyphs.good, Role::Good),
                "violation" => (painter.glyphs.bad, Role::Bad),
                _ => (painter.glyphs.unsure, Role::Warn),
            };
            let cells = [
                (format!("{sign} {}", verdict.outcome), role),
                (format!("{}/{}", verdict.slot, verdict.test), Role::Dim),
                (verdict.oracle.clone(), Role::Dim),
                (verdict.title.clone(), Role::Text),
            ];
            placed.cells(painter, &COLUMNS, line, &cells);
        }
        if index == session.verdicts.cursor {
            painter.select(line, focused);
        }
    }
}
