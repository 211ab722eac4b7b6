//! What the lab reported.

use ratatui::layout::Rect;

use super::{Pane, position, row};
use crate::proto::LogLevel;
use crate::tui::app::App;
use crate::tui::paint::Painter;
use crate::tui::text::{clock, thousands};
use crate::tui::theme::Role;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let len = app.log_lines.len();
    let follows = if app.log_follows { "following" } else { "f follows" };
    let note = format!("{}  {follows}", position(app.log.cursor, len));
    let inside = painter.pane(frame, "Log", &note, true);
    if len == 0 {
        return painter.notice(inside, "Nothing was reported yet.");
    }
    let rows = Pane::Log.rows(frame);
    for (n, index) in app.log.visible(len, rows.height).enumerate() {
        let line = row(rows, n as u64);
        let width = line.width.saturating_sub(1);
        match app.log_lines.get(index) {
            Some(entry) => {
                let (word, role) = match entry.level {
                    LogLevel::Info => ("info ", Role::Dim),
                    LogLevel::Warn => ("warn ", Role::Warn),
                    LogLevel::Error => ("error", Role::Bad),
                };
                let time = format!("{} ", clock(entry.at_ms));
                let source = match entry.source.as_str() {
                    "" => " lab  ".into(),
                    source => format!(" {source}  "),
                };
                let text_role = if entry.level == LogLevel::Info { Role::Text } else { role };
                let pieces = [
                    (time.as_str(), Role::Dim),
                    (word, role),
                    (source.as_str(), Role::Accent),
                    (entry.text.as_str(), text_role),
                ];
                painter.pieces(line.x + 1, line.y, width, &pieces);
            }
            None => drop(painter.text(line.x + 1, line.y, width, &thousands(index), Role::Dim)),
        }
        if index == app.log.cursor {
            painter.select(line, true);
        }
    }
}
