//! The Stepper screen.
//!
//! ```text
//! ┏ s3-1a2b3c4d on emulator-5554 ━━━━━━━━━━━━━━━━━━ 6/16 ┓╭ On the device ──────────────────────────╮
//! ┃  seed                 mutant                         ┃│ LinearLayout                            │
//! ┃  click “Cinema”       click “Cinema”      as recorded┃│   Button “Save” #save click             │
//! ┃>+                     rotate              next       ┃│ ▸ Button “Delete”  the next event       │
//! ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛╰─────────────────────────────────────────╯
//! ╭ What is there ───────────────────────────────────────╮╭ Screen ─────────────────────────────────╮
//! │ Next: rotate                                         ││ the screenshot, the widget of the next  │
//! │ the screen is as recorded; the seed's effect came    ││ event boxed                             │
//! ╰──────────────────────────────────────────────────────╯╰─────────────────────────────────────────╯
//! ```
//!
//! The screen beside the recorded one stands below both if there is plenty of room; if there is less, it takes the
//! place of widgets and screenshot when it is wanted. In a narrow terminal the lanes stand above whichever of the
//! others has the focus, and the screenshot fills the screen when it is wanted.

use ratatui::layout::Rect;

use crate::app::App;
use crate::pane::Pane;

/// Width from which panes stand side by side, and size from which all of them do.
const WIDE: u16 = 110;
const WIDEST: (u16, u16) = (150, 44);
/// Rows that are worth a picture below the widgets.
const PICTURE: u16 = 22;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Room {
    Narrow,
    Wide,
    Widest,
}

fn room(area: Rect) -> Room {
    match (area.width, area.height) {
        (0..WIDE, _) => Room::Narrow,
        (width, height) if width >= WIDEST.0 && height >= WIDEST.1 => Room::Widest,
        _ => Room::Wide,
    }
}

pub fn frames(app: &App, body: Rect) -> Vec<(Pane, Rect)> {
    let (top, bottom) = split_height(body, body.height / 2);
    match room(app.area) {
        Room::Narrow => {
            let below = match app.focus() {
                pane @ (Pane::Widgets | Pane::Beside) => pane,
                _ => Pane::Account,
            };
            vec![(Pane::Lanes, top), (below, bottom)]
        }
        Room::Wide if app.stepper.compares => {
            let (lanes, account) = split_width(top, top.width * 3 / 5);
            vec![(Pane::Lanes, lanes), (Pane::Account, account), (Pane::Beside, bottom)]
        }
        Room::Wide => sides(body),
        Room::Widest => {
            let (above, beside) = split_height(body, body.height * 3 / 5);
            let mut frames = sides(above);
            frames.push((Pane::Beside, beside));
            frames
        }
    }
}

/// The test on the left, the device on the right.
fn sides(area: Rect) -> Vec<(Pane, Rect)> {
    let (left, right) = split_width(area, area.width * 3 / 5);
    let (lanes, account) = split_height(left, left.height / 2);
    let mut frames = vec![(Pane::Lanes, lanes), (Pane::Account, account)];
    let (widgets, picture) = match right {
        // A phone's screen is about 9 by 20; a cell is about 1 by 2.
        Rect { width: 76.., .. } => {
            split_width(right, right.width - (right.height * 9 / 10 + 2).min(right.width / 2))
        }
        Rect { height: PICTURE.., .. } => split_height(right, right.height / 2),
        _ => (right, Rect::default()),
    };
    frames.push((Pane::Widgets, widgets));
    if !picture.is_empty() {
        frames.push((Pane::Picture, picture));
    }
    frames
}

fn split_width(area: Rect, left: u16) -> (Rect, Rect) {
    let left = left.min(area.width);
    (Rect { width: left, ..area }, Rect { x: area.x + left, width: area.width - left, ..area })
}

fn split_height(area: Rect, top: u16) -> (Rect, Rect) {
    let top = top.min(area.height);
    (Rect { height: top, ..area }, Rect { y: area.y + top, height: area.height - top, ..area })
}

pub fn focus_order(app: &App) -> Vec<Pane> {
    match room(app.area) {
        Room::Wide if app.stepper.compares => vec![Pane::Lanes, Pane::Account, Pane::Beside],
        Room::Wide => vec![Pane::Lanes, Pane::Account, Pane::Widgets],
        Room::Narrow | Room::Widest => vec![Pane::Lanes, Pane::Account, Pane::Widgets, Pane::Beside],
    }
}
