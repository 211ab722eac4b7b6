//! The Stepper screen.
//!
//! ```text
//! ┏ s3-1a2b3c4d on emulator-5554 ━━━━━━━━━━━━━━━━━━ 6/16 ┓╭ On the device ──────────────────────────╮
//! ┃  seed                 mutant                         ┃│ LinearLayout                            │
//! ┃  click “Cinema”       click “Cinema”      as recorded┃│   Button “Save” #save click             │
//! ┃>+                     rotate              next       ┃│ ▸ Button “Delete”  the next event       │
//! ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛│                                         │
//! ╭ Next: rotate ────────────────────────────────────────╮│                                         │
//! │ the screen is as recorded; the seed's effect came    ││                                         │
//! ╰──────────────────────────────────────────────────────╯╰─────────────────────────────────────────╯
//! ```
//!
//! With less room the lanes stand above one of the two others: that with the focus.

use ratatui::layout::Rect;

use crate::tui::app::App;
use crate::tui::pane::Pane;

const WIDE: u16 = 110;

pub fn frames(app: &App, body: Rect) -> Vec<(Pane, Rect)> {
    let left = if body.width >= WIDE { Rect { width: body.width * 3 / 5, ..body } } else { body };
    let lanes = Rect { height: body.height / 2, ..left };
    let below = Rect { y: lanes.bottom(), height: body.height - lanes.height, ..left };
    let right = Rect { x: left.right(), width: body.width - left.width, ..body };
    match (right.width, app.focus()) {
        (1.., _) => vec![(Pane::Lanes, lanes), (Pane::Account, below), (Pane::Widgets, right)],
        (0, Pane::Widgets) => vec![(Pane::Lanes, lanes), (Pane::Widgets, below)],
        (0, _) => vec![(Pane::Lanes, lanes), (Pane::Account, below)],
    }
}

pub fn focus_order() -> Vec<Pane> {
    vec![Pane::Lanes, Pane::Account, Pane::Widgets]
}
