//! What the lab reported.

use ratatui::layout::Rect;

use super::{Pane, position, row};
use crate::app::App;
use crate::paint::Painter;
use crate::text::{safe, width, wrap};
use crate::theme::Role;
use droidmux_proto::{LogLevel, LogRow};
use droidmux_words::figure::{clock, thousands};

/// How many rows below the list show the whole of the line under the cursor, if there is room for both.
const WHOLE: u16 = 3;
const ROOMY: u16 = 16;

/// How many rows of the pane are kept for it.
pub fn whole_height(inside: Rect) -> u16 {
    if inside.height >= ROOMY { WHOLE } else { 0 }
}

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let log = &app.log;
    let len = log.rows.len();
    let follows = if log.follows { "following" } else { "f follows" };
    let mut notes = vec![log.narrowed(), position(log.list.cursor, len), follows.to_owned()];
    notes.retain(|note| !note.is_empty());
    let focused = app.focus() == Pane::Log;
    let inside = painter.pane(frame, "Log", &notes.join("  "), focused);
    if len == 0 {
        let words = match log.narrowed().as_str() {
            "" => "Nothing was reported yet.".to_owned(),
            narrowed => format!("Nothing to show: {narrowed}. Esc shows all lines."),
        };
        return painter.notice(inside, &words);
    }
    let rows = Pane::Log.rows(frame);
    for (n, index) in log.list.visible(len, rows.height).enumerate() {
        let line = row(rows, n as u64);
        match log.rows.get(index) {
            Some(entry) => draw_row(painter, line, entry),
            None => {
                let width = line.width.saturating_sub(1);
                painter.text(line.x + 1, line.y, width, &thousands(index), Role::Dim);
            }
        }
        if index == log.list.cursor {
            painter.select(line, focused);
        }
    }
    if let Some(entry) = log.selected() {
        let below =
            Rect { y: rows.bottom(), height: inside.bottom().saturating_sub(rows.bottom()), ..inside };
        draw_whole(painter, below, entry);
    }
}

/// The line under the cursor, if its row cuts it off.
fn draw_whole(painter: &mut Painter<'_>, below: Rect, row: &LogRow) {
    let text = safe(&row.line.text);
    let room = usize::from(below.width.saturating_sub(2));
    // Time, level and source stand before it.
    if width(&text) + width(&safe(&row.line.source)) + 20 <= room {
        return;
    }
    let lines = wrap(&text, room);
    for (y, line) in (below.top()..below.bottom()).zip(&lines) {
        painter.text(below.x + 1, y, below.width.saturating_sub(2), line, Role::Dim);
    }
}

/// Repetitions stand at the right edge, where a long text does not push them away.
fn draw_row(painter: &mut Painter<'_>, line: Rect, LogRow { line: entry, times, last_ms }: &LogRow) {
    let (word, role) = match entry.level {
        LogLevel::Info => ("info ", Role::Dim),
        LogLevel::Warn => ("warn ", Role::Warn),
        LogLevel::Error => ("error", Role::Bad),
    };
    let time = format!("{} ", clock(entry.at_ms));
    let source = match safe(&entry.source).as_ref() {
        "" => " lab  ".into(),
        source => format!(" {source}  "),
    };
    let text_role = if entry.level == LogLevel::Info { Role::Text } else { role };
    let repeated = match times {
        0 | 1 => String::new(),
        // Repetitions within a second have one time.
        times if clock(*last_ms) == clock(entry.at_ms) => format!(" {}{times}", painter.glyphs.times),
        times => format!(" {}{times} until {}", painter.glyphs.times, clock(*last_ms)),
    };
    let pieces = [
        (time.as_str(), Role::Dim),
        (word, role),
        (source.as_str(), Role::Accent),
        (entry.text.as_str(), text_role),
    ];
    let used = u16::try_from(width(&repeated)).unwrap_or(0);
    let room = line.width.saturating_sub(1);
    painter.pieces(line.x + 1, line.y, room.saturating_sub(used + 1), &pieces);
    if used > 0 {
        painter.right(Rect { width: room, ..line }, &repeated, Role::Key);
    }
}
