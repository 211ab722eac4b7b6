//! The layout engine: from a view tree to a scene.
//!
//! Two passes as on Android: `measure` asks a view how large it wants to be in the space available,
//! `place` gives it a rectangle and does the same for its children. What lies outside the visible
//! part of its parents is left out, as in a dump.

use std::collections::BTreeMap;

use super::fields::Fields;
use super::scene::{Node, NodeFlags, Scene, Scroll};
use super::style::Control;
use super::tree::{Edges, Handler, Tree};
use super::typeset::{CELL, columns, dot_pixels, wrapped};
use super::untyped::Untyped;
use super::view::{Arrange, Extent, Gravity, View};
use droidmux_gui::Bounds;

/// What the engine needs to know besides the views.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub package: &'a str,
    pub density: u32,
    /// Dots per inch of text.
    pub text_density: u32,
    pub fields: &'a Fields,
    pub scrolls: &'a BTreeMap<String, i32>,
}

/// A scene and the handlers its nodes refer to.
pub(super) struct Arranged {
    pub scene: Scene,
    pub handlers: Vec<Handler>,
}

/// Lays a window out in this rectangle.
pub(super) fn arrange(view: View<Untyped>, window: Bounds, around: Surroundings<'_>) -> Arranged {
    let mut engine = Engine { around, nodes: Vec::with_capacity(64), handlers: Vec::with_capacity(32) };
    engine.place(*view.tree, window, window, None, 0);
    let scene = Scene { package: around.package.to_owned(), nodes: engine.nodes, window };
    Arranged { scene, handlers: engine.handlers }
}

/// The size a view wants when it may be this large, in pixels.
pub(super) fn wanted(view: &View<Untyped>, width: i32, height: i32, around: Surroundings<'_>) -> (i32, i32) {
    let engine = Engine { around, nodes: Vec::new(), handlers: Vec::new() };
    engine.measure(&view.tree, width, height)
}

/// Pixels of this many dp.
pub(super) fn pixels(dp: i32, density: u32) -> i32 {
    dp.saturating_mul(i32::try_from(density).unwrap_or(480)) / 160
}

/// More than any screen: the height offered to what scrolls.
const ENDLESS: i32 = 1_000_000;

/// Where a widget is, in the tree and on the screen.
struct Spot {
    bounds: Bounds,
    rect: Bounds,
    inner: Bounds,
    parent: Option<usize>,
    index: usize,
    scroll: Option<Scroll>,
}

struct Engine<'a> {
    around: Surroundings<'a>,
    nodes: Vec<Node>,
    handlers: Vec<Handler>,
}

impl Engine<'_> {
    fn px(&self, dp: i32) -> i32 {
        pixels(dp, self.around.density)
    }

    /// Left, top, right and bottom in pixels.
    fn edges(&self, edges: Edges) -> (i32, i32, i32, i32) {
        (self.px(edges.left), self.px(edges.top), self.px(edges.right), self.px(edges.bottom))
    }

    /// The size of a view, margins not counted, when this much room is there for it.
    fn measure(&self, view: &Tree, width: i32, height: i32) -> (i32, i32) {
        let fixed = |extent: Extent, room: i32| match extent {
            Extent::Fill => Some(room),
            Extent::Dp(dp) => Some(self.px(dp).min(room)),
            Extent::Wrap | Extent::Share => None,
        };
        let (wide, high) = (fixed(view.width, width), fixed(view.height, height));
        if let (Some(wide), Some(high)) = (wide, high) {
            return (wide, high);
        }
        let (left, top, right, bottom) = self.edges(view.padding);
        let inner =
            ((wide.unwrap_or(width) - left - right).max(0), (high.unwrap_or(height) - top - bottom).max(0));
        let content = self.content(view, inner.0, inner.1);
        (
            wide.unwrap_or((content.0 + left + right).min(width)),
            high.unwrap_or((content.1 + top + bottom).min(height)),
        )
    }

    fn outer(&self, child: &View<Untyped>, width: i32, height: i32) -> (i32, i32) {
        let child = &*child.tree;
        let (left, top, right, bottom) = self.edges(child.margin);
        let (w, h) = self.measure(child, (width - left - right).max(0), (height - top - bottom).max(0));
        (w + left + right, h + top + bottom)
    }

    fn content(&self, view: &Tree, width: i32, height: i32) -> (i32, i32) {
        let children = view.children.iter();
        match view.arrange {
            Arrange::Leaf => self.leaf(view, width),
            Arrange::Column | Arrange::Scroll => {
                let endless = view.arrange == Arrange::Scroll;
                children.fold((0, 0), |(w, h), child| {
                    let room = if endless { ENDLESS } else { height - h };
                    let (cw, ch) = self.outer(child, width, room);
                    (w.max(cw), h + ch)
                })
            }
            Arrange::Row => children.fold((0, 0), |(w, h), child| {
                let (cw, ch) = self.outer(child, width - w, height);
                (w + cw, h.max(ch))
            }),
            Arrange::Frame => children.fold((0, 0), |(w, h), child| {
                let (cw, ch) = self.outer(child, width, height);
                (w.max(cw), h.max(ch))
            }),
            Arrange::Flow => {
                let lines = self.lines(&view.children, width);
                (width, lines.last().map_or(0, |spot| spot.1 + spot.3))
            }
        }
    }

    /// Where the children of a flow go: left, top, width and line height of each.
    fn lines(&self, children: &[View<Untyped>], width: i32) -> Vec<(i32, i32, i32, i32)> {
        let sizes: Vec<(i32, i32)> = children.iter().map(|child| self.outer(child, width, ENDLESS)).collect();
        let (mut x, mut y, mut line) = (0, 0, 0);
        let mut spots = Vec::with_capacity(sizes.len());
        for (w, h) in sizes {
            if x > 0 && x + w > width {
                (x, y, line) = (0, y + line, 0);
            }
            line = line.max(h);
            spots.push((x, y, w, h));
            x += w;
        }
        spots
    }

    fn leaf(&self, view: &Tree, width: i32) -> (i32, i32) {
        let dot = dot_pixels(view.style.size.dot(), self.around.text_density);
        let control = match view.style.control {
            Control::CheckBox | Control::Radio => self.px(32),
            _ => 0,
        };
        let icon = if view.style.icon.is_some() { self.px(24) } else { 0 };
        let text_width = |text: &str| i32::try_from(columns(text)).unwrap_or(i32::MAX / 64) * CELL.0 * dot;
        let lines = if view.state.multiline {
            let per_line = (width / (CELL.0 * dot)).max(1);
            wrapped(&view.text, usize::try_from(per_line).unwrap_or(1)).len()
        } else {
            1
        };
        let high = i32::try_from(lines.clamp(1, 200)).unwrap_or(1) * CELL.1 * dot;
        ((text_width(&view.text) + control).min(width).max(icon), high.max(icon))
    }

    /// Puts a view and what is in it into the scene, unless it cannot be seen.
    fn place(&mut self, view: Tree, rect: Bounds, clip: Bounds, parent: Option<usize>, index: usize) {
        let rect = view.rect.unwrap_or(rect);
        let bounds = rect.intersection(clip);
        if bounds.is_empty() {
            return;
        }
        let (left, top, right, bottom) = self.edges(view.padding);
        let inner = Bounds::new(rect.left + left, rect.top + top, rect.right - right, rect.bottom - bottom);
        let scrolls = matches!(view.arrange, Arrange::Scroll | Arrange::Flow);
        let scroll = scrolls.then(|| self.scroll(&view, inner));
        let offset = scroll.as_ref().map_or(0, |scroll| scroll.offset);
        let clip = if scrolls { bounds.intersection(inner) } else { bounds };
        let (arrange, number) = (view.arrange, self.nodes.len());
        let children = self.push(view, Spot { bounds, rect, inner, parent, index, scroll });
        let spots = self.spots(arrange, &children, inner, offset);
        for (n, (child, spot)) in children.into_iter().zip(spots).enumerate() {
            self.place(*child.tree, spot, clip, Some(number), n);
        }
    }

    fn scroll(&self, view: &Tree, inner: Bounds) -> Scroll {
        let (_, content) = self.content(view, inner.width(), ENDLESS);
        let key = view.id.to_string();
        let limit = (content - inner.height()).max(0);
        let offset = self.around.scrolls.get(&key).copied().unwrap_or(0).clamp(0, limit);
        Scroll { key, offset, limit }
    }

    /// The rectangles of the children, margins taken off.
    fn spots(&self, arrange: Arrange, children: &[View<Untyped>], inner: Bounds, offset: i32) -> Vec<Bounds> {
        let (width, height) = (inner.width(), inner.height());
        let cells: Vec<Bounds> = match arrange {
            Arrange::Leaf => Vec::new(),
            Arrange::Column => self.stacked(children, inner, |c| c.tree.height == Extent::Share, true),
            Arrange::Row => self.stacked(children, inner, |c| c.tree.width == Extent::Share, false),
            Arrange::Scroll => {
                let mut y = inner.top - offset;
                let cell = |child| {
                    let (w, h) = self.outer(child, width, ENDLESS);
                    y += h;
                    Bounds::new(inner.left, y - h, inner.left + w, y)
                };
                children.iter().map(cell).collect()
            }
            Arrange::Flow => {
                let cell = |(x, y, w, h): (i32, i32, i32, i32)| {
                    let (x, y) = (inner.left + x, inner.top + y - offset);
                    Bounds::new(x, y, x + w, y + h)
                };
                self.lines(children, width).into_iter().map(cell).collect()
            }
            Arrange::Frame => {
                let cell = |child: &View<Untyped>| {
                    let (w, h) = self.outer(child, width, height);
                    gravitate(child.tree.gravity, inner, w, h)
                };
                children.iter().map(cell).collect()
            }
        };
        let shrink = |(child, cell): (&View<Untyped>, Bounds)| {
            let (left, top, right, bottom) = self.edges(child.tree.margin);
            Bounds::new(cell.left + left, cell.top + top, cell.right - right, cell.bottom - bottom)
        };
        children.iter().zip(cells).map(shrink).collect()
    }

    /// Cells of a column or row; those that share get equal parts of what the others leave.
    fn stacked(
        &self,
        children: &[View<Untyped>],
        inner: Bounds,
        shares: impl Fn(&View<Untyped>) -> bool,
        down: bool,
    ) -> Vec<Bounds> {
        let room = if down { inner.height() } else { inner.width() };
        let along = |size: (i32, i32)| if down { size.1 } else { size.0 };
        let sized = |child: &View<Untyped>, room: i32| {
            let (w, h) = if down { (inner.width(), room) } else { (room, inner.height()) };
            self.outer(child, w, h)
        };
        let mut left = room;
        let fixed: Vec<Option<(i32, i32)>> = children
            .iter()
            .map(|child| {
                let size = (!shares(child)).then(|| sized(child, left));
                left -= size.map_or(0, along);
                size
            })
            .collect();
        let sharing = i32::try_from(fixed.iter().filter(|size| size.is_none()).count()).unwrap_or(1);
        let share = left.max(0) / sharing.max(1);
        let mut at = if down { inner.top } else { inner.left };
        let cell = |(child, size): (&View<Untyped>, Option<(i32, i32)>)| {
            let size = size.unwrap_or_else(|| {
                let (w, h) = sized(child, share);
                if down { (w, share) } else { (share, h) }
            });
            let start = at;
            at += along(size);
            if down {
                Bounds::new(inner.left, start, inner.left + size.0, at)
            } else {
                // Rows centre their children, as most rows on Android are told to.
                let top = inner.top + (inner.height() - size.1).max(0) / 2;
                Bounds::new(start, top, at, top + size.1)
            }
        };
        children.iter().zip(fixed).map(cell).collect()
    }

    /// Adds the node of a view and returns its children.
    fn push(&mut self, view: Tree, spot: Spot) -> Vec<View<Untyped>> {
        let mut add = |handler: Option<Handler>| {
            let handler = handler?;
            self.handlers.push(handler);
            Some(self.handlers.len() - 1)
        };
        let click = add(view.click);
        let long_click = add(view.long_click);
        let submit = add(view.submit.map(Handler::Act));
        let swipe = view.swipe.and_then(|swipe| {
            let [forward, backward] = swipe;
            Some((add(Some(Handler::Act(forward)))?, add(Some(Handler::Act(backward)))?))
        });
        let drops = view.drops.map(|(place, actions)| {
            (place, actions.into_iter().filter_map(|action| add(Some(Handler::Act(action)))).collect())
        });
        let state = view.state;
        let field = state.editable.then(|| view.id.to_string());
        let mut text = match &field {
            Some(key) => self.around.fields.text(key).to_owned(),
            None => view.text,
        };
        let hinting = field.is_some() && text.is_empty();
        if hinting {
            text.clone_from(&view.hint);
        } else if state.password {
            text = "•".repeat(text.chars().count());
        }
        let flags = NodeFlags {
            checkable: state.checkable,
            checked: state.checked,
            enabled: state.enabled,
            focused: field.is_some() && field.as_deref() == self.around.fields.focused(),
            selected: state.selected,
            password: state.password,
            multiline: state.multiline,
            keys: state.keys,
            hinting,
        };
        let id = match view.id.as_ref() {
            "" => String::new(),
            id if id.contains(':') => id.to_owned(),
            id => format!("{}:id/{id}", self.around.package),
        };
        self.nodes.push(Node {
            parent: spot.parent,
            index: spot.index,
            class: view.class.into(),
            id,
            text,
            description: view.description,
            hint: view.hint,
            bounds: spot.bounds,
            rect: spot.rect,
            inner: spot.inner,
            flags,
            click,
            long_click,
            swipe,
            drops,
            submit,
            scroll: spot.scroll,
            field,
            style: view.style,
            said: None,
        });
        view.children
    }
}

pub(super) fn gravitate(gravity: Gravity, inner: Bounds, w: i32, h: i32) -> Bounds {
    let (start, end) = (inner.left, inner.right - w);
    let (top, bottom) = (inner.top, inner.bottom - h);
    let (x, y) = match gravity {
        Gravity::TopStart => (start, top),
        Gravity::TopEnd => (end, top),
        Gravity::BottomStart => (start, bottom),
        Gravity::BottomEnd => (end, bottom),
        Gravity::Center => (i32::midpoint(start, end), i32::midpoint(top, bottom)),
        Gravity::CenterStart => (start, i32::midpoint(top, bottom)),
        Gravity::CenterEnd => (end, i32::midpoint(top, bottom)),
    };
    Bounds::new(x, y, x + w, y + h)
}
