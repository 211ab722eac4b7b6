//! The states that a session has mined, a line each.

use ratatui::layout::Rect;

use super::{Pane, position, row};
use crate::app::App;
use crate::columns::{Column, left, place, right};
use crate::paint::Painter;
use crate::theme::Role;
use droidmux_proto::StateView;
use droidmux_words::figure::thousands;

const COLUMNS: [Column; 5] = [
    left("state", 18, 60, 0),
    right("visits", 6, 9, 0),
    right("events", 6, 7, 2),
    right("untried", 7, 7, 1),
    right("way", 4, 6, 3),
];

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::States;
    let screen = &app.map;
    let len = app.len(Pane::States);
    let more = screen.map.as_ref().map_or(0, |map| map.more_states);
    let more = if more > 0 { format!("  {} more", thousands(more)) } else { String::new() };
    let filter = if screen.filter.is_empty() { String::new() } else { format!("/{}  ", screen.filter) };
    let note = format!("{filter}{}  {}{more}", screen.order.name(), position(screen.list.cursor, len));
    let inside = painter.pane(frame, "States", &note, focused);
    let Some(map) = &screen.map else {
        let text = match app.current_session() {
            Some(_) => "The model is being put together.",
            None => "There is no session.",
        };
        return painter.notice(inside, text);
    };
    if len == 0 {
        let text = if map.states.is_empty() { "Nothing was mined yet." } else { "No state matches." };
        return painter.notice(inside, text);
    }
    let rows = Pane::States.rows(frame);
    let placed = place(&COLUMNS, rows.width);
    placed.headings(painter, &COLUMNS, Rect { height: 1, ..inside });
    for (n, index) in screen.list.visible(len, rows.height).enumerate() {
        let line = row(rows, n as u64);
        let number = usize::try_from(index).ok().and_then(|index| screen.shown.get(index));
        if let Some(state) = number.and_then(|number| map.state(*number)) {
            placed.cells(painter, &COLUMNS, line, &cells(state));
        }
        if index == screen.list.cursor {
            painter.select(line, focused);
        }
    }
}

fn cells(state: &StateView) -> [(String, Role); 5] {
    let way = state.way.as_ref().map_or_else(|| "–".to_owned(), |way| thousands(way.len() as u64));
    let untried = if state.untried > 0 { Role::Strong } else { Role::Dim };
    [
        (state.name(), if state.activity.is_empty() { Role::Dim } else { Role::Text }),
        (thousands(state.visits), Role::Text),
        (thousands(state.offers.into()), Role::Dim),
        (thousands(state.untried.into()), untried),
        (way, Role::Dim),
    ]
}
