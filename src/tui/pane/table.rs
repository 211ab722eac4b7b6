//! The findings of all sessions, for triage.

use ratatui::layout::Rect;

use super::{Pane, position, row};
use crate::proto::FindingView;
use crate::record::FindingState;
use crate::tui::app::App;
use crate::tui::columns::{Column, fitted, left, place, right};
use crate::tui::glyphs::Glyphs;
use crate::tui::paint::Painter;
use crate::tui::text::{self, thousands};
use crate::tui::theme::Role;
use crate::tui::words;

const COLUMNS: [Column; 9] = [
    right("rank", 4, 5, 3),
    left("state", 13, 13, 0),
    left("replays", 7, 8, 1),
    right("seen", 4, 7, 4),
    left("finding", 12, 14, 2),
    left("oracle", 6, 8, 7),
    left("app", 8, 18, 5),
    left("what is wrong", 32, 200, 0),
    left("may be", 8, 22, 6),
];

/// Cells for the app: the end of its package, which tells apps apart.
const APP: usize = 18;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Table;
    let screen = &app.findings;
    let len = screen.shown.len() as u64;
    let filtered = match screen.filter.as_str() {
        "" => String::new(),
        filter => format!("filter “{filter}” shows {len} of {}  ", screen.rows.len()),
    };
    let note = format!("{filtered}{}", position(screen.table.cursor, len));
    let inside = painter.pane(frame, "Findings", &note, focused);
    let rows = Pane::Table.rows(frame);
    if len == 0 {
        let text = match (screen.loaded, screen.rows.is_empty()) {
            (false, _) => "Fetching the findings.",
            (true, true) => "No finding yet.",
            (true, false) => "No finding passes the filter. Esc takes it away.",
        };
        return painter.notice(inside, text);
    }
    let cells: Vec<_> = screen.rows.iter().map(|finding| cells(finding, painter.glyphs)).collect();
    let columns = fitted(&COLUMNS, &cells);
    let placed = place(&columns, rows.width);
    placed.headings(painter, &columns, Rect { height: 1, ..inside });
    for (n, index) in screen.table.visible(len, rows.height).enumerate() {
        let shown = usize::try_from(index).ok().and_then(|n| screen.shown.get(n));
        let Some(cells) = shown.and_then(|n| cells.get(*n)) else { continue };
        let line = row(rows, n as u64);
        placed.cells(painter, &columns, line, cells);
        if index == screen.table.cursor {
            painter.select(line, focused);
        }
    }
}

fn cells(finding: &FindingView, glyphs: &Glyphs) -> [(String, Role); 9] {
    let (sign, word, mark_role) = words::mark(finding.state, glyphs);
    let (replays, replays_role) = words::confirmation(&finding.confirmation, glyphs);
    let settled = matches!(finding.state, FindingState::FalseAlarm | FindingState::Duplicate);
    [
        (finding.rank.to_string(), Role::Dim),
        (format!("{sign} {word}"), mark_role),
        (replays, replays_role),
        (thousands(finding.occurrences), Role::Text),
        (finding.id.to_string(), Role::Accent),
        (finding.oracle.clone(), Role::Dim),
        (text::tail(&finding.app, APP).to_string(), Role::Dim),
        (finding.title.clone(), if settled { Role::Dim } else { Role::Text }),
        (finding.hints.join(", "), Role::Warn),
    ]
}
