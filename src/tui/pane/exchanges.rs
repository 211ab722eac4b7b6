//! The exchanges of a session with language models, a line each.

use ratatui::layout::Rect;

use super::{Pane, position, row};
use crate::app::App;
use crate::columns::{Column, left, place, right};
use crate::paint::Painter;
use crate::theme::Role;
use droidmux_proto::ExchangeView;
use droidmux_words::figure::{clock, money, thousands};

const COLUMNS: [Column; 9] = [
    right("#", 4, 8, 0),
    left("time", 8, 8, 2),
    left("job", 4, 8, 3),
    left("agent", 9, 14, 0),
    left("by", 6, 24, 4),
    right("tokens", 6, 9, 5),
    right("cost", 6, 9, 6),
    right("ms", 5, 8, 7),
    left("reply", 16, 200, 0),
];

/// How an exchange went: without a reply, not as it should have, or well.
pub fn role(exchange: &ExchangeView) -> Role {
    match (exchange.failed, exchange.differs || exchange.failed_tries > 0) {
        (true, _) => Role::Bad,
        (false, true) => Role::Warn,
        (false, false) => Role::Text,
    }
}

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Exchanges;
    let screen = &app.transcripts;
    let len = screen.lines.len();
    let whose = screen.agent.map_or("all agents", droidmux_record::Agent::name);
    let follows = if screen.follows { "following" } else { "f follows" };
    let note = format!("{whose}  {}  {follows}", position(screen.list.cursor, len));
    let inside = painter.pane(frame, "Exchanges", &note, focused);
    if len == 0 {
        let asks = app.current_session().is_some_and(|session| !session.model.name.is_empty());
        let text = match asks {
            true => "Nothing was asked of a language model yet.",
            false => "This session asks no language model.",
        };
        return painter.notice(inside, text);
    }
    let rows = Pane::Exchanges.rows(frame);
    let placed = place(&COLUMNS, rows.width);
    placed.headings(painter, &COLUMNS, Rect { height: 1, ..inside });
    for (n, index) in screen.list.visible(len, rows.height).enumerate() {
        let line = row(rows, n as u64);
        if let Some(exchange) = screen.lines.get(index) {
            let role = role(exchange);
            let sign = match role {
                Role::Bad => painter.glyphs.bad,
                Role::Warn => painter.glyphs.unsure,
                _ => " ",
            };
            let cells = [
                (thousands(exchange.seq), Role::Dim),
                (clock(exchange.at_ms), Role::Dim),
                (exchange.slot.to_string(), Role::Dim),
                (exchange.agent.name().to_owned(), Role::Accent),
                (exchange.answered_by.clone(), Role::Dim),
                (thousands(exchange.tokens_in.saturating_add(exchange.tokens_out)), Role::Dim),
                (money(exchange.cost), Role::Dim),
                (thousands(exchange.latency_ms.into()), Role::Dim),
                (format!("{sign} {}", exchange.headline), role),
            ];
            placed.cells(painter, &COLUMNS, line, &cells);
        }
        if index == screen.list.cursor {
            painter.select(line, focused);
        }
    }
}
