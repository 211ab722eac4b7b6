//! The two lanes of a stepped test: the seed's events beside the test's.

use ratatui::layout::Rect;

use super::{Pane, position, row};
use crate::app::App;
use crate::paint::Painter;
use crate::theme::Role;
use droidmux_proto::{RowOrigin, RowState, StepRow};

/// Cells for the signs before the events, and for what became of them.
const SIGNS: u16 = 7;
const STATE: u16 = 14;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Lanes;
    let Some(view) = &app.stepper.view else {
        let inside = painter.pane(frame, "Stepper", "", focused);
        let words = match app.stepper.session {
            None => "No test is led. Press R on a finding (3) to step through it on a device.",
            Some(_) => "Waiting for a device.",
        };
        return painter.notice(inside, words);
    };
    let title = match view.device.as_str() {
        "" => view.name.clone(),
        device => format!("{} on {device}", view.name),
    };
    let list = app.stepper.lanes;
    let inside = painter.pane(frame, &title, &position(list.cursor, view.rows.len() as u64), focused);
    let rows = Pane::Lanes.rows(frame);
    let two = view.rows.iter().any(|row| row.seed.is_some());
    let columns = Columns::new(rows, two);
    let heads = [(columns.seed, "seed"), (columns.event, "test"), (columns.state, "")];
    for (column, head) in heads {
        painter.text(column.0, inside.y, column.1, head, Role::Dim);
    }
    for (n, index) in list.visible(view.rows.len() as u64, rows.height).enumerate() {
        let Some(step) = usize::try_from(index).ok().and_then(|n| view.rows.get(n)) else { continue };
        let line = row(rows, n as u64);
        draw_row(painter, &columns, line, step);
        if index == list.cursor {
            painter.select(line, focused);
        }
    }
}

struct Columns {
    seed: (u16, u16),
    event: (u16, u16),
    state: (u16, u16),
}

impl Columns {
    fn new(rows: Rect, two: bool) -> Self {
        let events = rows.width.saturating_sub(SIGNS + STATE);
        let seed = if two { events / 2 } else { 0 };
        let x = rows.x + SIGNS.min(rows.width);
        Self {
            seed: (x, seed.saturating_sub(1)),
            event: (x + seed, (events - seed).saturating_sub(1)),
            state: (x + events, STATE.min(rows.width)),
        }
    }
}

fn draw_row(painter: &mut Painter<'_>, columns: &Columns, line: Rect, step: &StepRow) {
    let origin = match step.origin {
        RowOrigin::Test => " ",
        RowOrigin::Inserted => "+",
        RowOrigin::Seed => "-",
        RowOrigin::Added => "*",
    };
    let next = if step.state == RowState::Next { ">" } else { " " };
    let number = step.number.map(|number| number.to_string()).unwrap_or_default();
    painter.text(line.x + 1, line.y, SIGNS - 1, &format!("{next}{origin}{number:>3}"), Role::Accent);
    let (words, role) = became(step);
    let event = match step.state {
        RowState::Next => Role::Strong,
        RowState::Skipped => Role::Dim,
        RowState::Done | RowState::Ahead => Role::Text,
    };
    let seed = step.seed.as_deref().unwrap_or_default();
    painter.text(columns.seed.0, line.y, columns.seed.1, seed, Role::Dim);
    painter.text(columns.event.0, line.y, columns.event.1, step.event.as_deref().unwrap_or_default(), event);
    painter.text(columns.state.0, line.y, columns.state.1, words, role);
}

fn became(step: &StepRow) -> (&'static str, Role) {
    match (step.state, step.recorded, step.live) {
        (RowState::Skipped, ..) => ("skipped", Role::Warn),
        (RowState::Done, Some(recorded), Some(live)) if recorded == live => ("as recorded", Role::Good),
        (RowState::Done, Some(_), Some(_)) => ("other screen", Role::Warn),
        (RowState::Done, ..) => ("done", Role::Text),
        (RowState::Next, ..) => ("next", Role::Accent),
        (RowState::Ahead, ..) => ("", Role::Dim),
    }
}
