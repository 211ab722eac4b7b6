//! The widgets that are on the device now, with that of the next event marked: here a person chooses one.

use ratatui::layout::Rect;

use super::tree::widget_line;
use super::{Pane, position, row};
use crate::app::App;
use crate::paint::Painter;
use crate::theme::Role;
use droidmux_gui::WidgetId;

/// Cells of the mark before the widget of the next event.
const MARK: u16 = 2;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Widgets;
    let list = app.stepper.widgets;
    let inside =
        painter.pane(frame, "On the device", &position(list.cursor, app.len(Pane::Widgets)), focused);
    let Some(layout) = app.stepped_layout() else {
        return painter.notice(inside, "No screen yet.");
    };
    let rows = Pane::Widgets.rows(frame);
    let target = app.stepper.view.as_ref().and_then(|view| view.next.as_ref()?.widget);
    for (n, index) in list.visible(layout.len() as u64, rows.height).enumerate() {
        let Some(widget) = u32::try_from(index).ok().and_then(|n| layout.get(WidgetId(n))) else { continue };
        let line = row(rows, n as u64);
        let is_target = target == Some(widget.id().0);
        if is_target {
            painter.text(line.x, line.y, MARK, painter.glyphs.arrow, Role::Accent);
        }
        let indent = u16::try_from(widget.depth()).unwrap_or(u16::MAX).min(line.width / 3) + MARK;
        let used = indent.min(line.width);
        widget_line(painter, Rect { x: line.x + used, width: line.width - used, ..line }, widget);
        if is_target {
            painter.shade(line, Role::Accent);
        }
        if index == list.cursor {
            painter.select(line, focused);
        }
    }
}
