//! A layout drawn in characters: every widget that shows or takes something, in its place.

use ratatui::layout::{Position, Rect};

use crate::glyphs::Glyphs;
use crate::paint::Painter;
use crate::text;
use crate::theme::Role;
use droidmux_gui::{Flags, Layout, Widget, WidgetId};

/// The most widgets drawn.
const MOST: usize = 2_000;
/// Coordinates beyond this are nonsense.
const FAR: i32 = 20_000;

/// Maps pixels of the layout to cells of the area.
struct Scale {
    area: Rect,
    width: i64,
    height: i64,
}

/// What is to be written, and where.
struct Label {
    cells: Rect,
    text: String,
    role: Role,
}

/// Draws the layout over the whole area, stretched to fill it; the widget acted on and the selected one stand out.
pub fn draw(
    painter: &mut Painter<'_>,
    area: Rect,
    layout: &Layout,
    (acted, selected): (Option<WidgetId>, Option<WidgetId>),
) {
    let Some(scale) = Scale::new(area, layout) else { return };
    let has_backdrops = painter.theme.patch(Role::WidgetButton).bg.is_some();
    let mut labels = Vec::new();
    for widget in layout.widgets().take(MOST) {
        let Some(cells) = scale.cells(widget).filter(|_| is_shown(widget)) else { continue };
        let role = role(widget);
        if role != Role::WidgetText && is_small(cells, area) {
            painter.shade(cells, role);
        }
        let text = label(widget, cells.width, painter.glyphs, has_backdrops);
        if !text.is_empty() {
            let faint =
                widget.text().is_empty() && widget.description().is_empty() && widget.hint().is_empty();
            let role = if faint && role == Role::WidgetText { Role::Dim } else { role };
            labels.push(Label { cells, text, role });
        }
    }
    let mut sheet =
        Sheet { painter, area, taken: vec![false; usize::from(area.width) * usize::from(area.height)] };
    // What fits comes first: letters are wider here than on the phone, so long texts run on over
    // what is left free.
    let (fitting, long): (Vec<_>, Vec<_>) = labels.into_iter().partition(Label::fits);
    fitting.iter().for_each(|label| sheet.write(label));
    long.iter().for_each(|label| sheet.squeeze(label));
    let cells = |widget: Option<WidgetId>| scale.cells(layout.get(widget?)?);
    if let Some(cells) = cells(selected) {
        highlight(painter, cells, area);
    }
    if let Some(cells) = cells(acted) {
        corners(painter, cells);
    }
}

/// The smallest widget that takes something, else that shows something, whose cells in this area hold the place.
pub fn widget_at(area: Rect, layout: &Layout, at: Position) -> Option<WidgetId> {
    let scale = Scale::new(area, layout)?;
    let here = layout.widgets().take(MOST).filter_map(|widget| {
        let cells = scale.cells(widget).filter(|cells| is_shown(widget) && cells.contains(at))?;
        let takes = !widget.interactions().is_empty();
        Some(((!takes, u32::from(cells.width) * u32::from(cells.height)), widget.id()))
    });
    here.min_by_key(|(rank, _)| *rank).map(|(_, widget)| widget)
}

/// Marks the widget that an event acts on, by more than a colour.
fn corners(painter: &mut Painter<'_>, cells: Rect) {
    let border = &painter.glyphs.border_focus;
    let (left, right) = (border.vertical_left, border.vertical_right);
    for y in cells.top()..cells.bottom() {
        painter.text(cells.left(), y, 1, left, Role::Accent);
        painter.text(cells.right() - 1, y, 1, right, Role::Accent);
    }
}

impl Label {
    fn fits(&self) -> bool {
        text::wrap(&self.text, usize::from(self.cells.width)).len() <= usize::from(self.cells.height)
    }

    fn width(&self) -> u16 {
        u16::try_from(text::width(&self.text)).unwrap_or(u16::MAX)
    }

    /// The rows a text of this height may begin in, the middle first.
    fn rows(&self, height: u16) -> impl Iterator<Item = u16> {
        let spare = self.cells.height.saturating_sub(height);
        let top = self.cells.y;
        std::iter::once(top + spare / 2).chain(top..=top + spare)
    }
}

/// The area with the cells that hold letters already.
struct Sheet<'a, 'b> {
    painter: &'a mut Painter<'b>,
    area: Rect,
    taken: Vec<bool>,
}

impl Sheet<'_, '_> {
    /// Writes a label that fits into its cells, broken into lines.
    fn write(&mut self, label: &Label) {
        let lines = text::wrap(&label.text, usize::from(label.cells.width));
        let height = u16::try_from(lines.len()).unwrap_or(label.cells.height);
        for top in label.rows(height) {
            let runs: Vec<Rect> = (top..).zip(&lines).map(|(y, line)| run(label, y, line)).collect();
            if runs.iter().all(|run| self.free(run.x, run.y) >= run.width) {
                for (run, line) in runs.iter().zip(&lines) {
                    self.put(*run, line, label.role);
                }
                return;
            }
        }
    }

    /// Writes a label too long for its cells in the row with the most room; only plain text runs on over the edge.
    fn squeeze(&mut self, label: &Label) {
        let room = |y: u16| {
            let free = self.free(label.cells.x, y).min(label.width());
            if label.role == Role::WidgetText { free } else { free.min(label.cells.width) }
        };
        let best = label
            .rows(1)
            .map(|y| (room(y), y))
            .reduce(|best, other| if other.0 > best.0 { other } else { best });
        if let Some((width @ 1.., y)) = best {
            self.put(Rect { x: label.cells.x, y, width, height: 1 }, &label.text, label.role);
        }
    }

    /// Free cells from here to the right.
    fn free(&self, x: u16, y: u16) -> u16 {
        let cells = x..self.area.right();
        let free = cells.take_while(|&x| !self.taken.get(self.index(x, y)).copied().unwrap_or(true)).count();
        u16::try_from(free).unwrap_or(0)
    }

    fn put(&mut self, run: Rect, text: &str, role: Role) {
        self.painter.text(run.x, run.y, run.width, text, role);
        // A space after it, so that neighbours do not run together.
        for x in run.left()..run.right() + 1 {
            let index = self.index(x, run.y);
            if x < self.area.right()
                && let Some(cell) = self.taken.get_mut(index)
            {
                *cell = true;
            }
        }
    }

    fn index(&self, x: u16, y: u16) -> usize {
        let (x, y) = (x.saturating_sub(self.area.x), y.saturating_sub(self.area.y));
        usize::from(y) * usize::from(self.area.width) + usize::from(x)
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

/// The name of a picture if there is room for it, else a sign that there is one.
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

/// The cells of one line: buttons centred, everything else from the left.
fn run(label: &Label, y: u16, line: &str) -> Rect {
    let width = u16::try_from(text::width(line)).unwrap_or(u16::MAX).clamp(1, label.cells.width);
    let indent = if label.role == Role::WidgetButton { (label.cells.width - width) / 2 } else { 0 };
    Rect { x: label.cells.x + indent, y, width, height: 1 }
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
