//! What the doctor found.

use ratatui::layout::Rect;

use super::{Pane, row};
use crate::app::App;
use crate::paint::Painter;
use crate::text::width;
use droidmux_proto::CheckVerdict;
use droidmux_words::figure::clock;

/// Cells of the pane's first line that are not the note's.
const BESIDE: usize = 16;

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Doctor;
    let pane = &app.log.doctor;
    let rows = Pane::Doctor.rows(frame);
    let Some(view) = &pane.view else {
        let inside = painter.pane(frame, "Doctor", "", focused);
        let key = app.keymap.keys_of("examine").first().map(ToString::to_string).unwrap_or_default();
        let text = format!("Not asked yet: {key} has the doctor look at devices, dumps, store and terminal.");
        return painter.notice(inside, &text);
    };
    let counts = [CheckVerdict::Bad, CheckVerdict::Doubtful, CheckVerdict::Good]
        .map(|verdict| (pane.whole.count(verdict), verdict.name()))
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}"))
        .collect::<Vec<_>>()
        .join(", ");
    let state = if view.running { "looking".to_owned() } else { clock(view.at_ms) };
    let whole = format!("{counts}  {state}");
    // What was found matters more than when.
    let note = match counts.is_empty() {
        true => state,
        false if width(&whole) + BESIDE > usize::from(frame.width) => counts,
        false => whole,
    };
    painter.pane(frame, "Doctor", &note, focused);
    for (n, index) in pane.list.visible(pane.lines.len() as u64, rows.height).enumerate() {
        let line = row(rows, n as u64);
        let pieces = usize::try_from(index).ok().and_then(|index| pane.lines.get(index));
        let area = Rect { x: line.x + 1, width: line.width.saturating_sub(1), ..line };
        painter.lines(area, pieces.map(Vec::as_slice));
        if index == pane.list.cursor && focused {
            painter.select(line, true);
        }
    }
}
