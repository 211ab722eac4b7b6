//! How a session's model grew: four charts over the steps.

use ratatui::layout::Rect;
use ratatui::symbols::Marker;
use ratatui::widgets::{Axis, Chart, Dataset, GraphType, Widget};

use super::Pane;
use crate::app::App;
use crate::paint::Painter;
use crate::theme::Role;
use droidmux_proto::Growth;
use droidmux_words::{figure::thousands, number::real};

/// A curve: its name and its value at a moment.
type Curve = (&'static str, fn(&Growth) -> u64);

const CURVES: [Curve; 4] = [
    ("states", |growth| growth.states),
    ("transitions", |growth| growth.transitions),
    ("activities", |growth| growth.activities),
    ("distinct layouts", |growth| growth.layouts),
];

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Growth;
    let growth = app.map.map.as_ref().map_or(&[][..], |map| &map.growth);
    let steps = growth.last().map_or(0, |last| last.steps);
    let inside = painter.pane(frame, "Growth", &format!("{} steps", thousands(steps)), focused);
    if growth.len() < 2 {
        return painter.notice(inside, "There is nothing to compare yet.");
    }
    for (curve, place) in CURVES.iter().zip(quarters(inside)) {
        chart(painter, place, curve, growth, app.options.ascii);
    }
}

fn chart(painter: &mut Painter<'_>, area: Rect, (name, value): &Curve, growth: &[Growth], ascii: bool) {
    if area.height == 0 {
        return;
    }
    let last = growth.last().map_or(0, value);
    let title = [(*name, Role::Dim), (" ", Role::Dim), (&*thousands(last), Role::Strong)];
    painter.pieces(area.x + 1, area.y, area.width.saturating_sub(1), &title);
    let area = Rect { y: area.y + 1, height: area.height - 1, ..area };
    // Lower than this a curve says less than its last value.
    if area.height < 2 {
        return;
    }
    let points: Vec<(f64, f64)> =
        growth.iter().map(|moment| (float(moment.steps), float(value(moment)))).collect();
    let most = points.iter().map(|point| point.1).fold(1.0, f64::max);
    let steps = points.last().map_or(1.0, |point| point.0.max(1.0));
    let style = painter.theme.style(Role::Text);
    let curve = Dataset::default()
        .marker(if ascii { Marker::Dot } else { Marker::Braille })
        .graph_type(GraphType::Line)
        .style(painter.theme.style(Role::Spark))
        .data(&points);
    Chart::new(vec![curve])
        .style(style)
        .x_axis(Axis::default().bounds([0.0, steps]))
        .y_axis(Axis::default().bounds([0.0, most]))
        .render(area, painter.buffer);
}

fn float(count: u64) -> f64 {
    usize::try_from(count).map_or(f64::MAX, real)
}

/// Two by two.
fn quarters(area: Rect) -> [Rect; 4] {
    let (half, middle) = (area.width / 2, area.height / 2);
    let place = |column: u16, row: u16| Rect {
        x: area.x + column * half,
        y: area.y + row * middle,
        width: half,
        height: if row == 0 { middle } else { area.height - middle },
    };
    [place(0, 0), place(1, 0), place(0, 1), place(1, 1)]
}
