//! The guided tour's lines, between the screen and the footer.
//!
//! ```text
//! ── Tour 3 of 12: what was found ────────────────────────────── f2 back  f3 on  f4 end ──
//!  Press 3 to see what was found.
//! ```
//!
//! They have a place of their own, so that they hide nothing, and the same height at all stages, so that nothing
//! moves when the tour goes on.

use ratatui::layout::Rect;

use crate::app::{App, Screen};
use crate::paint::Painter;
use crate::theme::Role;
use crate::tour::{STAGES, Stage, lines};

/// Width from which texts have room in two lines, and in three.
const WIDE: u16 = 118;
const MEDIUM: u16 = 78;

/// Lines that the tour takes.
pub fn height(app: &App) -> u16 {
    let lines = match app.area.width {
        WIDE.. => 2,
        MEDIUM.. => 3,
        _ => 4,
    };
    if app.tour.is_some() { lines + 1 } else { 0 }
}

pub fn draw(app: &App, painter: &mut Painter<'_>, area: Rect) {
    let Some((tour, stage)) = app.tour.as_ref().and_then(|tour| Some((tour, tour.told()?))) else { return };
    painter.fill(area, Role::Text);
    let rule = painter.glyphs.border.horizontal_top.repeat(usize::from(area.width));
    painter.text(area.x, area.y, area.width, &rule, Role::Accent);
    let title = format!(" Tour {} of {}: {} ", tour.stage + 1, STAGES.len(), stage.title);
    let used = painter.text(area.x + 2, area.y, area.width.saturating_sub(4), &title, Role::Title);
    let keys = lines("{tour-back} back, {tour-on} on, {tour} ends it", &app.keymap, usize::from(area.width));
    if let Some(keys) = keys.first() {
        let pieces: Vec<(&str, Role)> = keys.iter().map(|(text, role)| (text.as_str(), *role)).collect();
        let width = keys.iter().map(|(text, _)| crate::text::width(text)).sum::<usize>();
        let width = u16::try_from(width).unwrap_or(u16::MAX).saturating_add(2);
        let x = area.right().saturating_sub(width.saturating_add(2));
        if x > area.x + 2 + used {
            painter.text(x, area.y, width, &" ".repeat(width.into()), Role::Text);
            painter.pieces(x + 1, area.y, width, &pieces);
        }
    }
    let below = Rect {
        x: area.x + 1,
        y: area.y + 1,
        width: area.width.saturating_sub(2),
        height: area.height.saturating_sub(1),
    };
    let told = lines(&told(app, stage), &app.keymap, usize::from(below.width));
    painter.lines(below, told.iter().map(Vec::as_slice));
}

/// What the stage says, or the way back to its screen.
pub(crate) fn told(app: &App, stage: &Stage) -> String {
    match stage.screen {
        Some(screen) if screen != app.screen => away(screen),
        _ => (stage.text)(app),
    }
}

fn away(screen: Screen) -> String {
    format!(
        "Look around as you like: {{{}}} comes back to {}, where the tour goes on.",
        screen.command(),
        screen.name()
    )
}
