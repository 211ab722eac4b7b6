//! Rules of a session file that select widgets.

use serde::{Deserialize, Serialize};

use droidmux_gui::{Widget, holds_date};

/// Selects widgets, or whole pages, that are left out of every comparison, must not be touched, or are to be set up.
/// Empty fields match anything; `*` stands for any run of characters, and a description or text that is
/// [`IgnoreRule::DATE`] stands for all that contain a date or a time. At least one field must be given; if only an
/// activity is given, the rule matches the whole page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct IgnoreRule {
    /// The full name of the activity or window the widget is on.
    pub activity: String,
    /// The full class or its last part.
    pub class: String,
    /// The full resource-id or the part after `:id/`.
    pub resource_id: String,
    /// The content description, whole.
    pub description: String,
    /// The text, whole.
    pub text: String,
}

impl IgnoreRule {
    /// The text or description of a rule for all that contain a date, a time of day or a length of time.
    pub const DATE: &str = "{date}";

    /// True when the widget, seen on this activity, fits every field that is given.
    pub fn matches(&self, activity: &str, widget: Widget<'_>) -> bool {
        let fits = |pattern: &str, values: &[&str]| {
            pattern.is_empty() || values.iter().any(|value| wildcard(pattern, value))
        };
        let says = |pattern: &str, value: &str| match pattern {
            Self::DATE => holds_date(value),
            pattern => fits(pattern, &[value]),
        };
        fits(&self.activity, &[activity])
            && fits(&self.class, &[widget.class(), widget.short_class()])
            && fits(&self.resource_id, &[widget.resource_id(), widget.short_id()])
            && says(&self.description, widget.description())
            && says(&self.text, widget.text())
    }

    /// True when its activity is this one, or it names none.
    pub fn is_of_page(&self, activity: &str) -> bool {
        self.activity.is_empty() || wildcard(&self.activity, activity)
    }

    /// True when it selects widgets; false when it selects whole pages.
    pub fn names_widget(&self) -> bool {
        *self != Self { activity: self.activity.clone(), ..Self::default() }
    }

    /// True when no field is given: such a rule would match everything.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Matches `text` against a pattern in which `*` stands for any run of characters.
///
/// Linear in practice: it only ever backtracks to the last `*`.
fn wildcard(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        if pattern.get(p) == Some(&b'*') {
            star = Some((p, t));
            p += 1;
        } else if pattern.get(p) == Some(&text[t]) {
            p += 1;
            t += 1;
        } else if let Some((at, from)) = star {
            star = Some((at, from + 1));
            p = at + 1;
            t = from + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_clocks_are_picked_whatever_they_show() {
        use droidmux_gui::{LayoutBuilder, NewWidget};

        let cases = [
            ("17:05", true),
            ("2026-11-24", true),
            ("Sat, March 5", true),
            ("3 minutes ago", true),
            ("May", false),
            ("Save", false),
            ("", false),
            ("{date}", false),
        ];
        for (text, expected) in cases {
            let mut builder = LayoutBuilder::new();
            builder.open(NewWidget { class: "TextView", text, description: text, ..NewWidget::default() });
            let layout = builder.finish();
            let widget = layout.widgets().next().expect("a widget");
            for rule in [
                IgnoreRule { text: IgnoreRule::DATE.into(), ..IgnoreRule::default() },
                IgnoreRule { description: IgnoreRule::DATE.into(), ..IgnoreRule::default() },
            ] {
                assert_eq!(rule.matches("a.Main", widget), expected, "{text}");
            }
        }
    }

    #[test]
    fn a_star_stands_for_any_run() {
        let cases = [
            ("save", "save", true),
            ("save", "saved", false),
            ("save*", "saved", true),
            ("*date*", "the date here", true),
            ("*a*b", "aXbXb", true),
            ("*a*b", "aXbX", false),
            ("", "x", false),
            ("*", "", true),
            ("Größe*", "Größe 4", true),
        ];
        for (pattern, text, expected) in cases {
            assert_eq!(wildcard(pattern, text), expected, "{pattern} on {text}");
        }
    }
}
