//! A widget of a layout: its attributes and its place in the tree.

use super::dates::is_dated;
use super::group::is_list_class;
use super::layout::Node;
use super::{Bounds, Flags, Layout, Str, WidgetId};
use droidmux_words::number::count;

/// A widget of a layout: a cheap handle with the attributes as methods.
#[derive(Clone, Copy)]
pub struct Widget<'a> {
    pub(super) layout: &'a Layout,
    pub(super) id: WidgetId,
}

impl<'a> Widget<'a> {
    /// Its number in the layout.
    pub fn id(self) -> WidgetId {
        self.id
    }

    /// The layout it is a widget of.
    pub fn layout(self) -> &'a Layout {
        self.layout
    }

    /// The class as dumped, e.g. `android.widget.TextView`.
    pub fn class(self) -> &'a str {
        self.str(self.node().class)
    }

    /// The last part of the class: `TextView`.
    pub fn short_class(self) -> &'a str {
        short_class(self.class())
    }

    /// `package:id/name` as dumped, empty when it has none.
    pub fn resource_id(self) -> &'a str {
        self.str(self.node().resource_id)
    }

    /// The resource-id without its package: `save` of `a.b:id/save`.
    pub fn short_id(self) -> &'a str {
        short_id(self.resource_id())
    }

    /// The text it shows; bullets for a password field, the hint for an empty field on some systems.
    pub fn text(self) -> &'a str {
        self.str(self.node().text)
    }

    /// The `content-desc`, which screen readers read out; empty when it has none.
    pub fn description(self) -> &'a str {
        self.str(self.node().description)
    }

    /// The description by what lasts of it: all dates are one, since the days of a calendar do the same, as rows of a list
    /// do, and tomorrow others are there.
    pub fn undated_description(self) -> &'a str {
        match self.description() {
            dated if is_dated(dated) => "date",
            description => description,
        }
    }

    /// What an empty field asks for; empty when it has none or the dump does not tell.
    pub fn hint(self) -> &'a str {
        self.str(self.node().hint)
    }

    /// The package of the app it belongs to: it may vary within one dump.
    pub fn package(self) -> &'a str {
        self.str(self.node().package)
    }

    /// Where it is on the screen, in pixels; may be empty or lie off the screen.
    pub fn bounds(self) -> Bounds {
        self.node().bounds
    }

    /// All its boolean attributes.
    pub fn flags(self) -> Flags {
        self.node().flags
    }

    /// True when all these flags are set.
    pub fn has(self, flag: Flags) -> bool {
        self.node().flags.contains(flag)
    }

    /// The dump's `index` attribute: informative only.
    pub fn index(self) -> u16 {
        self.node().index
    }

    /// The widget it lies directly in; `None` for a root.
    pub fn parent(self) -> Option<Widget<'a>> {
        self.node().parent.map(|id| Widget { layout: self.layout, id })
    }

    /// From the parent up to the root.
    pub fn ancestors(self) -> impl Iterator<Item = Widget<'a>> {
        std::iter::successors(self.parent(), |w| w.parent())
    }

    /// How many earlier siblings, for a root earlier roots, have the same class and resource-id.
    pub fn position(self) -> usize {
        self.layout.positions().get(self.id.0 as usize).map_or(0, |position| *position as usize)
    }

    /// 0 for a root.
    pub fn depth(self) -> usize {
        self.ancestors().count()
    }

    /// True when it has no children.
    pub fn is_leaf(self) -> bool {
        self.node().end == self.id.0 + 1
    }

    /// True for a list, a grid or a recycler: what lies in it is data.
    pub fn is_list(self) -> bool {
        is_list_class(self.short_class())
    }

    /// True for what is made to be pressed, by its class: a button, with words or a picture, a radio button.
    pub fn is_button(self) -> bool {
        self.short_class().ends_with("Button")
    }

    /// The widgets directly in it, in document order.
    pub fn children(self) -> impl Iterator<Item = Widget<'a>> {
        Siblings { layout: self.layout, next: self.id.0 + 1, end: self.node().end }
    }

    /// The widget and all below it, in document order.
    pub fn subtree(self) -> impl DoubleEndedIterator<Item = Widget<'a>> + ExactSizeIterator {
        let layout = self.layout;
        let range = self.id.0 as usize..self.node().end as usize;
        range.map(move |n| Widget { layout, id: WidgetId(count(n)) })
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

/// Widgets one after the other on the same level.
pub(super) struct Siblings<'a> {
    pub(super) layout: &'a Layout,
    pub(super) next: u32,
    /// One past the last widget below their parent.
    pub(super) end: u32,
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

/// The last part of a class: `TextView` of `android.widget.TextView`.
pub fn short_class(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

/// A resource-id without its package: `save` of `a.b:id/save`; one of another form as it is.
pub fn short_id(id: &str) -> &str {
    id.rsplit_once(":id/").map_or(id, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::{LayoutBuilder, NewWidget};

    proptest! {
        #[test]
        fn positions_count_earlier_siblings_of_a_kind(nodes in prop::collection::vec((0usize..4, 0usize..2, 0usize..2), 0..30)) {
            let mut builder = LayoutBuilder::new();
            for (depth, class, id) in nodes {
                while builder.depth() > depth {
                    builder.close();
                }
                let (class, resource_id) = (["A", "B"][class], ["a", ""][id]);
                builder.open(NewWidget { class, resource_id, ..NewWidget::default() });
            }
            let layout = builder.finish();
            for widget in layout.widgets() {
                let siblings: Vec<_> = match widget.parent() {
                    Some(parent) => parent.children().collect(),
                    None => layout.roots().collect(),
                };
                let kind = (widget.class(), widget.resource_id());
                let earlier = siblings.iter().filter(|w| w.id() < widget.id() && (w.class(), w.resource_id()) == kind);
                prop_assert_eq!(widget.position(), earlier.count());
            }
        }
    }
}
