//! A layout drawn in characters: every widget that shows or takes something at its place.

use ratatui::layout::Rect;

use crate::gui::{Flags, Layout, Widget, WidgetId};
use crate::tui::glyphs::Glyphs;
use crate::tui::paint::Painter;
use crate::tui::text;
use crate::tui::theme::Role;

/// Widgets drawn at most.
const MOST: usize = 2_000;
/// Coordinates beyond this are nonsense.
const FAR: i32 = 20_000;

/// Maps pixels of the layout to cells of the area.
struct Scale {
    area: Rect,
    width: i64,
    height: i64,
}

/// Draws the layout over the whole area, stretched to fill it; the selected widget stands out.
pub fn draw(painter: &mut Painter<'_>, area: Rect, layout: &Layout, selected: Option<WidgetId>) {
    let Some(scale) = Scale::new(area, layout) else { return };
    let mut taken = vec![false; usize::from(area.width) * usize::from(area.height)];
    let has_backdrops = painter.theme.patch(Role::WidgetButton).bg.is_some();
    for widget in layout.widgets().take(MOST) {
        let Some(cells) = scale.cells(widget).filter(|_| is_shown(widget)) else { continue };
        let role = role(widget);
        if role != Role::WidgetText && is_small(cells, area) {
            painter.shade(cells, role);
        }
        let label = label(widget, cells.width, painter.glyphs, has_backdrops);
        if !label.is_empty() {
            place(painter, area, cells, &label, role, widget, &mut taken);
        }
    }
    let chosen = selected.and_then(|id| layout.get(id)).and_then(|widget| scale.cells(widget));
    if let Some(cells) = chosen {
        highlight(painter, cells, area);
    }
}

impl Scale {
    fn new(area: Rect, layout: &Layout) -> Option<Self> {
        if area.is_empty() {
            return None;
        }
        let far = |value: i32| i64::from(value.clamp(1, FAR));
        let width = layout.roots().map(|root| far(root.bounds().right)).max()?;
        let height = layout.roots().map(|root| far(root.bounds().bottom)).max()?;
        Some(Self { area, width, height })
    }

    /// The cells of a widget, at least one; `None` when it lies outside or has no area.
    fn cells(&self, widget: Widget<'_>) -> Option<Rect> {
        let bounds = widget.bounds();
        if bounds.is_empty() {
            return None;
        }
        let on = |value: i32, pixels: i64, cells: u16| {
            let value = i64::from(value).clamp(0, pixels);
            u16::try_from((value * i64::from(cells) + pixels / 2) / pixels).unwrap_or(cells).min(cells)
        };
        let (w, h) = (self.area.width, self.area.height);
        let left = on(bounds.left, self.width, w).min(w - 1);
        let top = on(bounds.top, self.height, h).min(h - 1);
        let right = on(bounds.right, self.width, w).max(left + 1);
        let bottom = on(bounds.bottom, self.height, h).max(top + 1);
        let inside = i64::from(bounds.left) < self.width && i64::from(bounds.top) < self.height;
        inside.then_some(Rect {
            x: self.area.x + left,
            y: self.area.y + top,
            width: right - left,
            height: bottom - top,
        })
    }
}

fn is_shown(widget: Widget<'_>) -> bool {
    let says = !widget.text().is_empty() || !widget.description().is_empty();
    let takes = widget.has(Flags::CLICKABLE) || widget.has(Flags::CHECKABLE);
    !widget.has(Flags::INVISIBLE) && (says || takes || widget.is_leaf())
}

fn is_edit(widget: Widget<'_>) -> bool {
    widget.short_class().ends_with("EditText") || widget.short_class().ends_with("AutoCompleteTextView")
}

fn role(widget: Widget<'_>) -> Role {
    if is_edit(widget) {
        Role::WidgetEdit
    } else if widget.has(Flags::CLICKABLE) || widget.has(Flags::CHECKABLE) {
        Role::WidgetButton
    } else {
        Role::WidgetText
    }
}

/// What is written on a widget: its text, else its description, else its id.
fn label(widget: Widget<'_>, width: u16, glyphs: &Glyphs, has_backdrops: bool) -> String {
    if widget.has(Flags::CHECKABLE) {
        let checked = widget.has(Flags::CHECKED);
        return match (width, checked) {
            (0..3, true) => "x".into(),
            (0..3, false) => "-".into(),
            (_, true) => format!("[x] {}", widget.text()).trim_end().to_string(),
            (_, false) => format!("[ ] {}", widget.text()).trim_end().to_string(),
        };
    }
    let own = match (widget.text(), widget.hint(), widget.description()) {
        _ if widget.has(Flags::PASSWORD) => "***",
        ("", "", "") if widget.is_leaf() => picture_name(widget.short_id(), width, glyphs),
        ("", "", description) => picture_name(description, width, glyphs),
        ("", hint, _) => hint,
        (text, ..) => text,
    };
    let own = text::fit(own.trim(), 200, glyphs.ellipsis);
    match role(widget) {
        Role::WidgetEdit if !has_backdrops => format!("_{own}_"),
        Role::WidgetButton if !has_backdrops && !own.is_empty() => format!("[{own}]"),
        _ => own,
    }
}

/// The name of a picture where there is room for it, else a sign that there is one.
fn picture_name<'a>(name: &'a str, width: u16, glyphs: &'a Glyphs) -> &'a str {
    match text::width(name) {
        0 => "",
        needed if needed <= usize::from(width) => name,
        _ => glyphs.icon,
    }
}

/// Containers that take clicks may fill the screen; a backdrop would say nothing then.
fn is_small(cells: Rect, area: Rect) -> bool {
    u32::from(cells.width) * u32::from(cells.height) * 3 < u32::from(area.width) * u32::from(area.height)
}

/// Writes a label inside the cells, in the middle row first, where no other label is yet.
fn place(
    painter: &mut Painter<'_>,
    area: Rect,
    cells: Rect,
    label: &str,
    role: Role,
    widget: Widget<'_>,
    taken: &mut [bool],
) {
    let lines = text::wrap(label, usize::from(cells.width));
    let fits = lines.len() <= usize::from(cells.height);
    let lines = if fits { lines } else { vec![label.to_string()] };
    let height = u16::try_from(lines.len()).unwrap_or(1);
    let middle = cells.y + (cells.height - height.min(cells.height)) / 2;
    let starts = std::iter::once(middle).chain(cells.top()..=cells.bottom() - height.min(cells.height));
    let shown_by_id = widget.text().is_empty() && widget.description().is_empty() && widget.hint().is_empty();
    let role = if shown_by_id && role == Role::WidgetText { Role::Dim } else { role };
    for start in starts {
        let runs: Vec<_> = (start..).zip(&lines).map(|(y, line)| run(cells, y, line, role)).collect();
        let mut places = runs.iter().flat_map(|run| (run.left()..run.right()).map(|x| index(area, x, run.y)));
        if places.any(|n| taken.get(n).copied().unwrap_or(true)) {
            continue;
        }
        for (run, line) in runs.iter().zip(&lines) {
            painter.text(run.x, run.y, run.width, line, role);
            for x in run.left()..run.right() {
                if let Some(cell) = taken.get_mut(index(area, x, run.y)) {
                    *cell = true;
                }
            }
        }
        return;
    }
}

/// The cells of one line: buttons centred, everything else from the left.
fn run(cells: Rect, y: u16, line: &str, role: Role) -> Rect {
    let width = u16::try_from(text::width(line)).unwrap_or(u16::MAX).clamp(1, cells.width);
    let indent = if role == Role::WidgetButton { (cells.width - width) / 2 } else { 0 };
    Rect { x: cells.x + indent, y, width, height: 1 }
}

fn index(area: Rect, x: u16, y: u16) -> usize {
    usize::from(y.saturating_sub(area.y)) * usize::from(area.width) + usize::from(x.saturating_sub(area.x))
}

/// Fills the selected widget's cells, or only their edge when they are most of the screen.
fn highlight(painter: &mut Painter<'_>, cells: Rect, area: Rect) {
    if is_small(cells, area) {
        return painter.shade(cells, Role::WidgetSelected);
    }
    let edges = [
        Rect { height: 1, ..cells },
        Rect { y: cells.bottom() - 1, height: 1, ..cells },
        Rect { width: 1, ..cells },
        Rect { x: cells.right() - 1, width: 1, ..cells },
    ];
    edges.into_iter().for_each(|edge| painter.shade(edge, Role::WidgetSelected));
}
