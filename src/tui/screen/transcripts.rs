//! The Transcripts screen.
//!
//! ```text
//! ┏ Exchanges ━━━━━━━━━━━ all agents  12/12  following ┓╭ explorer j3 ───────────╮╭ Sent ──── 1/2 ╮
//! ┃    # job  agent      answered by  tokens  reply     ┃│ answered by …, 812 ms  ││               │
//! ┃   11 j3   monitor    gpt-4o        1,204  {"page":… ┃│ Reply                  ││  thumbnails   │
//! ┃▌  12 j3   explorer   gpt-4o          980  {"action… ┃│ {                      ││               │
//! ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛│ …                      ││               │
//! ╭ Being answered ─────────────────────── 1 question ─╮│ Prompt                 ││               │
//! │ detector j3 emulator-5554  …and the list still     ││ …                      ││               │
//! ╰────────────────────────────────────────────────────╯╰────────────────────────╯╰───────────────╯
//! ```
//!
//! With less room the list stands above the exchange; under 32 lines one at a time, Enter leads
//! from the list to the exchange, Esc back.

use ratatui::layout::Rect;

use crate::app::App;
use crate::pane::{Pane, asking};

const WIDE: u16 = 150;
const MEDIUM: u16 = 110;
const STACKED: u16 = 32;

pub fn frames(app: &App, body: Rect) -> Vec<(Pane, Rect)> {
    let (list, detail) = match kind(body) {
        Kind::Wide => {
            let list = Rect { width: body.width * 45 / 100, ..body };
            (list, Rect { x: list.right(), width: body.width - list.width, ..body })
        }
        Kind::Stacked => {
            let list = Rect { height: body.height * 2 / 5, ..body };
            (list, Rect { y: list.bottom(), height: body.height - list.height, ..body })
        }
        Kind::OneAtATime if app.transcripts.opened => (Rect::default(), body),
        Kind::OneAtATime => (body, Rect::default()),
    };
    let mut frames = Vec::new();
    if list.height > 0 {
        let open = match asking::lines(app) {
            0 => 0,
            lines => (lines + 2).min(list.height / 2),
        };
        frames.push((Pane::Exchanges, Rect { height: list.height - open, ..list }));
        if open > 0 {
            frames.push((Pane::Asking, Rect { y: list.bottom() - open, height: open, ..list }));
        }
    }
    if detail.height > 0 {
        let has_pictures = app.transcripts.detail().is_some_and(|detail| !detail.pictures.is_empty());
        let sent = match has_pictures && body.width >= MEDIUM {
            true => (detail.width * 2 / 5).min(60),
            false => 0,
        };
        frames.push((Pane::Exchange, Rect { width: detail.width - sent, ..detail }));
        if sent > 0 {
            frames.push((Pane::Sent, Rect { x: detail.right() - sent, width: sent, ..detail }));
        }
    }
    frames
}

pub fn focus_order(app: &App) -> Vec<Pane> {
    match (kind(super::body(app)), app.transcripts.opened) {
        (Kind::OneAtATime, false) => vec![Pane::Exchanges],
        (Kind::OneAtATime, true) => vec![Pane::Exchange],
        _ => vec![Pane::Exchanges, Pane::Exchange, Pane::Sent],
    }
}

enum Kind {
    Wide,
    Stacked,
    OneAtATime,
}

fn kind(body: Rect) -> Kind {
    match body {
        Rect { width: WIDE.., .. } => Kind::Wide,
        Rect { height: STACKED.., .. } => Kind::Stacked,
        _ => Kind::OneAtATime,
    }
}
