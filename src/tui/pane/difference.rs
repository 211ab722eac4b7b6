//! What differs between the step under the cursor and the one that was set.

use ratatui::layout::Rect;

use super::{Pane, compare};
use crate::alignment::{Difference, Shown};
use crate::app::{App, Half};
use crate::paint::Painter;
use crate::theme::Role;
use droidmux_words::figure::count;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Difference;
    let inside = painter.pane(frame, "Differences", "= closes", focused);
    let rows = Pane::Difference.rows(frame);
    let Some(half) = app.difference_half() else {
        return painter.notice(inside, "There is no layout at one of the two steps.");
    };
    let head = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), height: 1, ..inside };
    painter.text(head.x, head.y, head.width, &told(&half), Role::Strong);
    let from = usize::try_from(app.difference.list.offset).unwrap_or(0);
    compare::draw_half(app, painter, rows, &half, from);
}

/// How much differs.
pub(super) fn told(half: &Half) -> String {
    let Some(aligned) = &half.aligned else { return "the layouts are compared".into() };
    let number = |wanted| aligned.rows.iter().filter(|row| row.difference == wanted).count() as u64;
    let [gone, came, changed] = [Difference::Deleted, Difference::Added, Difference::Changed].map(number);
    if gone + came + changed == 0 {
        return "the layouts are equal".into();
    }
    let alike = half.shown.iter().filter(|shown| matches!(shown, Shown::Folded(_))).count();
    let folded = if alike == 0 { "" } else { "; what is alike is folded" };
    format!("{} gone, {came} new, {changed} changed{folded}", count(gone, "widget"))
}
