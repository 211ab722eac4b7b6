//! Layouts side by side: what differs, and where the seed's effect is missing in the mutant.

use ratatui::layout::Rect;

use super::Pane;
use crate::alignment::{AlignedRow, Difference, Shown};
use crate::app::{App, Half};
use crate::paint::Painter;
use crate::theme::Role;
use crate::words;
use droidmux_gui::{Layout, WidgetId};
use droidmux_words::figure::count;

/// Lines above the rows: the effect, then the titles.
pub const HEAD: u16 = 2;
/// Cells of the signs before a widget.
const SIGNS: u16 = 3;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Compare;
    let screen = &app.findings;
    let effects = screen.effects().len();
    let note = match effects {
        0 => String::new(),
        _ => format!("effect {} of {effects}", screen.effect + 1),
    };
    let inside = painter.pane(frame, "Compare", &note, focused);
    let rows = Pane::Compare.rows(frame);
    let halves = app.halves();
    let sentence = screen.subject().filter(|_| !halves.is_empty());
    let Some(sentence) = sentence else {
        let text = match screen.detail() {
            Some(_) => "There are no layouts to compare.",
            None => "Nothing to compare yet.",
        };
        return painter.notice(inside, text);
    };
    let lead = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), height: 1, ..inside };
    painter.text(lead.x, lead.y, lead.width, &sentence, Role::EffectUnmatched);
    let from = usize::try_from(screen.compare.offset).unwrap_or(0);
    let columns = u16::try_from(halves.len()).unwrap_or(1).max(1);
    for (n, half) in (0u16..).zip(&halves) {
        let left = rows.x + rows.width * n / columns;
        let right = rows.x + rows.width * (n + 1) / columns;
        let gap = u16::from(n + 1 < columns);
        let area = Rect { x: left, width: (right - left).saturating_sub(gap), ..rows };
        draw_half(app, painter, area, half, from);
        if gap == 1 {
            for y in rows.y.saturating_sub(1)..rows.bottom() {
                painter.text(area.right(), y, 1, painter.glyphs.separator, Role::Border);
            }
        }
    }
}

/// A comparison from its row `from` on, with its titles in the line above the area.
pub(super) fn draw_half(app: &App, painter: &mut Painter<'_>, area: Rect, half: &Half, from: usize) {
    let half_width = area.width.saturating_sub(1) / 2;
    let columns = [
        Rect { width: half_width, ..area },
        Rect { x: area.x + half_width + 1, width: area.width.saturating_sub(half_width + 1), ..area },
    ];
    let y = area.y.saturating_sub(1);
    for (column, title) in columns.iter().zip(&half.titles) {
        painter.text(column.x + 1, y, column.width.saturating_sub(1), title, Role::Strong);
    }
    let told = format!(" {} ", half.told);
    painter.right(Rect { y, height: 1, ..columns[1] }, &told, Role::Accent);
    let (left, right) = (app.cache.layout(half.hashes.0), app.cache.layout(half.hashes.1));
    let (Some(left), Some(right), Some(aligned)) = (left, right, &half.aligned) else {
        let absent = |hash| matches!(app.cache.layouts.peek(&hash), Some(None));
        let lost = absent(half.hashes.0) || absent(half.hashes.1);
        let text = if lost { "The lab does not have these layouts." } else { "Fetching the layouts." };
        return painter.notice(area, text);
    };
    for (y, shown) in (area.top()..area.bottom()).zip(half.shown.iter().skip(from)) {
        match shown {
            Shown::Folded(widgets) => {
                let text = format!(" {} {} alike", painter.glyphs.fold, count(*widgets, "widget"));
                painter.text(area.x, y, area.width, &text, Role::Dim);
            }
            Shown::Row(n) => {
                if let Some(row) = aligned.rows.get(*n) {
                    side(painter, Rect { y, height: 1, ..columns[0] }, left, row, row.left, &half.marks[0]);
                    side(painter, Rect { y, height: 1, ..columns[1] }, right, row, row.right, &half.marks[1]);
                }
            }
        }
    }
}

/// Draws one side of a row: signs, then the widget, indented by its depth.
fn side(
    painter: &mut Painter<'_>,
    line: Rect,
    layout: &Layout,
    row: &AlignedRow,
    id: Option<WidgetId>,
    marks: &[(WidgetId, bool)],
) {
    let Some(widget) = id.and_then(|id| layout.get(id)) else { return };
    let (sign, role) = match row.difference {
        Difference::None => (" ", Role::Dim),
        Difference::Deleted => ("-", Role::EffectDeleted),
        Difference::Added => ("+", Role::EffectAdded),
        Difference::Changed => ("~", Role::EffectChanged),
    };
    let mark = marks.iter().find(|(marked, _)| Some(*marked) == id).map(|(_, current)| *current);
    let arrow = match mark {
        Some(true) => painter.glyphs.arrow,
        Some(false) => "!",
        None => " ",
    };
    painter.text(line.x, line.y, 1, arrow, Role::EffectUnmatched);
    painter.text(line.x + 1, line.y, 1, sign, role);
    let depth = u16::try_from(widget.depth()).unwrap_or(u16::MAX);
    let indent = depth.min(line.width.saturating_sub(SIGNS) / 3);
    let x = line.x + SIGNS + indent;
    let cells = Rect { x, width: line.right().saturating_sub(x), ..line };
    let role = match (mark, row.difference) {
        (Some(_), _) => Role::EffectUnmatched,
        (None, Difference::None) => Role::Dim,
        (None, _) => role,
    };
    painter.text(cells.x, cells.y, cells.width, &words::widget(widget), role);
}
