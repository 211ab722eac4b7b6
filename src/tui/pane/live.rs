//! The widgets that are on the device now, among which a person chooses what to act on; the one that shows the data is
//! marked.

use ratatui::layout::Rect;

use super::tree::{detail_height, draw_detail, widget_line};
use super::{Pane, inner, position, row, wireframe};
use crate::app::App;
use crate::paint::Painter;
use crate::text;
use crate::theme::Role;
use droidmux_proto::RecorderPhase;

/// Cells of the mark after the widget that shows the data.
const MARK: u16 = 7;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Live;
    let screen = &app.recorder;
    let Some(view) = &screen.view else {
        let inside = painter.pane(frame, "Recorder", "", focused);
        let words =
            "Nothing is recorded. Press n, perform a function of an app once, and have its specification.";
        return painter.notice(inside, words);
    };
    let page = text::last_part(&view.activity);
    let away = if view.in_app || view.live.is_none() { "" } else { ", not in the app" };
    let title = format!("{} on {}: {page}{away}", view.name, view.device);
    let inside = painter.pane(frame, &title, &position(screen.live.cursor, app.len(Pane::Live)), focused);
    let Some(layout) = app.recorded_layout() else {
        return painter.notice(inside, waiting(&view.phase));
    };
    let rows = Pane::Live.rows(frame);
    for (n, index) in screen.live.visible(app.len(Pane::Live), rows.height).enumerate() {
        let id = usize::try_from(index).ok().and_then(|n| screen.shown.get(n));
        let Some(widget) = id.and_then(|id| layout.get(*id)) else { continue };
        let line = row(rows, n as u64);
        let shows = |data: &str| !data.is_empty() && widget.text() == data;
        let is_data = shows(&view.after) || shows(&view.before);
        let width = line.width.saturating_sub(1 + if is_data { MARK } else { 0 });
        widget_line(painter, Rect { x: line.x + 1, width, ..line }, widget);
        if is_data {
            painter.right(Rect { width: line.width.saturating_sub(1), ..line }, " = data", Role::Good);
        }
        if index == screen.live.cursor {
            painter.select(line, focused);
        }
    }
    let detail = detail_height(inner(frame));
    if let Some(widget) = app.chosen_widget().filter(|_| detail > 0) {
        draw_detail(painter, Rect { y: inside.bottom() - detail, height: detail, ..inside }, widget);
    }
}

/// The layout drawn, the chosen widget standing out.
pub fn draw_screen(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let inside = painter.pane(frame, "Screen", "", false);
    if let Some(layout) = app.recorded_layout() {
        wireframe::draw(painter, inside, layout, (None, app.chosen_widget().map(|widget| widget.id())));
    }
}

fn waiting(phase: &RecorderPhase) -> &str {
    match phase {
        RecorderPhase::Opening => "The device is made ready.",
        RecorderPhase::Lost(why) => why,
        RecorderPhase::Ready | RecorderPhase::Acting | RecorderPhase::Rehearsing => "Fetching the layout.",
    }
}
