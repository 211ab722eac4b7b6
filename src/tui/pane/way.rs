//! The state under the cursor: the way to it, and where its events led.

use ratatui::layout::Rect;

use super::{Pane, TextPane};
use crate::app::App;
use crate::paint::Painter;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let screen = &app.map;
    let state = screen.map.as_ref().zip(screen.selected()).and_then(|(map, number)| map.state(number));
    let title = state.map_or_else(|| "State".to_owned(), droidmux_proto::StateView::name);
    let nothing = "No state is selected.";
    let text =
        TextPane { pane: Pane::Way, title: &title, list: &screen.text, lines: &screen.text_lines, nothing };
    text.draw(app, painter, frame);
}
