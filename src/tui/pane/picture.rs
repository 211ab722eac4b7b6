//! The screenshot, with boxes around the widgets that can be operated, the one acted on and the selected one; without a
//! screenshot, the layout drawn in characters.

use ratatui::layout::{Position, Rect};

use super::{Pane, wireframe};
use crate::app::App;
use crate::paint::Painter;
use crate::picture::{Picture, PictureKey};
use droidmux_gui::WidgetId;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let area = Pane::Picture.rows(frame);
    if let Some(picture) = picture(app, area) {
        painter.pane(frame, "Screen", "screenshot", false);
        return draw_centred(painter, area, picture);
    }
    painter.pane(frame, "Screen", "drawn from the layout", false);
    let scene = app.scene();
    match &scene.layout {
        Some(layout) => wireframe::draw(painter, area, layout, (scene.acted, scene.selected)),
        None => painter.notice(area, "nothing to show"),
    }
}

/// The smallest widget that takes something at this place of the pane.
pub fn widget_at(app: &App, area: Rect, at: Position) -> Option<WidgetId> {
    let shown = picture(app, area).map_or(area, |picture| centred(area, picture));
    wireframe::widget_at(shown, app.scene().layout.as_ref()?, at)
}

/// The screenshot, if it has been made ready for this many cells.
fn picture(app: &App, area: Rect) -> Option<&Picture> {
    let key = app.picture_key(area)?;
    let exact = app.cache.pictures.peek(&key);
    // While the box moves, the same screen with the old box is better than a flicker.
    let same = |known: &PictureKey| known.blob == key.blob && known.size == key.size;
    let older = || app.cache.pictures.iter().find(|(known, _)| same(known)).map(|(_, picture)| picture);
    exact.or_else(older)?.as_deref()
}

/// Puts a picture into the middle of an area.
pub fn draw_centred(painter: &mut Painter<'_>, area: Rect, picture: &Picture) {
    picture.render(centred(area, picture), painter.buffer);
}

fn centred(area: Rect, picture: &Picture) -> Rect {
    let size = picture.size();
    Rect {
        x: area.x + area.width.saturating_sub(size.width) / 2,
        y: area.y + area.height.saturating_sub(size.height) / 2,
        width: size.width.min(area.width),
        height: size.height.min(area.height),
    }
}
