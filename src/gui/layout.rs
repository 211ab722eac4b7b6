//! The layout: one dump as an arena of widgets in pre-order.

use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::strings::Strings;
use super::widget::Siblings;
use super::{Bounds, Flags, LayoutHash, Str, Widget};
use droidmux_words::number::count;

/// One dump as a tree (a forest: some dumps have several roots).
///
/// Widgets lie in document order, each knowing where its subtree ends, so a subtree is a slice.
/// Immutable once built: made by [`LayoutBuilder`](super::LayoutBuilder) or read back with [`Layout::decode`].
#[derive(Clone, Serialize, Deserialize)]
pub struct Layout {
    pub(super) nodes: Vec<Node>,
    pub(super) strings: Strings,
    /// 0 to 3, quarter turns as the `rotation` attribute counts them.
    pub(super) rotation: u8,
    /// The hash of the three fields above, computed when it is first asked for.
    #[serde(skip)]
    pub(super) hash: OnceLock<LayoutHash>,
    /// [`Widget::position`] of every widget, computed when one is first asked for.
    #[serde(skip)]
    pub(super) positions: OnceLock<Box<[u32]>>,
}

impl PartialEq for Layout {
    fn eq(&self, other: &Self) -> bool {
        self.rotation == other.rotation && self.nodes == other.nodes && self.strings == other.strings
    }
}

impl Eq for Layout {}

/// A widget's number in its layout, in document order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WidgetId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Node {
    pub(super) class: Str,
    pub(super) resource_id: Str,
    pub(super) text: Str,
    pub(super) description: Str,
    pub(super) hint: Str,
    pub(super) package: Str,
    pub(super) bounds: Bounds,
    pub(super) flags: Flags,
    /// The dump's own `index`: has gaps and is not an identity; kept because tools print it.
    pub(super) index: u16,
    pub(super) parent: Option<WidgetId>,
    /// One past the last widget of the subtree.
    pub(super) end: u32,
}

impl Layout {
    /// The version byte that heads [`Layout::encode`].
    const FORMAT: u8 = 1;

    /// How many widgets there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True for a dump that shows nothing.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Quarter turns, 0 to 3.
    pub fn rotation(&self) -> u8 {
        self.rotation
    }

    /// The widget with this number, if the layout has it.
    pub fn get(&self, id: WidgetId) -> Option<Widget<'_>> {
        ((id.0 as usize) < self.nodes.len()).then_some(Widget { layout: self, id })
    }

    /// All widgets in document order.
    pub fn widgets(&self) -> impl DoubleEndedIterator<Item = Widget<'_>> + ExactSizeIterator {
        (0..self.nodes.len()).map(|n| Widget { layout: self, id: WidgetId(count(n)) })
    }

    /// The widgets without a parent, in document order.
    pub fn roots(&self) -> impl Iterator<Item = Widget<'_>> {
        Siblings { layout: self, next: 0, end: count(self.nodes.len()) }
    }

    /// The content hash: equal for equal layouts, on every machine. Computed once.
    pub fn hash(&self) -> LayoutHash {
        *self.hash.get_or_init(|| {
            let digest = blake3::hash(&self.encode());
            let mut short = [0; 16];
            short.copy_from_slice(&digest.as_bytes()[..16]);
            LayoutHash(short)
        })
    }

    /// [`Widget::position`] of every widget: each is visited once, whereas asking every widget for its earlier siblings
    /// would take the square of their number.
    pub(super) fn positions(&self) -> &[u32] {
        self.positions.get_or_init(|| {
            let mut seen: HashMap<(Option<WidgetId>, &str, &str), u32> = HashMap::new();
            let position = |node: &Node| {
                let kind = (node.parent, self.strings.get(node.class), self.strings.get(node.resource_id));
                let count = seen.entry(kind).or_default();
                std::mem::replace(count, *count + 1)
            };
            self.nodes.iter().map(position).collect()
        })
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
        let positions = self.positions.get().map_or(0, |positions| size_of_val(&**positions));
        size_of::<Self>() + self.nodes.capacity() * size_of::<Node>() + self.strings.heap() + positions
    }

    /// Checks what the builder guarantees, for a layout that came from outside.
    fn is_sound(&self) -> bool {
        if !self.strings.is_sound() || self.rotation > 3 || self.nodes.len() > u32::MAX as usize {
            return false;
        }
        let mut open: Vec<(u32, u32)> = Vec::new();
        for (n, node) in self.nodes.iter().enumerate() {
            let n = count(n);
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

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Layout({} widgets, {})", self.len(), self.hash())
    }
}
