//! Groups: which widgets of a layout are independent of each other (Genie).

use std::collections::HashMap;

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

    /// The members of a group in document order; empty when the widget is not a group.
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

    /// True when no two widgets of the layout are independent.
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

/// True for the classes whose children scroll or repeat: lists, and grids that a page lays out by itself.
pub(super) fn is_collection_class(short_class: &str) -> bool {
    is_list_class(short_class) || short_class.contains("GridLayout")
}

/// True for the classes that show rows of data: lists, grids, recyclers.
pub(super) fn is_list_class(short_class: &str) -> bool {
    // Asked for every ancestor of every widget, most of which are layouts: one check rules those out.
    let views = ["ListView", "GridView", "RecyclerView"];
    short_class.contains("View") && views.iter().any(|name| short_class.contains(name))
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
    let mut by_class: Vec<Vec<WidgetId>> = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for child in visible_children(group).filter_map(actionable_end) {
        let number = *numbers.entry(child.class()).or_insert(by_class.len());
        match by_class.get_mut(number) {
            Some(members) => members.push(child.id()),
            None => by_class.push(vec![child.id()]),
        }
    }
    let mut best: Vec<WidgetId> = Vec::new();
    for members in by_class {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LayoutBuilder, NewWidget};

    /// One widget a line, indented by two spaces a level; `*` behind the class: clickable.
    fn layout(lines: &str) -> Layout {
        let mut builder = LayoutBuilder::new();
        for line in lines.lines().filter(|line| !line.trim().is_empty()) {
            let class = line.trim();
            while builder.depth() > (line.len() - line.trim_start().len()) / 2 {
                builder.close();
            }
            let flags = Flags::ENABLED.with(Flags::CLICKABLE, class.ends_with('*'));
            builder.open(NewWidget { class: class.trim_end_matches('*'), flags, ..NewWidget::default() });
        }
        builder.finish()
    }

    fn shown(lines: &str) -> String {
        let groups = Groups::of(&layout(lines));
        let group = |node: WidgetId| {
            let members: Vec<String> =
                groups.members(node).iter().map(|member| member.0.to_string()).collect();
            format!("{}:{}", node.0, members.join(","))
        };
        groups.groups().map(group).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn groups_and_their_members() {
        let cases = [
            ("rows of a list", "ListView\n  Row*\n  Row*\n  Row*", "0:1,2,3"),
            ("one row is no group", "ListView\n  Row*", ""),
            ("no group class", "android.view.View\n  Button*\n  Button*", ""),
            ("the most frequent class", "LinearLayout\n  Button*\n  Image*\n  Image*\n  TextView", "0:2,3"),
            ("the first class on a tie", "LinearLayout\n  A*\n  B*\n  A*\n  B*", "0:1,3"),
            (
                "chains end on what is actionable",
                "GridView\n  Frame\n    Cell*\n  Frame\n    Wrap\n      Cell*",
                "0:2,5",
            ),
            ("no chain where paths part", "RecyclerView\n  Row\n    A*\n    B*\n  Row\n    A*\n    B*", ""),
            ("nested", "LinearLayout\n  Tab*\n  Tab*\n  RadioGroup\n    Radio*\n    Radio*", "0:1,2 3:4,5"),
        ];
        for (what, lines, expected) in cases {
            assert_eq!(shown(lines), expected, "{what}");
        }
    }

    #[test]
    fn independence() {
        // 0 group with 1, 2; 3 group with 4, 5; 6 and 7 in none.
        let layout =
            layout("LinearLayout\n  Tab*\n  Tab*\n  RadioGroup\n    Radio*\n    Radio*\n  Menu*\n  Fab*");
        let groups = Groups::of(&layout);
        let cases = [
            (1, 2, true, "one group"),
            (1, 4, true, "two groups"),
            (6, 4, true, "none and a group"),
            (6, 7, false, "none and none"),
            (1, 1, false, "itself"),
        ];
        for (a, b, expected, what) in cases {
            assert_eq!(groups.independent(WidgetId(a), WidgetId(b)), expected, "{what}");
            assert_eq!(groups.independent(WidgetId(b), WidgetId(a)), expected, "{what}, turned round");
        }
        assert_eq!(groups.group_of(WidgetId(5)), Some(WidgetId(3)));
        assert_eq!((groups.group_of(WidgetId(6)), groups.members(WidgetId(6))), (None, &[][..]));
    }
}
