//! Scenes: a window's widgets with their places on the screen.

use std::borrow::Cow;

use super::Keys;
use super::style::Style;
use droidmux_gui::{Bounds, Point};

/// One window, laid out. Nodes lie in document order, which is also the order they are drawn in.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The app that it belongs to.
    pub package: String,
    /// Its widgets.
    pub nodes: Vec<Node>,
    /// The window on the screen; a touch outside does not belong to it.
    pub window: Bounds,
}

/// A visible widget.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its container, as a number of a node.
    pub parent: Option<usize>,
    /// Position among its siblings, those off the screen counted.
    pub index: usize,
    /// Whole class name.
    pub class: Cow<'static, str>,
    /// Whole resource-id, `package:id/name`, or empty.
    pub id: String,
    /// What is shown: for an empty field its hint, for a password dots.
    pub text: String,
    /// The content description.
    pub description: String,
    /// What a field shows while it is empty.
    pub hint: String,
    /// The part on the screen.
    pub bounds: Bounds,
    /// The whole widget, of which a part may be scrolled off.
    pub rect: Bounds,
    /// The whole widget without its padding: where its text goes.
    pub inner: Bounds,
    /// What it can do, and its state.
    pub flags: NodeFlags,
    /// Numbers of its handlers in the window's list.
    pub click: Option<usize>,
    /// For a long touch.
    pub long_click: Option<usize>,
    /// For a swipe to the left, and to the right.
    pub swipe: Option<(usize, usize)>,
    /// For a drag handle: its place in its list, and a handler for each place where it can be dropped.
    pub drops: Option<(usize, Vec<usize>)>,
    /// For the enter key in a field.
    pub submit: Option<usize>,
    /// For a container that scrolls.
    pub scroll: Option<Scroll>,
    /// The key of a text field.
    pub field: Option<String>,
    /// How it is drawn.
    pub style: Style,
    /// What a widget that is not the toolkit's says about itself.
    pub said: Option<Said>,
}

/// What a widget of the framework lab says about itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Takes a touch.
    pub clickable: bool,
    /// Takes a long touch.
    pub long_clickable: bool,
    /// Can have the focus.
    pub focusable: bool,
    /// Can be scrolled.
    pub scrollable: bool,
    /// Its place in the order in which its siblings are drawn.
    pub drawing_order: usize,
}

/// What a widget can do, and its state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeFlags {
    /// Has a check mark.
    pub checkable: bool,
    /// The check mark is set.
    pub checked: bool,
    /// Can be operated.
    pub enabled: bool,
    /// Has the focus.
    pub focused: bool,
    /// Is selected.
    pub selected: bool,
    /// Its text is secret.
    pub password: bool,
    /// A field of several lines.
    pub multiline: bool,
    /// What a field takes.
    pub keys: Keys,
    /// True for a field whose text is the hint.
    pub hinting: bool,
}

/// How far a container is scrolled, in pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scroll {
    /// Names the container across layouts.
    pub key: String,
    /// How far it is scrolled.
    pub offset: i32,
    /// The largest offset; 0 when everything fits.
    pub limit: i32,
}

impl Node {
    /// A widget that is not the toolkit's, before anything is known of it.
    pub fn of_a_stranger(parent: Option<usize>) -> Self {
        let nowhere = Bounds::new(0, 0, 0, 0);
        Node {
            parent,
            index: 0,
            class: Cow::Borrowed(""),
            id: String::new(),
            text: String::new(),
            description: String::new(),
            hint: String::new(),
            bounds: nowhere,
            rect: nowhere,
            inner: nowhere,
            flags: NodeFlags::default(),
            click: None,
            long_click: None,
            swipe: None,
            drops: None,
            submit: None,
            scroll: None,
            field: None,
            style: Style::default(),
            said: Some(Said::default()),
        }
    }

    /// Takes a touch.
    pub fn is_clickable(&self) -> bool {
        self.said.map_or(self.click.is_some() || self.field.is_some(), |said| said.clickable)
    }

    /// Takes a long touch.
    pub fn is_long_clickable(&self) -> bool {
        self.said.map_or(self.long_click.is_some() || self.field.is_some(), |said| said.long_clickable)
    }

    /// Can have the focus.
    pub fn is_focusable(&self) -> bool {
        let takes = self.is_clickable() || self.is_long_clickable() || self.scroll.is_some();
        self.said.map_or(takes, |said| said.focusable)
    }

    /// Can be scrolled.
    pub fn is_scrollable(&self) -> bool {
        let moves = self.scroll.as_ref().is_some_and(|scroll| scroll.limit > 0) || self.swipe.is_some();
        self.said.map_or(moves, |said| said.scrollable)
    }

    /// Its place in the order in which siblings are drawn.
    pub fn drawing_order(&self) -> usize {
        self.said.map_or(self.index + 1, |said| said.drawing_order)
    }
}

impl Scene {
    /// The place in its list of the handle that is nearest to the height of a point.
    pub fn place_at(&self, at: Point) -> Option<usize> {
        let handle = |node: &Node| Some((node.rect.center().y.abs_diff(at.y), node.drops.as_ref()?.0));
        self.nodes.iter().filter_map(handle).min().map(|(_, place)| place)
    }

    /// The widget a touch goes to: the topmost at this point that takes touches.
    pub fn touched(&self, at: Point) -> Option<&Node> {
        self.nodes
            .iter()
            .rev()
            .filter(|node| node.bounds.contains(at))
            .find(|node| node.flags.enabled && (node.is_clickable() || node.is_long_clickable()))
    }

    /// The innermost widget at this point for which `takes` holds.
    pub fn innermost(&self, at: Point, takes: impl Fn(&Node) -> bool) -> Option<&Node> {
        self.nodes.iter().rev().find(|node| node.bounds.contains(at) && takes(node))
    }

    /// The field with this key.
    pub fn field(&self, key: &str) -> Option<&Node> {
        self.nodes.iter().find(|node| node.field.as_deref() == Some(key))
    }
}
