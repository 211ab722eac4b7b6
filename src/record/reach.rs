//! How far a session may reach: which parts of its app it may touch, and how the system's questions are answered.

use serde::{Deserialize, Serialize};

use super::{IgnoreRule, SessionDefinition};
use droidmux_gui::{Layout, Widget, WidgetId};

/// What happens with the permissions that an app asks the user for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PermissionAnswer {
    /// They are granted at every reset, and allowed if the system asks nevertheless.
    #[default]
    Allow,
    /// None is granted, and the system's question is answered with no.
    Deny,
}

impl SessionDefinition {
    /// Whether this activity or window counts as the app: `avoid` has no rule for the whole page, and if `only` names
    /// pages, it names this one.
    pub fn allows_page(&self, activity: &str) -> bool {
        let is_here = |rule: &&IgnoreRule| rule.is_of_page(activity);
        let mut pages = self.only.iter().filter(|rule| !rule.names_widget()).peekable();
        let named = pages.peek().is_none() || pages.any(|rule| is_here(&rule));
        named && !self.avoid.iter().filter(|rule| !rule.names_widget()).any(|rule| is_here(&rule))
    }

    /// The widgets of a page that must not be touched, with everything inside them; what is inside widgets that `only`
    /// names may be touched.
    pub fn out_of_reach(&self, activity: &str, layout: &Layout) -> Vec<WidgetId> {
        let names_widget = |rule: &&IgnoreRule| rule.names_widget();
        let avoid: Vec<&IgnoreRule> = self.avoid.iter().filter(names_widget).collect();
        let here = |rule: &&IgnoreRule| names_widget(rule) && rule.is_of_page(activity);
        let only: Vec<&IgnoreRule> = self.only.iter().filter(here).collect();
        if avoid.is_empty() && only.is_empty() {
            return Vec::new();
        }
        let within = |widget: Widget<'_>, rules: &[&IgnoreRule]| {
            std::iter::once(widget)
                .chain(widget.ancestors())
                .any(|widget| rules.iter().any(|rule| rule.matches(activity, widget)))
        };
        let barred =
            |widget: &Widget<'_>| within(*widget, &avoid) || (!only.is_empty() && !within(*widget, &only));
        layout.widgets().filter(barred).map(Widget::id).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Technique;
    use droidmux_gui::{Bounds, Flags, LayoutBuilder, NewWidget};

    fn rule(activity: &str, id: &str) -> IgnoreRule {
        IgnoreRule { activity: activity.into(), resource_id: id.into(), ..IgnoreRule::default() }
    }

    fn with(avoid: &[(&str, &str)], only: &[(&str, &str)]) -> SessionDefinition {
        let rules = |rules: &[(&str, &str)]| rules.iter().map(|(activity, id)| rule(activity, id)).collect();
        let base = SessionDefinition::new(Technique::Genie, "org.a");
        SessionDefinition { avoid: rules(avoid), only: rules(only), ..base }
    }

    #[test]
    fn pages_are_left_out_by_name_or_by_not_being_named() {
        let cases: [(&[(&str, &str)], &[(&str, &str)], &str, bool); 8] = [
            (&[], &[], "org.a.Main", true),
            (&[("org.a.Pay", "")], &[], "org.a.Main", true),
            (&[("org.a.Pay", "")], &[], "org.a.Pay", false),
            (&[("*Pay*", "")], &[], "org.a.PayActivity", false),
            (&[("org.a.Pay", "buy")], &[], "org.a.Pay", true),
            (&[], &[("org.a.Main", "")], "org.a.Pay", false),
            (&[], &[("org.a.Main", ""), ("", "row")], "org.a.Main", true),
            (&[], &[("org.a.Main", "row")], "org.a.Pay", true),
        ];
        for (avoid, only, activity, expected) in cases {
            assert_eq!(with(avoid, only).allows_page(activity), expected, "{avoid:?} {only:?} {activity}");
        }
    }

    #[test]
    fn widgets_are_left_out_with_what_is_in_them() {
        let mut builder = LayoutBuilder::new();
        let widget = |id| NewWidget {
            class: "View",
            resource_id: id,
            flags: Flags::ENABLED,
            bounds: Bounds::new(0, 0, 9, 9),
            ..NewWidget::default()
        };
        builder.open(widget("root"));
        builder.open(widget("bar"));
        builder.open(widget("buy"));
        builder.close();
        builder.close();
        builder.open(widget("row"));
        let layout = builder.finish();
        let barred = |avoid, only| -> String {
            let found = with(avoid, only).out_of_reach("org.a.Main", &layout);
            let names =
                found.iter().filter_map(|id| layout.get(*id)).map(|widget| widget.resource_id().to_owned());
            names.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(barred(&[], &[]), "");
        assert_eq!(barred(&[("", "bar")], &[]), "bar buy");
        assert_eq!(barred(&[("org.a.Other", "bar")], &[]), "");
        assert_eq!(barred(&[], &[("", "bar")]), "root row");
        assert_eq!(barred(&[], &[("org.a.Other", "bar")]), "", "no rule names a widget of this page");
        assert_eq!(barred(&[("", "buy")], &[("", "bar")]), "root buy row");
        assert_eq!(barred(&[("org.a.Main", "")], &[]), "", "the page is no widget");
    }
}
