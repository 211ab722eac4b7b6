//! Which layouts can be compared: Genie's rule for layouts that show the same function.

use super::effect::label_text;
use super::group::is_collection_class;
use super::{Bounds, Flags, Layout, Page, Widget, WidgetId};

/// Genie's rule for layouts that show the same function: the same activity, the same count and
/// classes of first-level children, neither a drawer nor a dialog against a full screen.
pub fn comparable(a: (Page<'_>, &Layout), b: (Page<'_>, &Layout)) -> bool {
    a.0 == b.0 && Arrangement::of(a.1) == Arrangement::of(b.1)
}

/// What [`comparable`] looks at in a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrangement<'a> {
    /// The classes of the first-level children.
    first_level: Vec<&'a str>,
    open_drawer: bool,
    dialog: bool,
}

impl<'a> Arrangement<'a> {
    /// Of the widgets that show a text, scroll or can be acted on; decoration is left out.
    pub fn of(layout: &'a Layout) -> Self {
        let substantial = Substantial::of(layout);
        Self {
            first_level: substantial.first_level().into_iter().map(Widget::class).collect(),
            open_drawer: substantial.has_open_drawer(),
            dialog: is_dialog(layout),
        }
    }
}

/// A dialog's window starts inside the screen, at neither its left nor its upper edge.
pub fn is_dialog(layout: &Layout) -> bool {
    let mut roots = layout.roots().map(Widget::bounds).filter(|bounds| !bounds.is_empty()).peekable();
    roots.peek().is_some() && roots.all(|bounds| bounds.left > 0 && bounds.top > 0)
}

/// Whether a window came up within the bounds of a page and leaves more than a fifth of it free: a dialog or a popup,
/// wherever it is on the screen. [`is_dialog`] tells it without the page, but not when an edge of the screen cuts it
/// off. What a keyboard leaves of a page is no window: it begins where the page does and is as wide.
pub fn lies_over(window: &Layout, page: &Layout) -> bool {
    let area = |bounds: Bounds| i64::from(bounds.width()) * i64::from(bounds.height());
    let (Some(inner), Some(outer)) = (extent(window), extent(page)) else { return false };
    let is_cut_short = (inner.left, inner.top, inner.right) == (outer.left, outer.top, outer.right);
    inner.intersection(outer) == inner && area(inner) * 5 < area(outer) * 4 && !is_cut_short
}

/// The bounds around all roots.
fn extent(layout: &Layout) -> Option<Bounds> {
    let roots = layout.roots().map(Widget::bounds).filter(|bounds| !bounds.is_empty());
    roots.reduce(|a, b| {
        Bounds::new(a.left.min(b.left), a.top.min(b.top), a.right.max(b.right), a.bottom.max(b.bottom))
    })
}

/// Whether a drawer lies over the page. A drawer layout shows its drawer when it has more than the main content as
/// visible child, or one that leaves room at its side: an open drawer hides the content from accessibility, and so from
/// many dumps, and is never as wide as the layout. That may leave room for the navigation bar of a turned phone.
pub fn has_open_drawer(layout: &Layout) -> bool {
    Substantial::of(layout).has_open_drawer()
}

/// What an open drawer lies above: the other members of its layout, which no finger reaches.
pub(crate) fn behind_drawer(layout: &Layout) -> Vec<WidgetId> {
    let drawers: Vec<Widget<'_>> = layout.widgets().filter(|widget| is_drawer_layout(*widget)).collect();
    if drawers.is_empty() {
        return Vec::new();
    }
    let substantial = Substantial::of(layout);
    // The drawer comes last: it is drawn above the others.
    let behind = drawers.into_iter().flat_map(|drawer| {
        let mut members = substantial.children(drawer);
        members.pop();
        members
    });
    behind.map(Widget::id).collect()
}

fn is_drawer_layout(widget: Widget<'_>) -> bool {
    widget.short_class().contains("DrawerLayout")
}

/// The widgets that show a text, scroll or can be acted on, or that contain something that does: not mere decoration.
struct Substantial<'a> {
    layout: &'a Layout,
    holds: Vec<bool>,
}

impl<'a> Substantial<'a> {
    fn of(layout: &'a Layout) -> Self {
        let mut holds = vec![false; layout.len()];
        for widget in layout.widgets().rev() {
            let below = widget.children().any(|child| holds[child.id().0 as usize]);
            let itself = !label_text(widget).is_empty() || widget.is_actionable() || is_scrolling(widget);
            holds[widget.id().0 as usize] = !widget.has(Flags::INVISIBLE) && (below || itself);
        }
        Self { layout, holds }
    }

    fn children(&self, widget: Widget<'a>) -> Vec<Widget<'a>> {
        widget.children().filter(|child| self.holds[child.id().0 as usize]).collect()
    }

    /// The first-level children: those of the first node, from the root down, with more than one child that shows or
    /// does something. The contents of a list or a scrolling part are not examined: its rows come and go while the page
    /// stays the same.
    fn first_level(&self) -> Vec<Widget<'a>> {
        let mut level: Vec<_> = self.layout.roots().filter(|w| self.holds[w.id().0 as usize]).collect();
        while let [only] = level[..] {
            let children = self.children(only);
            if children.is_empty() || only.is_actionable() || is_scrolling(only) {
                break;
            }
            level = children;
        }
        level
    }

    fn has_open_drawer(&self) -> bool {
        let is_drawer = |layout: Widget<'_>, child: &Widget<'_>| {
            let (whole, part) = (i64::from(layout.bounds().width()), i64::from(child.bounds().width()));
            part * 20 < whole * 19
        };
        let mut drawers = self.layout.widgets().filter(|widget| is_drawer_layout(*widget));
        drawers.any(|drawer| {
            let children = self.children(drawer);
            children.len() > 1 || children.iter().any(|child| is_drawer(drawer, child))
        })
    }
}

fn is_scrolling(widget: Widget<'_>) -> bool {
    widget.has(Flags::SCROLLABLE) || is_collection_class(widget.short_class())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, LayoutBuilder, NewWidget};

    /// One widget a line as `Class text`, indented by two spaces a level, all with the root's
    /// bounds; those marked `left` leave a fifth of it free.
    fn layout(root: Bounds, lines: &str) -> Layout {
        let mut builder = LayoutBuilder::new();
        for line in lines.lines() {
            while builder.depth() > (line.len() - line.trim_start().len()) / 2 {
                builder.close();
            }
            let (class, text) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            let (text, bounds) = match text {
                "left" => {
                    ("", Bounds::new(root.left, root.top, root.left + root.width() * 4 / 5, root.bottom))
                }
                text => (text, root),
            };
            builder.open(NewWidget { class, text, bounds, ..NewWidget::default() });
        }
        builder.finish()
    }

    #[test]
    fn what_shows_the_same_function() {
        let full = Bounds::new(0, 0, 800, 1280);
        let inner = Bounds::new(40, 400, 760, 800);
        let page = "Frame\n  Linear\n    Bar Notes\n    ListView\n      Text A\n      Text B";
        let fewer = "Frame\n  Linear\n    Bar Tasks\n    ListView";
        let more = "Frame\n  Linear\n    Bar Notes\n    Text Sorted\n    ListView";
        let other = "Frame\n  Linear\n    Bar Notes\n    Text Nothing here";
        let decorated = "Frame\n  Linear\n    Bar Notes\n    ListView\n  View\n  View";
        let closed = "Frame\n  DrawerLayout\n    Linear\n      Bar Notes\n      ListView";
        let open = "Frame\n  DrawerLayout\n    Linear\n      Bar Notes\n      ListView\n    Linear\n      Text Settings";
        let hiding = "Frame\n  DrawerLayout\n    Linear left\n      Text Settings";
        let alone = "Frame\n  DrawerLayout\n    Linear\n      Text Settings";
        let cases = [
            ("a drawer that hides the content", (full, alone), (full, hiding), false),
            ("rows and texts", (full, page), (full, fewer), true),
            ("bars of the system", (full, page), (full, decorated), true),
            ("one child more", (full, page), (full, more), false),
            ("another class of child", (full, page), (full, other), false),
            ("a dialog against a full screen", (full, page), (inner, page), false),
            ("two dialogs", (inner, page), (Bounds::new(10, 20, 300, 400), page), true),
            ("an open drawer", (full, closed), (full, open), false),
        ];
        for (what, a, b, expected) in cases {
            let (a, b) = (layout(a.0, a.1), layout(b.0, b.1));
            let here = Page { package: "p", activity: "A" };
            assert_eq!(comparable((here, &a), (here, &b)), expected, "{what}");
            assert_eq!(comparable((here, &b), (here, &a)), expected, "{what}, turned round");
            let elsewhere = Page { package: "p", activity: "B" };
            assert!(!comparable((here, &a), (elsewhere, &b)), "{what}, in two activities");
        }
    }

    #[test]
    fn a_window_lies_over_a_page_wherever_it_stands() {
        let page = Bounds::new(0, 0, 800, 1280);
        for (window, over, dialog) in [
            (Bounds::new(40, 400, 760, 800), true, true),
            // Cut off at the upper edge, at the left one, in the corner.
            (Bounds::new(40, 0, 760, 300), true, false),
            (Bounds::new(0, 400, 500, 800), true, false),
            (Bounds::new(0, 0, 500, 300), true, false),
            // As wide as the page, at its lower edge.
            (Bounds::new(0, 800, 800, 1280), true, false),
            // The same page, the page above a keyboard, and what is not within it.
            (page, false, false),
            (Bounds::new(0, 0, 800, 1100), false, false),
            (Bounds::new(0, 0, 800, 700), false, false),
            (Bounds::new(600, 0, 1_000, 300), false, false),
        ] {
            let (window, page) = (layout(window, "List\n  Text Open"), layout(page, "Frame\n  Text Notes"));
            assert_eq!(lies_over(&window, &page), over, "{window:?}");
            assert_eq!(is_dialog(&window), dialog, "{window:?}");
        }
        let nothing = LayoutBuilder::new().finish();
        assert!(!lies_over(&nothing, &layout(page, "Frame")) && !lies_over(&layout(page, "Frame"), &nothing));
    }

    #[test]
    fn a_drawer_is_open_where_it_leaves_room_in_its_own_layout() {
        // The layout's width on a screen of 1,000, the width of what it holds, whether a drawer is open.
        for (whole, part, expected) in [
            (1_000, 1_000, false),
            (1_000, 800, true),
            (900, 900, false),
            (900, 700, true),
            (900, 880, false),
        ] {
            let mut builder = LayoutBuilder::new();
            for (class, text, right) in [
                ("Frame", "", 1_000),
                ("DrawerLayout", "", whole),
                ("Linear", "", part),
                ("Text", "Notes", part),
            ] {
                let bounds = Bounds::new(0, 0, right, 600);
                builder.open(NewWidget { class, text, bounds, ..NewWidget::default() });
            }
            assert_eq!(has_open_drawer(&builder.finish()), expected, "{part} of {whole}");
        }
    }
}
