//! The findings of all sessions, for triage.

use ratatui::layout::Rect;

use super::{Pane, position, row};
use crate::proto::FindingView;
use crate::record::{FindingState, Tier, TierCounts};
use crate::tui::app::{App, FindingsScreen, Row};
use crate::tui::columns::{Column, fitted, left, place, right};
use crate::tui::glyphs::Glyphs;
use crate::tui::paint::Painter;
use crate::tui::text::{self, thousands};
use crate::tui::theme::Role;
use crate::tui::words;

const COLUMNS: [Column; 10] = [
    right("rank", 4, 5, 3),
    left("state", 13, 13, 0),
    left("replays", 7, 8, 1),
    right("seen", 4, 7, 4),
    left("finding", 12, 14, 2),
    left("oracle", 6, 8, 7),
    left("app", 8, 18, 5),
    left("what is wrong", 32, 200, 0),
    left("harm", 8, 14, 6),
    right("like it", 7, 7, 8),
];

/// Frames narrower than this tell the other tiers by the beginnings of their names.
const NARROW: u16 = 70;

/// Cells for the app: the end of its package, which tells apps apart.
const APP: usize = 18;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Table;
    let screen = &app.findings;
    let len = screen.shown.len() as u64;
    let filtered = match screen.filter.as_str() {
        "" => String::new(),
        filter => format!("filter “{filter}” shows {len}  "),
    };
    let note = format!("{filtered}{}", position(screen.table.cursor, len));
    let inside = painter.pane(frame, &title(screen, frame.width), &note, focused);
    let rows = Pane::Table.rows(frame);
    if len == 0 {
        return painter.notice(inside, &nothing(screen));
    }
    let cells: Vec<_> = screen.rows.iter().map(|finding| cells(finding, painter.glyphs)).collect();
    let columns = fitted(&COLUMNS, &cells);
    let placed = place(&columns, rows.width);
    placed.headings(painter, &columns, Rect { height: 1, ..inside });
    for (n, index) in screen.table.visible(len, rows.height).enumerate() {
        let line = row(rows, n as u64);
        match usize::try_from(index).ok().and_then(|n| screen.shown.get(n)) {
            Some(Row::Finding(number)) => {
                let Some(cells) = cells.get(*number) else { continue };
                placed.cells(painter, &columns, line, cells);
            }
            Some(Row::Explanation { words, count, open }) => {
                let sign = if *open { "-" } else { "+" };
                let text = format!(" {sign} {words}: {}", text::count(*count, "finding"));
                painter.text(line.x, line.y, line.width, &text, Role::Strong);
            }
            None => continue,
        }
        if index == screen.table.cursor {
            painter.select(line, focused);
        }
    }
}

/// The tiers with their numbers, the one shown in brackets.
fn title(screen: &FindingsScreen, width: u16) -> String {
    let counts = screen.counts();
    let tiers = Tier::ALL.iter().zip([counts.reported, counts.suspicious, counts.explained]);
    let named = tiers.map(|(tier, count)| match *tier == screen.tier {
        true => format!("[{count} {}]", tier.name()),
        false if width < NARROW => format!("{count} {:.4}.", tier.name()),
        false => format!("{count} {}", tier.name()),
    });
    format!("Findings {}", named.collect::<Vec<_>>().join(" "))
}

/// Why there is no row.
fn nothing(screen: &FindingsScreen) -> String {
    let counts = screen.counts();
    let tier = screen.tier.name();
    match (screen.loaded, screen.filter.is_empty()) {
        (false, _) => "Fetching the findings.".into(),
        (true, false) => format!("No {tier} finding passes the filter. Esc takes it away."),
        (true, true) if counts == TierCounts::default() => "No finding yet.".into(),
        (true, true) => format!("Nothing is {tier}; the next tier is one key away."),
    }
}

fn cells(finding: &FindingView, glyphs: &Glyphs) -> [(String, Role); 10] {
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
        (finding.harm.words().to_owned(), words::tier_role(finding.tier)),
        (if finding.members == 0 { String::new() } else { format!("+{}", finding.members) }, Role::Dim),
    ]
}
