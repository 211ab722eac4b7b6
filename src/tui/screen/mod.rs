//! The screens: which panes there are and where they stand.
//!
//! ```text
//!  droidmux demo  [1 Lab]  2 Session s1  3 Findings ●2  8 Log      4 devices, 3 busy · 2 sessions
//! ┌──────────────────────────────────────────────────────────────────────────────────────────────┐
//! │                                          the screen                                          │
//! └──────────────────────────────────────────────────────────────────────────────────────────────┘
//!  enter open  p pause  S stop  : commands  ? help  q quit                      the latest message
//! ```
//!
//! Where panes stand depends on the state and the terminal's size alone, so that drawing, moving
//! and the mouse agree.

pub mod dialog;
pub mod findings;
mod footer;
mod header;
pub mod lab;
pub mod log;
pub mod map;
pub mod recorder;
mod rows;
pub mod session;
mod start;
pub mod stepper;
pub mod tour;
pub mod transcripts;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

pub use header::tab_at;

use super::app::{App, Screen};
use super::paint::Painter;
use super::pane::Pane;

/// The smallest terminal that shows something useful.
const LEAST: (u16, u16) = (60, 16);

/// Draws the whole cockpit into a buffer of its size; changes nothing. Returns the cursor's place if text is being
/// typed.
pub fn view(app: &App, buffer: &mut Buffer) -> Option<Position> {
    let area = buffer.area;
    let mut painter = Painter { buffer, theme: &app.theme, glyphs: app.glyphs };
    painter.fill(area, super::theme::Role::Text);
    if is_too_small(area) {
        let (width, height) = LEAST;
        let text = format!(
            "The terminal is too small: {}×{}, the cockpit needs {width}×{height}. Make it larger, or press q.",
            area.width, area.height
        );
        painter.notice(area, &text);
        return None;
    }
    header::draw(app, &mut painter, Rect { height: 1, ..area });
    match app.screen {
        Screen::Session => session::draw_summary(app, &mut painter),
        Screen::Lab
        | Screen::Findings
        | Screen::Stepper
        | Screen::Transcripts
        | Screen::Model
        | Screen::Recorder
        | Screen::Log => {}
    }
    for (pane, frame) in frames(app) {
        pane.draw(app, &mut painter, frame);
    }
    let tour = tour::height(app).min(area.height - 1);
    tour::draw(app, &mut painter, Rect { y: area.bottom() - 1 - tour, height: tour, ..area });
    footer::draw(app, &mut painter, Rect { y: area.bottom() - 1, height: 1, ..area });
    if !app.pending.is_empty() && app.dialog.is_none() {
        dialog::draw_pending(app, &mut painter);
    }
    dialog::draw(app, &mut painter)
}

pub fn is_too_small(area: Rect) -> bool {
    area.width < LEAST.0 || area.height < LEAST.1
}

/// The panes on screen with their frames.
pub fn frames(app: &App) -> Vec<(Pane, Rect)> {
    let body = body(app);
    if is_too_small(app.area) {
        return Vec::new();
    }
    match (app.enlarged, app.screen) {
        (Some(pane), Screen::Session) => vec![(pane, session::below_summary(app, body))],
        (Some(pane), _) => vec![(pane, body)],
        (None, Screen::Lab) => lab::frames(app, body),
        (None, Screen::Session) => session::frames(app, session::below_summary(app, body)),
        (None, Screen::Findings) => findings::frames(app, body),
        (None, Screen::Stepper) => stepper::frames(app, body),
        (None, Screen::Transcripts) => transcripts::frames(app, body),
        (None, Screen::Model) => map::frames(app, body),
        (None, Screen::Recorder) => recorder::frames(app, body),
        (None, Screen::Log) => log::frames(app, body),
    }
}

/// The panes on screen with the part of each that holds rows.
pub fn panes(app: &App) -> Vec<(Pane, Rect)> {
    frames(app).into_iter().map(|(pane, frame)| (pane, pane.rows(frame))).collect()
}

/// The panes the focus goes through, in order, including those that only the focus brings up.
pub fn focus_order(app: &App) -> Vec<Pane> {
    match app.screen {
        Screen::Lab if app.lab.zoomed => vec![Pane::Tiles],
        Screen::Lab if app.lab.arrangement.table => vec![Pane::Devices, Pane::Sessions],
        Screen::Lab => vec![Pane::Devices, Pane::Tiles],
        Screen::Session => session::focus_order(app),
        Screen::Findings => findings::focus_order(app),
        Screen::Stepper => stepper::focus_order(app),
        Screen::Transcripts => transcripts::focus_order(app),
        Screen::Model => map::focus_order(),
        Screen::Recorder => recorder::focus_order(),
        Screen::Log => log::focus_order(),
    }
}

/// Between header and footer, above the tour.
fn body(app: &App) -> Rect {
    let area = app.area;
    Rect { y: area.y + 1, height: area.height.saturating_sub(2 + tour::height(app)), ..area }
}

/// A rectangle of at most this size in the middle of another.
fn centred(area: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(area.width), height.min(area.height));
    let at = Position::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2);
    Rect { x: at.x, y: at.y, width, height }
}
