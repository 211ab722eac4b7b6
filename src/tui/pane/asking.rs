//! The questions that are being answered, with the end of each reply as it comes; or those that wait for people.

use ratatui::layout::Rect;

use super::{inner, row};
use crate::app::App;
use crate::paint::Painter;
use crate::text;
use crate::theme::Role;
use droidmux_proto::{AskingView, WaitingView};
use droidmux_words::figure;

/// The most lines, not counting the frame.
const MOST: usize = 4;

/// How many lines there are to show.
pub fn lines(app: &App) -> u16 {
    let open = app.current_session().map_or(0, |session| session.model.asking.len());
    u16::try_from(open.max(app.waiting().len()).min(MOST)).unwrap_or(0)
}

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let waiting = app.waiting();
    if !waiting.is_empty() {
        return draw_waiting(&waiting, painter, frame);
    }
    let Some(session) = app.current_session() else { return };
    let asking = &session.model.asking;
    painter.pane(frame, "Being answered", &figure::count(asking.len(), "question"), false);
    let rows = inner(frame);
    for (n, open) in (0..).zip(asking).take(usize::from(rows.height)) {
        let line = row(rows, n);
        let who = format!("{} {} {}  ", open.agent.name(), open.slot, open.device);
        let used = painter.text(line.x + 1, line.y, line.width.saturating_sub(2), &who, Role::Accent);
        let room = line.width.saturating_sub(used + 2);
        let (words, role) = said(open, room);
        painter.text(line.x + 1 + used, line.y, room, &words, role);
    }
}

/// Questions to people: one of them is under the editor's key.
fn draw_waiting(waiting: &[&WaitingView], painter: &mut Painter<'_>, frame: Rect) {
    let note = format!("{}  e answers", figure::count(waiting.len(), "question"));
    painter.pane(frame, "Waiting for people", &note, false);
    let rows = inner(frame);
    for (n, question) in (0..).zip(waiting).take(usize::from(rows.height)) {
        let line = row(rows, n);
        let WaitingView { number, session, agent, slot, since_ms, tokens, pictures, headline, .. } = question;
        let who = format!("{number}  {session} {} {slot}  ", agent.name());
        let used = painter.text(line.x + 1, line.y, line.width.saturating_sub(2), &who, Role::Accent);
        let room = line.width.saturating_sub(used + 2);
        let (since, tokens) = (figure::clock(*since_ms), figure::thousands(*tokens));
        let pictures = match pictures {
            0 => String::new(),
            pictures => format!(", {}", figure::count(*pictures, "picture")),
        };
        let words = format!("since {since}, {tokens} tokens{pictures}: {}", text::safe(headline));
        painter.text(line.x + 1 + used, line.y, room, &words, Role::Text);
    }
}

/// The end of the reply so far, as much as fits into a line of `room` cells.
pub fn said(open: &AskingView, room: u16) -> (String, Role) {
    let said = open.partial.split_whitespace().collect::<Vec<_>>().join(" ");
    match said.as_str() {
        "" => ("no word of the reply yet".to_owned(), Role::Dim),
        said => (tail(&text::safe(said), usize::from(room)), Role::Text),
    }
}

/// As much of the end as fits.
fn tail(text: &str, width: usize) -> String {
    let mut from = text.len();
    for (start, _) in text.char_indices().rev() {
        if text::width(&text[start..]) > width {
            break;
        }
        from = start;
    }
    text[from..].to_owned()
}
