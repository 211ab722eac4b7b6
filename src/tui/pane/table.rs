//! The findings of all sessions, for triage.

use ratatui::layout::Rect;

use super::{Pane, position, resized, row};
use crate::app::{App, FindingsScreen, Row};
use crate::columns::{Column, Placed, fitted, left, place, right, sized};
use crate::glyphs::Glyphs;
use crate::paint::Painter;
use crate::text;
use crate::theme::Role;
use crate::words;
use droidmux_proto::FindingView;
use droidmux_record::{FindingState, Tier, TierCounts};
use droidmux_words::figure::{self, thousands};

const COLUMNS: [Column; 12] = [
    left("", 1, 1, 0),
    right("rank", 4, 5, 3),
    left("state", 13, 13, 0),
    left("replays", 7, 8, 1),
    right("seen", 4, 7, 6),
    left("finding", 12, 14, 2),
    left("technique", 11, 22, 4),
    left("app", 8, 24, 5),
    left("what is wrong", 32, 200, 0),
    left("harm", 8, 14, 6),
    right("like it", 7, 7, 8),
    right("sessions", 8, 8, 9),
];

/// The column of the app.
const APP: usize = 7;

/// Frames narrower than this tell the other tiers by the beginnings of their names.
const NARROW: u16 = 70;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Table;
    let screen = &app.findings;
    let len = screen.shown.len() as u64;
    let filtered = match screen.filter.as_str() {
        "" => String::new(),
        filter => format!("filter “{filter}” shows {len}  "),
    };
    let picked = match screen.picked.len() {
        0 => String::new(),
        n => format!("{n} picked  "),
    };
    let sorted = match (screen.sort.is_usual(), screen.sort.reversed) {
        (true, _) => String::new(),
        (false, false) => format!("by {}  ", screen.sort.by.column()),
        (false, true) => format!("by {}, reversed  ", screen.sort.by.column()),
    };
    let column = resized(screen.column);
    let note = format!("{column}{picked}{sorted}{filtered}{}", position(screen.table.cursor, len));
    let inside = painter.pane(frame, &title(screen, frame.width), &note, focused);
    let rows = Pane::Table.rows(frame);
    if len == 0 {
        return painter.notice(inside, &nothing(screen));
    }
    let (columns, placed, cells) = laid_out(screen, rows.width, painter.glyphs);
    placed.headings_with(painter, &columns, Rect { height: 1, ..inside }, screen.column);
    for (n, index) in screen.table.visible(len, rows.height).enumerate() {
        let line = row(rows, n as u64);
        match usize::try_from(index).ok().and_then(|n| screen.shown.get(n)) {
            Some(Row::Finding(number)) => {
                let Some(mut cells) = cells.get(*number).cloned() else { continue };
                // The end of a package tells apps apart.
                let room = placed.cell(line, APP).map_or(0, |cell| usize::from(cell.width));
                cells[APP].0 = text::tail(&cells[APP].0, room).to_owned();
                placed.cells(painter, &columns, line, &cells);
            }
            Some(Row::Explanation { words, count, open }) => {
                let sign = if *open { "-" } else { "+" };
                let text = format!(" {sign} {words}: {}", figure::count(*count, "finding"));
                painter.text(line.x, line.y, line.width, &text, Role::Strong);
            }
            None => continue,
        }
        if index == screen.table.cursor {
            painter.select(line, focused);
        }
    }
}

type Cells = [(String, Role); 12];

fn laid_out(screen: &FindingsScreen, width: u16, glyphs: &Glyphs) -> ([Column; 12], Placed, Vec<Cells>) {
    let shared = text::shared_parts(screen.rows.iter().map(|row| row.app.as_str()));
    let rows_of = screen.rows.iter().enumerate();
    let cells: Vec<_> = rows_of.map(|(n, row)| cells(screen, n, row, shared, glyphs)).collect();
    let columns = sized(&fitted(&COLUMNS, &cells), &screen.widths);
    let placed = place(&columns, width);
    (columns, placed, cells)
}

/// The titles of the columns, with the widths of those that are shown in this many cells.
pub fn columns(app: &App, width: u16) -> Vec<(&'static str, Option<u16>)> {
    let (columns, placed, _) = laid_out(&app.findings, width, app.glyphs);
    let named = columns.iter().enumerate().filter(|(_, column)| !column.title.is_empty());
    named.map(|(n, column)| (column.title, placed.width(n))).collect()
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

/// Why there are no rows.
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

fn cells(
    screen: &FindingsScreen,
    number: usize,
    finding: &FindingView,
    shared: usize,
    glyphs: &Glyphs,
) -> Cells {
    let (sign, word, mark_role) = words::mark(finding.state, glyphs);
    let (replays, replays_role) = words::confirmation(&finding.confirmation, glyphs);
    let settled = matches!(finding.state, FindingState::FalseAlarm | FindingState::Duplicate);
    let others: Vec<_> = screen.groups.others(number).iter().filter_map(|n| screen.rows.get(*n)).collect();
    let found = others.iter().filter(|row| row.replays.is_none());
    let seen = found.clone().map(|row| row.occurrences).fold(finding.occurrences, u64::saturating_add);
    let sessions = 1 + found.count();
    let technique = match finding.oracle == finding.technique {
        true => finding.technique.clone(),
        false => format!("{} {}", finding.technique, finding.oracle),
    };
    let rank = screen.groups.rank(number).unwrap_or(finding.rank.into());
    let few = |count: usize, words: String| if count == 0 { String::new() } else { words };
    [
        (if screen.picked.contains(&finding.id) { "*".into() } else { String::new() }, Role::Accent),
        (rank.to_string(), Role::Dim),
        (format!("{sign} {word}"), mark_role),
        (replays, replays_role),
        (thousands(seen), Role::Text),
        (finding.id.to_string(), Role::Accent),
        (technique, Role::Dim),
        (text::after_parts(&finding.app, shared).to_owned(), Role::Dim),
        (finding.title.clone(), if settled { Role::Dim } else { Role::Text }),
        (finding.harm.words().to_owned(), words::tier_role(finding.tier)),
        (if finding.members == 0 { String::new() } else { format!("+{}", finding.members) }, Role::Dim),
        (few(sessions - 1, sessions.to_string()), Role::Dim),
    ]
}
