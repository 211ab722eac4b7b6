//! The Log screen.
//!
//! ```text
//! ┏ Log ━━━━━━━━━━━━━━━━━━━━━━━━━━━ warnings  24/25 ┓╭ Doctor ──────── 14 good, 1 doubtful ╮
//! ┃ 22:13:20 warn  sim-1  resting: battery 7 %  ×12 ┃│ device sim-1                         │
//! ┃                                                 ┃│   doubtful  battery  7 %, 31.0 °C    │
//! ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛╰──────────────────────────────────────╯
//! ```
//!
//! With less room one of the two fills the screen, the one with the focus.

use ratatui::layout::Rect;

use crate::app::App;
use crate::pane::Pane;

const WIDE: u16 = 110;

pub fn frames(app: &App, body: Rect) -> Vec<(Pane, Rect)> {
    if body.width < WIDE {
        let pane = if app.focus() == Pane::Doctor { Pane::Doctor } else { Pane::Log };
        return vec![(pane, body)];
    }
    let log = Rect { width: body.width * 3 / 5, ..body };
    let doctor = Rect { x: log.right(), width: body.width - log.width, ..body };
    vec![(Pane::Log, log), (Pane::Doctor, doctor)]
}

pub fn focus_order() -> Vec<Pane> {
    vec![Pane::Log, Pane::Doctor]
}
