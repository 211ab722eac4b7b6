//! The Model screen.
//!
//! ```text
//! ┏ States ━━━━━━━━━━━━━━━━━━━━━━ by visits  3/34 ┓╭ Growth ───────────────────────────────╮
//! ┃  state               visits  events  untried  ┃│ states 34          transitions 369    │
//! ┃▌ DiaryActivity 9f3a   1,204      14        2  ┃│   ⡠⠔⠒⠉              ⡠⠔⠒⠉              │
//! ┃  EditActivity 01c4      312       9        0  ┃│ activities 6       layouts 811        │
//! ┃                                               ┃╰───────────────────────────────────────╯
//! ┃                                               ┃╭ DiaryActivity 9f3a ───────────────────╮
//! ┃                                               ┃│ The way from a reset …                │
//! ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛╰───────────────────────────────────────╯
//! ```
//!
//! With less room the list stands above one of the other two, the one that had the focus last.

use ratatui::layout::Rect;

use crate::app::App;
use crate::pane::Pane;

const WIDE: u16 = 110;

pub fn frames(app: &App, body: Rect) -> Vec<(Pane, Rect)> {
    if body.width < WIDE {
        let states = Rect { height: body.height / 2, ..body };
        let below = Rect { y: states.bottom(), height: body.height - states.height, ..body };
        let pane = if app.focus() == Pane::Growth { Pane::Growth } else { Pane::Way };
        return vec![(Pane::States, states), (pane, below)];
    }
    let states = Rect { width: body.width / 2, ..body };
    let right = Rect { x: states.right(), width: body.width - states.width, ..body };
    let growth = Rect { height: (right.height / 2).min(24), ..right };
    let way = Rect { y: growth.bottom(), height: right.height - growth.height, ..right };
    vec![(Pane::States, states), (Pane::Growth, growth), (Pane::Way, way)]
}

pub fn focus_order() -> Vec<Pane> {
    vec![Pane::States, Pane::Way, Pane::Growth]
}
