//! The pictures that were sent with a question, as thumbnails one below the other.

use ratatui::layout::{Rect, Size};

use super::{Pane, picture};
use crate::app::App;
use crate::paint::Painter;
use crate::picture::PictureKey;

/// Lines a thumbnail needs to be of use.
const LEAST: u16 = 10;

/// Which picture belongs where in the pane's rows.
pub fn places(app: &App, rows: Rect) -> Vec<(PictureKey, Rect)> {
    let pictures = app.transcripts.pictures();
    let room = if app.enlarged == Some(Pane::Sent) { 1 } else { usize::from(rows.height / LEAST).max(1) };
    let shown = pictures.len().min(room);
    let Ok(count) = u16::try_from(shown) else { return Vec::new() };
    if !app.options.images || rows.width == 0 || rows.height == 0 || count == 0 {
        return Vec::new();
    }
    let height = rows.height / count;
    let place = |(n, blob): (u16, &droidmux_record::BlobHash)| {
        let area = Rect { y: rows.y + n * height, height, ..rows };
        (PictureKey::plain(*blob, Size::new(area.width, area.height)), area)
    };
    (0..).zip(pictures.iter().take(shown)).map(place).collect()
}

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let all = app.transcripts.detail().map_or(0, |detail| detail.pictures.len());
    let note = match all {
        0 => String::new(),
        all => format!("{}/{all}", app.transcripts.picture + 1),
    };
    let inside = painter.pane(frame, "Sent", &note, app.focus() == Pane::Sent);
    if all == 0 {
        return painter.notice(inside, "no pictures");
    }
    if !app.options.images {
        return painter.notice(inside, "images are off");
    }
    for (key, area) in places(app, Pane::Sent.rows(frame)) {
        match app.cache.pictures.peek(&key) {
            Some(Some(made)) => picture::draw_centred(painter, area, made),
            Some(None) => painter.notice(area, "this picture cannot be shown"),
            None => painter.notice(area, "fetching the picture"),
        }
    }
}
