//! The Findings screen.
//!
//! ```text
//! ┏ Findings ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1/12 ┓╭ Why s1-1a2b3c4d ───────────────────────────╮
//! ┃ rank  state    replays  seen  finding   what …  ┃│ Wrong picture deleted                      │
//! ┃▌   1  • new    ✓ 2/3       4  s1-1a2b…  Wrong…  ┃│ Why this is a violation                    │
//! ┃    2  ✓ true   ✓ 3/3      11  s2-77aa…  Rename… ┃│   1. ImageView #picture disappeared …      │
//! ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛╰─────────────────────────────────────────────╯
//! ╭ Compare ─────────────────────────────────────────────────────────────────────── effect 1 of 2 ╮
//! │ missing in the mutant: ImageView #picture disappeared                                          │
//! │ seed l3: the effect is there     seed l5        │ mutant l5: missing    mutant l7              │
//! │  ⋯ 12 widgets alike                             │  ⋯ 12 widgets alike                          │
//! │ →-  ImageView #picture                          │ →   ImageView #picture    ImageView #picture │
//! ╰────────────────────────────────────────────────────────────────────────────────────────────────╯
//! ```
//!
//! With less room, table above and detail below; under 32 lines one at a time, Enter leads from
//! the table to the detail, Tab from why to compare, Esc back.

use ratatui::layout::Rect;

use crate::app::App;
use crate::pane::Pane;

const WIDE: (u16, u16) = (150, 36);
const STACKED: u16 = 32;

pub fn frames(app: &App, body: Rect) -> Vec<(Pane, Rect)> {
    let rows = u16::try_from(app.findings.shown.len()).unwrap_or(u16::MAX).saturating_add(3);
    let detail = if app.focus() == Pane::Compare { Pane::Compare } else { Pane::Why };
    match kind(body) {
        Kind::Wide => {
            let top = Rect { height: body.height * 45 / 100, ..body };
            let table = Rect { width: body.width * 55 / 100, ..top };
            let why = Rect { x: table.right(), width: body.width - table.width, ..top };
            let compare = Rect { y: top.bottom(), height: body.height - top.height, ..body };
            vec![(Pane::Table, table), (Pane::Why, why), (Pane::Compare, compare)]
        }
        Kind::Stacked => {
            let table = Rect { height: rows.clamp(6, body.height * 2 / 5), ..body };
            let below = Rect { y: table.bottom(), height: body.height - table.height, ..body };
            vec![(Pane::Table, table), (detail, below)]
        }
        Kind::OneAtATime if app.findings.opened => vec![(detail, body)],
        Kind::OneAtATime => vec![(Pane::Table, body)],
    }
}

pub fn focus_order(app: &App) -> Vec<Pane> {
    match (kind(super::body(app)), app.findings.opened) {
        (Kind::OneAtATime, false) => vec![Pane::Table],
        (Kind::OneAtATime, true) => vec![Pane::Why, Pane::Compare],
        _ => vec![Pane::Table, Pane::Why, Pane::Compare],
    }
}

enum Kind {
    Wide,
    Stacked,
    OneAtATime,
}

fn kind(body: Rect) -> Kind {
    if body.width >= WIDE.0 && body.height >= WIDE.1 {
        Kind::Wide
    } else if body.height >= STACKED {
        Kind::Stacked
    } else {
        Kind::OneAtATime
    }
}
