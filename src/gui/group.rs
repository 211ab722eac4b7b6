//! Groups: which widgets of a layout are independent of each other (Genie, point 3).

use super::{Flags, Layout, Widget, WidgetId};

/// The groups of one layout, in document order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    groups: Vec<Group>,
    /// Members with the number of their group, by widget.
    member_of: Vec<(WidgetId, usize)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Group {
    node: WidgetId,
    members: Vec<WidgetId>,
}

impl Groups {
    /// Finds the groups of a layout.
    ///
    /// A group is an inner node whose class is a list, a grid, a recycler, a radio group or a
    /// plain layout group. A chain of non-actionable nodes with one child each counts as its
    /// last node. The members are the actionable children of the most frequent class (the first
    /// one on a tie), at least two.
    pub fn of(layout: &Layout) -> Self {
        let mut found = Self::default();
        for widget in layout.widgets().filter(|w| is_group_class(w.short_class())) {
            let members = members(widget);
            if members.len() >= 2 {
                found.groups.push(Group { node: widget.id(), members });
            }
        }
        for (number, group) in found.groups.iter().enumerate() {
            found.member_of.extend(group.members.iter().map(|&member| (member, number)));
        }
        found.member_of.sort_unstable();
        found
    }

    /// The group a widget is a member of; `None` for a widget that is a member of no group.
    pub fn group_of(&self, widget: WidgetId) -> Option<WidgetId> {
        let at = self.member_of.binary_search_by_key(&widget, |&(member, _)| member).ok()?;
        let (_, number) = self.member_of.get(at)?;
        self.groups.get(*number).map(|group| group.node)
    }

    /// The members of a group in document order; empty when the widget is no group.
    pub fn members(&self, group: WidgetId) -> &[WidgetId] {
        match self.groups.binary_search_by_key(&group, |g| g.node) {
            Ok(at) => &self.groups[at].members,
            Err(_) => &[],
        }
    }

    /// The groups' own nodes in document order.
    pub fn groups(&self) -> impl Iterator<Item = WidgetId> + '_ {
        self.groups.iter().map(|group| group.node)
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The independence relation: in different groups; in one group (its members have one
    /// class); in a group and in none. Two widgets in no group are not independent, nor is a
    /// widget of itself.
    pub fn independent(&self, a: WidgetId, b: WidgetId) -> bool {
        a != b && (self.group_of(a).is_some() || self.group_of(b).is_some())
    }
}

/// True for the classes whose children scroll or repeat: lists, grids, recyclers.
pub(super) fn is_collection_class(short_class: &str) -> bool {
    ["ListView", "GridView", "GridLayout", "RecyclerView"].iter().any(|name| short_class.contains(name))
}

fn is_group_class(short_class: &str) -> bool {
    const PLAIN: [&str; 9] = [
        "RadioGroup",
        "ViewGroup",
        "LinearLayout",
        "RelativeLayout",
        "FrameLayout",
        "ConstraintLayout",
        "TableLayout",
        "TableRow",
        "ChipGroup",
    ];
    is_collection_class(short_class) || PLAIN.iter().any(|name| short_class.contains(name))
}

/// The actionable children of the most frequent class, chains collapsed.
fn members(group: Widget<'_>) -> Vec<WidgetId> {
    let mut by_class: Vec<(&str, Vec<WidgetId>)> = Vec::new();
    for child in visible_children(group).filter_map(actionable_end) {
        match by_class.iter_mut().find(|(class, _)| *class == child.class()) {
            Some((_, members)) => members.push(child.id()),
            None => by_class.push((child.class(), vec![child.id()])),
        }
    }
    let mut best: Vec<WidgetId> = Vec::new();
    for (_, members) in by_class {
        if members.len() > best.len() {
            best = members;
        }
    }
    best
}

/// Where the chain of non-actionable nodes with one child ends, when it ends on something
/// actionable.
fn actionable_end(widget: Widget<'_>) -> Option<Widget<'_>> {
    let mut end = widget;
    while !end.is_actionable() {
        let mut children = visible_children(end);
        end = children.next()?;
        if children.next().is_some() {
            return None;
        }
    }
    Some(end)
}

fn visible_children(widget: Widget<'_>) -> impl Iterator<Item = Widget<'_>> {
    widget.children().filter(|child| !child.has(Flags::INVISIBLE))
}
