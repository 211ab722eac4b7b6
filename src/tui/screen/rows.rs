//! The rows of a list in a dialog: those around its cursor, which is marked.

use ratatui::layout::Rect;

use crate::list::List;
use crate::paint::Painter;

/// Draws the rows that have room; `draw` is given the cells of a row, without the one that is left free before it, and
/// its number.
pub(super) fn rows(
    painter: &mut Painter<'_>,
    area: Rect,
    mut list: List,
    len: usize,
    mut draw: impl FnMut(&mut Painter<'_>, Rect, usize),
) {
    list.settle(len as u64, area.height);
    let first = usize::try_from(list.offset).unwrap_or(0);
    for (y, n) in (area.top()..area.bottom()).zip(first..len) {
        let line = Rect { y, height: 1, ..area };
        let inside = Rect { x: line.x + 1, width: line.width.saturating_sub(1), ..line };
        draw(painter, inside, n);
        if n as u64 == list.cursor {
            painter.select(line, true);
        }
    }
}
