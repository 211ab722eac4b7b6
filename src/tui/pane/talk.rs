//! The transcript of the Session screen: the latest exchanges with the language model, and below them
//! the questions that are being answered. The Transcripts screen has all of it; both share the cursor.

use ratatui::layout::Rect;

use super::{Pane, asking, exchanges, inner, row};
use crate::app::App;
use crate::columns::{Column, left, place, right};
use crate::glyphs::Glyphs;
use crate::paint::Painter;
use crate::text;
use crate::theme::Role;
use droidmux_proto::{AskingView, ExchangeView, ModelView};
use droidmux_words::figure::{count, money, thousands};

const AGENT: usize = 2;
const STATE: usize = 3;
const REPLY: usize = 5;
const COLUMNS: [Column; 6] = [
    right("#", 4, 8, 3),
    left("job", 4, 8, 2),
    left("agent", 9, 14, 0),
    left("state", 10, 10, 0),
    right("cost", 6, 9, 4),
    left("reply", 14, 200, 0),
];

/// Inner heights from which there are headings, and room for a second open question.
const HEADED: u16 = 5;
const ROOMY: u16 = 9;

/// Width of the frame below which the state is a sign alone.
const NARROW: u16 = 60;

/// In a narrow pane the reply matters more than anything else.
fn columns(narrow: bool) -> [Column; 6] {
    let mut columns = COLUMNS;
    if narrow {
        columns[AGENT].most = columns[AGENT].least;
        columns[STATE] = left("", 1, 1, 0);
        columns[REPLY].least = 20;
    }
    columns
}

pub fn heading_height(inner: Rect) -> u16 {
    u16::from(inner.height >= HEADED)
}

/// Lines kept for open questions whether there are any or not: nothing jumps when one is answered.
pub fn open_height(inner: Rect) -> u16 {
    1 + u16::from(inner.height >= ROOMY)
}

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let Some(session) = app.current_session() else { return };
    let model = &session.model;
    let screen = &app.transcripts;
    let focused = app.focus() == Pane::Talk;
    let len = screen.lines.len();
    let narrow = frame.width < NARROW;
    let inside = painter.pane(frame, &title(app, model), &note(model, narrow), focused);
    let rows = Pane::Talk.rows(frame);
    let columns = columns(narrow);
    let placed = place(&columns, rows.width);
    if heading_height(inner(frame)) > 0 {
        placed.headings(painter, &columns, Rect { height: 1, ..inside });
    }
    let visible = screen.list.visible(len, rows.height);
    let exchanges = (0..).zip(visible.clone());
    for (n, exchange) in exchanges.filter_map(|(n, index)| Some((n, screen.lines.get(index)?))) {
        let cells = exchange_cells(exchange, painter.glyphs, narrow);
        placed.cells(painter, &columns, row(rows, n), &cells);
    }
    if len == 0 {
        painter.notice(rows, "Nothing was asked of a language model yet.");
    } else if visible.contains(&screen.list.cursor) {
        painter.select(row(rows, screen.list.cursor - visible.start), focused);
    }
    let below = (rows.bottom()..inside.bottom()).map(|y| Rect { y, height: 1, ..rows });
    for (line, open) in below.zip(&model.asking) {
        let room = placed.cell(line, REPLY).map_or(0, |cell| cell.width);
        let cells = open_cells(open, painter.glyphs, narrow, room);
        placed.cells(painter, &columns, line, &cells);
    }
}

/// Who answers, and whose exchanges are shown when not all are.
fn title(app: &App, model: &ModelView) -> String {
    let whose = app.transcripts.agent.map(|agent| format!(", {} only", agent.name())).unwrap_or_default();
    format!("Transcript: {}{whose}", text::safe(&model.name))
}

fn note(model: &ModelView, narrow: bool) -> String {
    let cost = format!("cost {}", money(model.spent.cost));
    if narrow { cost } else { format!("{}  {cost}", count(model.exchanges, "exchange")) }
}

fn state(sign: &str, word: &str, narrow: bool) -> String {
    if narrow { sign.to_owned() } else { format!("{sign} {word}") }
}

fn exchange_cells(exchange: &ExchangeView, glyphs: &Glyphs, narrow: bool) -> [(String, Role); 6] {
    let role = exchanges::role(exchange);
    let (sign, word) = match role {
        Role::Bad => (glyphs.bad, "no reply"),
        _ if exchange.differs => (glyphs.unsure, "differs"),
        Role::Warn => (glyphs.unsure, "retried"),
        _ => (glyphs.good, "answered"),
    };
    let state_role = if role == Role::Text { Role::Good } else { role };
    [
        (thousands(exchange.seq), Role::Dim),
        (exchange.slot.to_string(), Role::Dim),
        (exchange.agent.name().to_owned(), Role::Accent),
        (state(sign, word, narrow), state_role),
        (money(exchange.cost), Role::Dim),
        (exchange.headline.clone(), role),
    ]
}

/// A question that is being answered; `room` cells for the reply.
fn open_cells(open: &AskingView, glyphs: &Glyphs, narrow: bool, room: u16) -> [(String, Role); 6] {
    [
        (String::new(), Role::Dim),
        (open.slot.to_string(), Role::Dim),
        (open.agent.name().to_owned(), Role::Accent),
        (state(glyphs.ellipsis, "asked", narrow), Role::Dim),
        (String::new(), Role::Dim),
        asking::said(open, room),
    ]
}
