//! The screenshot with boxes of the widgets that can be operated, the one acted on and the selected one; without one, the layout drawn in characters.

use ratatui::layout::Rect;

use super::{Pane, wireframe};
use crate::tui::app::App;
use crate::tui::paint::Painter;
use crate::tui::picture::{Picture, PictureKey};

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let area = Pane::Picture.rows(frame);
    let key = app.picture_key(area);
    let picture = key.and_then(|key| {
        let exact = app.cache.pictures.get(&key);
        // While the box moves, the same screen with the old box is better than a flicker.
        let same = |known: &PictureKey| known.blob == key.blob && known.size == key.size;
        exact.or_else(|| app.cache.pictures.last(same))?.as_ref()
    });
    match picture {
        Some(picture) => {
            painter.pane(frame, "Screen", "screenshot", false);
            draw_centred(painter, area, picture);
        }
        None => {
            painter.pane(frame, "Screen", "drawn from the layout", false);
            let scene = app.scene();
            match &scene.layout {
                Some(layout) => wireframe::draw(painter, area, layout, (scene.acted, scene.selected)),
                None => painter.notice(area, "nothing to show"),
            }
        }
    }
}

/// Puts a picture into the middle of an area.
pub fn draw_centred(painter: &mut Painter<'_>, area: Rect, picture: &Picture) {
    let size = picture.size();
    let inside = Rect {
        x: area.x + area.width.saturating_sub(size.width) / 2,
        y: area.y + area.height.saturating_sub(size.height) / 2,
        width: size.width.min(area.width),
        height: size.height.min(area.height),
    };
    picture.render(inside, painter.buffer);
}
