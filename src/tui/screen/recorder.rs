//! The Recorder screen.
//!
//! ```text
//! ┏ add task on emulator-5554: Edit ━━━━━━━━━ 3/12 ┓╭ Performed ───────────────────────── 2/2 ╮
//! ┃ EditText “Buy milk” #title click        = data ┃│    1  click Button “New”                │
//! ┃ Button “Save” #save click                      ┃│    2  edit EditText title ← "Buy milk"  │
//! ┃                                                ┃╰─────────────────────────────────────────╯
//! ┃                                                ┃╭ Specification ──────────────────────────╮
//! ┃                                                ┃│ Not whole: no widget shows "Buy milk"   │
//! ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛╰─────────────────────────────────────────╯
//! ```
//!
//! With more room the screen is drawn between them, with the chosen widget standing out. With less room the widgets
//! stand above one of the other two, the one with the focus.

use ratatui::layout::Rect;

use crate::app::App;
use crate::pane::Pane;

const WIDE: u16 = 110;
/// From this width on the screen is drawn, too.
const WIDEST: u16 = 150;

pub fn frames(app: &App, body: Rect) -> Vec<(Pane, Rect)> {
    if body.width < WIDE {
        let live = Rect { height: body.height * 3 / 5, ..body };
        let below = Rect { y: live.bottom(), height: body.height - live.height, ..body };
        let other = if app.focus() == Pane::Performed { Pane::Performed } else { Pane::Draft };
        return vec![(Pane::Live, live), (other, below)];
    }
    let drawn = if body.width >= WIDEST { body.width / 4 } else { 0 };
    let live = Rect { width: (body.width - drawn) / 2, ..body };
    let screen = Rect { x: live.right(), width: drawn, ..body };
    let right = Rect { x: screen.right(), width: body.width - live.width - drawn, ..body };
    let performed = Rect { height: right.height / 3, ..right };
    let draft = Rect { y: performed.bottom(), height: right.height - performed.height, ..right };
    let mut panes = vec![(Pane::Live, live), (Pane::Performed, performed), (Pane::Draft, draft)];
    if drawn > 0 {
        panes.push((Pane::Screen, screen));
    }
    panes
}

pub fn focus_order() -> Vec<Pane> {
    vec![Pane::Live, Pane::Performed, Pane::Draft]
}
