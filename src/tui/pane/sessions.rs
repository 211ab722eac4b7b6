//! The sessions as a table: one line per session.

use ratatui::layout::Rect;

use super::{Pane, position, resized, row, tile};
use crate::app::App;
use crate::columns::{Column, Placed, fitted, left, place, right, sized};
use crate::paint::Painter;
use crate::text;
use crate::theme::Role;
use crate::words;
use droidmux_proto::SessionView;
use droidmux_words::figure::{self, thousands};

const COLUMNS: [Column; 12] = [
    left("state", 9, 22, 0),
    left("session", 7, 7, 0),
    left("technique", 9, 12, 4),
    left("app", 10, 30, 1),
    left("phase", 8, 26, 7),
    right("done", 5, 5, 2),
    right("left", 7, 9, 5),
    right("steps/min", 9, 9, 6),
    right("devices", 7, 7, 8),
    right("reported", 8, 8, 0),
    right("suspicious", 10, 10, 9),
    right("cost", 6, 10, 10),
];

/// Cells for the app: the end of its package, which tells apps apart.
const APP: usize = 30;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Sessions;
    let len = app.lab.shown.len() as u64;
    let note = format!("{}{}{}", resized(app.lab.column), tile::note(app), position(app.tiles.cursor, len));
    let inner = painter.pane(frame, "Sessions", &note, focused);
    let rows = Pane::Sessions.rows(frame);
    if len == 0 {
        return painter.notice(inner, tile::nothing(app));
    }
    let (columns, placed, cells) = laid_out(app, rows.width);
    placed.headings_with(painter, &columns, Rect { height: 1, ..inner }, app.lab.column);
    for (n, index) in app.tiles.visible(len, rows.height).enumerate() {
        let Some(cells) = usize::try_from(index).ok().and_then(|index| cells.get(index)) else { continue };
        let line = row(rows, n as u64);
        placed.cells(painter, &columns, line, cells);
        if index == app.tiles.cursor {
            painter.select(line, focused);
        }
    }
}

type Cells = [(String, Role); 12];

fn laid_out(app: &App, width: u16) -> ([Column; 12], Placed, Vec<Cells>) {
    let len = app.lab.shown.len() as u64;
    let cells: Vec<_> = (0..len).filter_map(|row| app.session_at(row)).map(|one| cells(app, one)).collect();
    let columns = sized(&fitted(&COLUMNS, &cells), &app.lab.arrangement.widths);
    let placed = place(&columns, width);
    (columns, placed, cells)
}

/// The titles of the columns, with the widths of those that are shown in this many cells.
pub fn columns(app: &App, width: u16) -> Vec<(&'static str, Option<u16>)> {
    let (columns, placed, _) = laid_out(app, width);
    columns.iter().enumerate().map(|(n, column)| (column.title, placed.width(n))).collect()
}

fn cells(app: &App, session: &SessionView) -> Cells {
    let (sign, word, role) = words::state(&session.state, app.glyphs);
    let (stuck, role) = match tile::stuck(app, session) {
        Some(words) => (format!(", {words}"), Role::Warn),
        None => (String::new(), role),
    };
    let done = words::binding(&session.budgets).map(|(_, share)| format!("{:.0} %", share * 100.0));
    let devices = app.view.devices.iter().filter(|device| device.session == Some(session.id)).count();
    let over = session.state.is_over();
    let count = |count: u64, role: Role| (thousands(count), if count == 0 { Role::Dim } else { role });
    let cost = session.model.spent.cost;
    [
        (format!("{sign} {word}{stuck}"), role),
        (session.id.to_string(), Role::Accent),
        (session.technique.name().to_owned(), Role::Dim),
        (text::tail(&session.app, APP).to_owned(), Role::Strong),
        (if over { String::new() } else { session.progress.phase.words.to_string() }, Role::Text),
        (done.unwrap_or_default(), Role::Text),
        (session.left_s.map(figure::duration).unwrap_or_default(), Role::Dim),
        (if over { String::new() } else { format!("{:.1}", session.steps_per_minute) }, Role::Text),
        (if over { String::new() } else { devices.to_string() }, Role::Dim),
        count(session.findings.reported, Role::Bad),
        count(session.findings.suspicious, Role::Warn),
        (if cost == 0 { String::new() } else { figure::money(cost) }, Role::Dim),
    ]
}
