//! The layout: one dump as an arena of widgets in pre-order.

use std::collections::HashMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::strings::Strings;
use super::{Bounds, LayoutHash, Str};

/// One dump as a tree (a forest: some dumps have several roots).
///
/// Widgets lie in document order, each knowing where its subtree ends, so a subtree is a slice.
/// Immutable once built: made by [`LayoutBuilder`] or read back with [`Layout::decode`].
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    nodes: Vec<Node>,
    strings: Strings,
    /// 0 to 3, quarter turns as the `rotation` attribute counts them.
    rotation: u8,
}

/// A widget's number in its layout, in document order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WidgetId(pub u32);

/// A widget of a layout: a cheap handle with the attributes as methods.
#[derive(Clone, Copy)]
pub struct Widget<'a> {
    layout: &'a Layout,
    id: WidgetId,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Node {
    class: Str,
    resource_id: Str,
    text: Str,
    description: Str,
    hint: Str,
    package: Str,
    bounds: Bounds,
    flags: Flags,
    /// The dump's own `index`: has gaps, is no identity; kept because tools print it.
    index: u16,
    parent: Option<WidgetId>,
    /// One past the last widget of the subtree.
    end: u32,
}

/// The boolean attributes of a widget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Flags(u16);

impl Flags {
    pub const CHECKABLE: Flags = Flags(1);
    pub const CHECKED: Flags = Flags(1 << 1);
    pub const CLICKABLE: Flags = Flags(1 << 2);
    pub const ENABLED: Flags = Flags(1 << 3);
    pub const FOCUSABLE: Flags = Flags(1 << 4);
    pub const FOCUSED: Flags = Flags(1 << 5);
    pub const SCROLLABLE: Flags = Flags(1 << 6);
    pub const LONG_CLICKABLE: Flags = Flags(1 << 7);
    pub const PASSWORD: Flags = Flags(1 << 8);
    pub const SELECTED: Flags = Flags(1 << 9);
    /// `visible-to-user="false"`; most dumps leave invisible widgets out.
    pub const INVISIBLE: Flags = Flags(1 << 10);

    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    #[must_use]
    pub fn with(self, other: Flags, on: bool) -> Flags {
        if on { Flags(self.0 | other.0) } else { Flags(self.0 & !other.0) }
    }
}

impl Layout {
    /// The version byte that heads [`Layout::encode`].
    const FORMAT: u8 = 1;

    /// How many widgets there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Quarter turns, 0 to 3.
    pub fn rotation(&self) -> u8 {
        self.rotation
    }

    /// The widget of this number, if the layout has it.
    pub fn get(&self, id: WidgetId) -> Option<Widget<'_>> {
        ((id.0 as usize) < self.nodes.len()).then_some(Widget { layout: self, id })
    }

    /// All widgets in document order.
    pub fn widgets(&self) -> impl DoubleEndedIterator<Item = Widget<'_>> + ExactSizeIterator {
        (0..self.nodes.len()).map(|n| Widget { layout: self, id: WidgetId(n as u32) })
    }

    /// The widgets without a parent, in document order.
    pub fn roots(&self) -> impl Iterator<Item = Widget<'_>> {
        Siblings { layout: self, next: 0, end: self.nodes.len() as u32 }
    }

    /// The content hash: equal for equal layouts, on every machine.
    pub fn hash(&self) -> LayoutHash {
        let digest = blake3::hash(&self.encode());
        let mut short = [0; 16];
        short.copy_from_slice(&digest.as_bytes()[..16]);
        LayoutHash(short)
    }

    /// The canonical encoding, as stored and hashed.
    pub fn encode(&self) -> Vec<u8> {
        // Into a growing buffer: the only error postcard could report is a full one.
        postcard::to_extend(self, vec![Self::FORMAT]).unwrap_or_default()
    }

    /// Reads [`Layout::encode`] back; `None` when the bytes are not a sound layout.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (&Self::FORMAT, rest) = bytes.split_first()? else { return None };
        let layout: Self = postcard::from_bytes(rest).ok()?;
        layout.is_sound().then_some(layout)
    }

    /// Bytes this layout takes in memory, heap included.
    pub fn memory(&self) -> usize {
        size_of::<Self>() + self.nodes.capacity() * size_of::<Node>() + self.strings.heap()
    }

    /// Checks what the builder guarantees, for a layout that came from outside.
    fn is_sound(&self) -> bool {
        if !self.strings.is_sound() || self.rotation > 3 || self.nodes.len() > u32::MAX as usize {
            return false;
        }
        let mut open: Vec<(u32, u32)> = Vec::new();
        for (n, node) in self.nodes.iter().enumerate() {
            let n = n as u32;
            while open.last().is_some_and(|&(_, end)| end <= n) {
                open.pop();
            }
            let parent = open.last().copied();
            let inside = parent.is_none_or(|(_, end)| node.end <= end);
            let texts = [node.class, node.resource_id, node.text, node.description, node.hint, node.package];
            if node.end <= n
                || node.end as usize > self.nodes.len()
                || !inside
                || node.parent.map(|p| p.0) != parent.map(|(p, _)| p)
                || !texts.iter().all(|t| t.is_in(&self.strings))
            {
                return false;
            }
            open.push((n, node.end));
        }
        true
    }
}

impl<'a> Widget<'a> {
    pub fn id(self) -> WidgetId {
        self.id
    }

    pub fn layout(self) -> &'a Layout {
        self.layout
    }

    /// The class as dumped, e.g. `android.widget.TextView`.
    pub fn class(self) -> &'a str {
        self.str(self.node().class)
    }

    /// The last part of the class: `TextView`.
    pub fn short_class(self) -> &'a str {
        let class = self.class();
        class.rsplit('.').next().unwrap_or(class)
    }

    pub fn resource_id(self) -> &'a str {
        self.str(self.node().resource_id)
    }

    /// The resource-id without its package: `save` of `a.b:id/save`.
    pub fn short_id(self) -> &'a str {
        let id = self.resource_id();
        id.rsplit_once(":id/").map_or(id, |(_, name)| name)
    }

    pub fn text(self) -> &'a str {
        self.str(self.node().text)
    }

    pub fn description(self) -> &'a str {
        self.str(self.node().description)
    }

    pub fn hint(self) -> &'a str {
        self.str(self.node().hint)
    }

    pub fn package(self) -> &'a str {
        self.str(self.node().package)
    }

    pub fn bounds(self) -> Bounds {
        self.node().bounds
    }

    pub fn flags(self) -> Flags {
        self.node().flags
    }

    pub fn has(self, flag: Flags) -> bool {
        self.node().flags.has(flag)
    }

    /// The dump's `index` attribute: informative only.
    pub fn index(self) -> u16 {
        self.node().index
    }

    pub fn parent(self) -> Option<Widget<'a>> {
        self.node().parent.map(|id| Widget { layout: self.layout, id })
    }

    /// From the parent up to the root.
    pub fn ancestors(self) -> impl Iterator<Item = Widget<'a>> {
        std::iter::successors(self.parent(), |w| w.parent())
    }

    /// 0 for a root.
    pub fn depth(self) -> usize {
        self.ancestors().count()
    }

    pub fn is_leaf(self) -> bool {
        self.node().end == self.id.0 + 1
    }

    pub fn children(self) -> impl Iterator<Item = Widget<'a>> {
        Siblings { layout: self.layout, next: self.id.0 + 1, end: self.node().end }
    }

    /// The widget and all below it, in document order.
    pub fn subtree(self) -> impl DoubleEndedIterator<Item = Widget<'a>> + ExactSizeIterator {
        let layout = self.layout;
        let range = self.id.0 as usize..self.node().end as usize;
        range.map(move |n| Widget { layout, id: WidgetId(n as u32) })
    }

    /// True for the widget itself and for everything above it.
    pub fn is_inside(self, ancestor: WidgetId) -> bool {
        let end = self.layout.nodes.get(ancestor.0 as usize).map_or(0, |n| n.end);
        (ancestor.0..end).contains(&self.id.0)
    }

    fn node(self) -> &'a Node {
        &self.layout.nodes[self.id.0 as usize]
    }

    fn str(self, str: Str) -> &'a str {
        self.layout.strings.get(str)
    }
}

struct Siblings<'a> {
    layout: &'a Layout,
    next: u32,
    end: u32,
}

impl<'a> Iterator for Siblings<'a> {
    type Item = Widget<'a>;

    fn next(&mut self) -> Option<Widget<'a>> {
        if self.next >= self.end {
            return None;
        }
        let widget = Widget { layout: self.layout, id: WidgetId(self.next) };
        self.next = widget.node().end;
        Some(widget)
    }
}

/// The attributes of a widget about to be added.
#[derive(Clone, Copy, Debug, Default)]
pub struct NewWidget<'a> {
    pub class: &'a str,
    pub resource_id: &'a str,
    pub text: &'a str,
    pub description: &'a str,
    pub hint: &'a str,
    pub package: &'a str,
    pub bounds: Bounds,
    pub flags: Flags,
    pub index: u16,
}

/// Builds a layout in document order: `open` a widget, its children, then `close` it.
#[derive(Debug, Default)]
pub struct LayoutBuilder {
    nodes: Vec<Node>,
    strings: Strings,
    seen: HashMap<Box<str>, Str>,
    open: Vec<WidgetId>,
    rotation: u8,
}

impl LayoutBuilder {
    pub fn new() -> Self {
        Self::default()
    }

    /// Quarter turns; taken modulo 4.
    pub fn rotation(&mut self, quarter_turns: u8) {
        self.rotation = quarter_turns % 4;
    }

    pub fn open(&mut self, widget: NewWidget<'_>) -> WidgetId {
        let id = WidgetId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        let node = Node {
            class: self.intern(widget.class),
            resource_id: self.intern(widget.resource_id),
            text: self.intern(widget.text),
            description: self.intern(widget.description),
            hint: self.intern(widget.hint),
            package: self.intern(widget.package),
            bounds: widget.bounds,
            flags: widget.flags,
            index: widget.index,
            parent: self.open.last().copied(),
            end: id.0.saturating_add(1),
        };
        self.nodes.push(node);
        self.open.push(id);
        id
    }

    /// Closes the widget opened last; without effect when none is open.
    pub fn close(&mut self) {
        if let Some(id) = self.open.pop() {
            self.nodes[id.0 as usize].end = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        }
    }

    /// How many widgets are open: the depth of the next one.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Closes whatever is open and gives the layout.
    pub fn finish(mut self) -> Layout {
        while !self.open.is_empty() {
            self.close();
        }
        self.nodes.shrink_to_fit();
        self.strings.shrink();
        Layout { nodes: self.nodes, strings: self.strings, rotation: self.rotation }
    }

    fn intern(&mut self, text: &str) -> Str {
        if text.is_empty() {
            return Str::EMPTY;
        }
        if let Some(&str) = self.seen.get(text) {
            return str;
        }
        let str = self.strings.push(text);
        self.seen.insert(text.into(), str);
        str
    }
}

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Layout({} widgets, {})", self.len(), self.hash())
    }
}
