//! Active views: which member of each group was acted on last (Genie).

use std::collections::BTreeMap;
use std::sync::Arc;

use droidmux_gui::{Groups, Layout, WidgetId};

/// One layout of a seed test and what happened on it.
#[derive(Clone, Debug)]
pub struct Acted {
    /// lᵢ, on which the next event was done.
    pub layout: Arc<Layout>,
    /// Full class name of the focused activity.
    pub activity: String,
    /// The widget the next event acts on; `None` for events on no widget.
    pub receiver: Option<WidgetId>,
}

/// h of one layout: each group's node with its active member, both widgets of that layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActiveViews(BTreeMap<WidgetId, WidgetId>);

impl ActiveViews {
    /// h₁ … hₙ of a test: hᵢ belongs to lᵢ and has the receiver of eᵢ entered already.
    ///
    /// Each h starts empty and is filled from that of the newest earlier layout of the same
    /// activity: an entry is carried over when both its group and its active member are found
    /// again with a ratio of at least `carry_ratio`, the one as a member of the other.
    pub fn of_test(test: &[Acted], carry_ratio: f64) -> Vec<ActiveViews> {
        let groups: Vec<Groups> = test.iter().map(|acted| Groups::of(&acted.layout)).collect();
        let mut all: Vec<ActiveViews> = Vec::with_capacity(test.len());
        for (n, (acted, own)) in test.iter().zip(&groups).enumerate() {
            let earlier = test.iter().zip(&all).take(n).rev().find(|(e, _)| e.activity == acted.activity);
            let mut active = match earlier {
                Some((earlier, views)) => views.carried(&earlier.layout, &acted.layout, own, carry_ratio),
                None => ActiveViews::default(),
            };
            if let Some(receiver) = acted.receiver
                && let Some(group) = own.group_of(receiver)
            {
                active.0.insert(group, receiver);
            }
            all.push(active);
        }
        all
    }

    /// The active member of a group; `None` when all its members are inactive.
    pub fn active(&self, group: WidgetId) -> Option<WidgetId> {
        self.0.get(&group).copied()
    }

    /// True for every widget but a group's active member; widgets in no group are inactive.
    pub fn is_inactive(&self, widget: WidgetId, groups: &Groups) -> bool {
        groups.group_of(widget).is_none_or(|group| self.active(group) != Some(widget))
    }

    fn carried(&self, from: &Layout, to: &Layout, groups: &Groups, carry_ratio: f64) -> ActiveViews {
        let again = |widget: WidgetId| {
            let found = to.resolve(&from.selector(widget));
            found.widget().filter(|_| f64::from(found.ratio()) >= carry_ratio)
        };
        let entries = self.0.iter().filter_map(|(&group, &member)| {
            let (group, member) = (again(group)?, again(member)?);
            groups.members(group).contains(&member).then_some((group, member))
        });
        ActiveViews(entries.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{Bounds, Flags, LayoutBuilder, NewWidget};

    /// Lists of buttons, one per line; a line is `id: label label …`.
    fn page(text: &str) -> Arc<Layout> {
        let flags = Flags::ENABLED.with(Flags::CLICKABLE, true);
        let bounds = Bounds::new(0, 0, 9, 9);
        let mut builder = LayoutBuilder::new();
        builder.open(NewWidget { class: "Root", ..NewWidget::default() });
        for line in text.lines() {
            let Some((id, labels)) = line.trim().split_once(':') else { continue };
            builder.open(NewWidget { class: "ListView", resource_id: id, ..NewWidget::default() });
            for text in labels.split_whitespace() {
                builder.open(NewWidget { class: "Button", text, flags, bounds, ..NewWidget::default() });
                builder.close();
            }
            builder.close();
        }
        Arc::new(builder.finish())
    }

    fn acted(activity: &str, layout: &Arc<Layout>, label: &str) -> Acted {
        let receiver = layout.widgets().find(|w| w.text() == label).map(|w| w.id());
        Acted { layout: layout.clone(), activity: activity.into(), receiver }
    }

    fn shown(views: &ActiveViews, layout: &Layout) -> String {
        let text = |id: WidgetId| layout.get(id).map_or("", |w| w.text());
        views.0.values().map(|&w| text(w)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_view_is_active_until_another_of_its_group_is() {
        let main = page("days: Mon Tue Wed\ntabs: One Two");
        let other = page("rows: A B");
        let fewer = page("days: Mon Tue\ntabs: One Two");
        let without = page("tabs: One Two");
        for (name, test, expected) in [
            (
                "within a page",
                vec![("m", &main, "Mon"), ("m", &main, "Two"), ("m", &main, "Tue"), ("m", &main, "")],
                "Mon | Mon Two | Tue Two | Tue Two",
            ),
            (
                "over another activity",
                vec![("m", &main, "Mon"), ("o", &other, "B"), ("m", &main, ""), ("o", &other, "")],
                "Mon | B | Mon | B",
            ),
            (
                "from one earlier layout only",
                vec![("m", &main, "Mon"), ("m", &without, "One"), ("m", &main, "")],
                "Mon | One | One",
            ),
            ("a lost member", vec![("m", &main, "Wed"), ("m", &fewer, "")], "Wed | "),
        ] {
            let test: Vec<Acted> = test.into_iter().map(|(a, l, label)| acted(a, l, label)).collect();
            let views = ActiveViews::of_test(&test, 0.9);
            let shown: Vec<String> = views.iter().zip(&test).map(|(v, a)| shown(v, &a.layout)).collect();
            assert_eq!(shown.join(" | "), expected, "{name}");
        }
    }

    #[test]
    fn inactive_is_everything_but_the_active_member() {
        let main = page("days: Mon Tue Wed");
        let views = ActiveViews::of_test(&[acted("m", &main, "Tue")], 0.5);
        let groups = Groups::of(&main);
        let inactive = main.widgets().filter(|w| views[0].is_inactive(w.id(), &groups));
        assert_eq!(inactive.map(|w| w.text()).collect::<Vec<_>>(), ["", "", "Mon", "Wed"]);
    }
}
