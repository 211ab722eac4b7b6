//! State abstraction: which layouts count as the same state.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{Flags, Layout, Widget};
use droidmux_words::number;

/// Abstraction levels, coarse to fine.
///
/// Every level but [`Level::Events`] keeps package and activity, so that a finer level never
/// joins what a coarser one keeps apart; `Events` keeps exactly what Odin defines. What lies behind an open drawer is
/// kept by none: there, the drawer is the page, whichever it was opened from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// The package alone.
    Package,
    /// Package and activity alone.
    Activity,
    /// The set of widget classes; counts never matter (Genie's paper).
    Types,
    /// The set of (class, resource-id, content-desc) (Genie's released code), all dates being one.
    #[default]
    Widgets,
    /// The set of (event type, class, resource-id, content-desc) the layout handles (Odin), all dates being one.
    Events,
    /// The tree with its texts, checks and selections; texts past 50 characters left out.
    Content,
}

/// Where a layout was seen: the part that a dump itself does not contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page<'a> {
    /// The package in focus; it may differ from the widgets' packages.
    pub package: &'a str,
    /// Full class name of the focused activity, or the name of a system window.
    pub activity: &'a str,
}

/// A state's name: a hash of what its level keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StateId(pub u64);

/// Texts longer than this many characters are not part of [`Level::Content`].
const LONGEST_TEXT: usize = 50;

impl Level {
    /// The state of a layout at this level.
    pub fn state(self, page: Page<'_>, layout: &Layout) -> StateId {
        let mut name = Name::new(self);
        if self != Self::Events {
            name.add(page.package);
        }
        if !matches!(self, Self::Package | Self::Events) {
            name.add(page.activity);
        }
        match self {
            Self::Package | Self::Activity => {}
            Self::Types => {
                let classes: BTreeSet<&str> = layout.in_front().map(Widget::class).collect();
                classes.into_iter().for_each(|class| name.add(class));
            }
            Self::Widgets => name.add_set(layout.in_front().map(kind).collect()),
            Self::Events => {
                let events = layout.events().into_iter().filter_map(|(event, id)| {
                    let [class, resource_id, description] = kind(layout.get(id)?);
                    Some([event.name(), class, resource_id, description])
                });
                name.add_set(events.collect());
            }
            Self::Content => layout.in_front().for_each(|widget| name.add_content(widget)),
        }
        name.finish()
    }
}

/// 2·|A∩B| / (|A|+|B|) over the multisets of (class, resource-id, description), 0.0 to 1.0.
///
/// Two empty layouts are alike: 1.0.
pub fn likeness(a: &Layout, b: &Layout) -> f64 {
    let total = a.len() + b.len();
    if total == 0 {
        return 1.0;
    }
    let mut left: BTreeMap<[&str; 3], usize> = BTreeMap::new();
    for widget in a.widgets() {
        *left.entry(kind(widget)).or_default() += 1;
    }
    let mut common = 0;
    for widget in b.widgets() {
        if let Some(count) = left.get_mut(&kind(widget)).filter(|count| **count > 0) {
            *count -= 1;
            common += 1;
        }
    }
    2.0 * f64::from(common) / number::real(total)
}

/// What the `widgets` level keeps from a widget.
fn kind(widget: Widget<'_>) -> [&str; 3] {
    [widget.class(), widget.resource_id(), widget.undated_description()]
}

/// A state's name in the making: length-prefixed parts, so no two lists of parts run together.
struct Name(blake3::Hasher);

impl Name {
    fn new(level: Level) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&[level as u8]);
        Self(hasher)
    }

    fn add(&mut self, part: &str) {
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part.as_bytes());
    }

    fn add_set<const N: usize>(&mut self, tuples: BTreeSet<[&str; N]>) {
        tuples.into_iter().flatten().for_each(|part| self.add(part));
    }

    fn add_content(&mut self, widget: Widget<'_>) {
        self.0.update(&(widget.depth() as u64).to_le_bytes());
        kind(widget).into_iter().for_each(|part| self.add(part));
        let text = widget.text();
        self.add(if text.chars().nth(LONGEST_TEXT).is_some() { "" } else { text });
        let shown = [Flags::CHECKED, Flags::SELECTED, Flags::ENABLED].map(|flag| u8::from(widget.has(flag)));
        self.0.update(&shown);
    }

    fn finish(self) -> StateId {
        let mut short = [0; 8];
        short.copy_from_slice(&self.0.finalize().as_bytes()[..8]);
        StateId(u64::from_le_bytes(short))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Bounds, LayoutBuilder, NewWidget};

    const PAGE: Page<'_> = Page { package: "p", activity: "A" };

    /// A list of widgets as (class, id, text, clickable) below a root.
    fn layout(widgets: &[(&str, &str, &str, bool)]) -> Layout {
        let mut builder = LayoutBuilder::new();
        builder.open(NewWidget { class: "Root", ..NewWidget::default() });
        for &(class, resource_id, text, clickable) in widgets {
            let flags = Flags::ENABLED.with(Flags::CLICKABLE, clickable);
            let bounds = Bounds::new(0, 0, 9, 9);
            builder.open(NewWidget { class, resource_id, text, flags, bounds, ..NewWidget::default() });
            builder.close();
        }
        builder.finish()
    }

    #[test]
    fn what_each_level_tells_apart() {
        use Level::{Activity, Content, Events, Package, Types, Widgets};
        let base = [("Text", "a", "one", false), ("Button", "b", "Go", true)];
        let long = "more than fifty characters are more than a person reads at once";
        // The levels at which the changed layout is another state.
        let cases: [(&str, Vec<(&str, &str, &str, bool)>, &[Level]); 6] = [
            ("another text", vec![("Text", "a", "two", false), base[1]], &[Content]),
            ("a text too long to count", vec![("Text", "a", long, false), base[1]], &[Content]),
            ("one more of a kind", vec![base[0], base[0], base[1]], &[Content]),
            ("another id", vec![("Text", "c", "one", false), base[1]], &[Widgets, Content]),
            ("another class", vec![base[0], base[1], ("Image", "a", "", false)], &[Types, Widgets, Content]),
            ("another button", vec![base[0], ("Button", "c", "Go", true)], &[Widgets, Events, Content]),
        ];
        for (what, changed, expected) in cases {
            for level in [Package, Activity, Types, Widgets, Events, Content] {
                let differs = level.state(PAGE, &layout(&base)) != level.state(PAGE, &layout(&changed));
                assert_eq!(differs, expected.contains(&level), "{what}: {level:?}");
            }
        }
        let longer = format!("{long} and more");
        let texts = [long, &longer].map(|text| Content.state(PAGE, &layout(&[("Text", "a", text, false)])));
        assert_eq!(texts[0], texts[1]);
    }

    #[test]
    fn pages() {
        let layout = layout(&[]);
        let states = |level: Level, package, activity| level.state(Page { package, activity }, &layout);
        for level in [Level::Package, Level::Activity, Level::Types, Level::Widgets, Level::Content] {
            assert_ne!(states(level, "p", "A"), states(level, "q", "A"), "{level:?}");
            let apart = states(level, "p", "A") != states(level, "p", "B");
            assert_eq!(apart, level != Level::Package, "{level:?}");
        }
        assert_eq!(states(Level::Events, "p", "A"), states(Level::Events, "p", "B"));
    }

    #[test]
    fn likeness_counts_with_repetition() {
        let cases: [(&[(&str, &str, &str, bool)], f64); 4] = [
            (&[("Text", "a", "other text", false), ("Text", "a", "", false)], 1.0),
            (&[("Text", "a", "", false)], 0.8),
            (&[("Text", "b", "", false), ("Text", "b", "", false)], 2.0 / 6.0),
            (&[], 0.5),
        ];
        let base = layout(&[("Text", "a", "one", false), ("Text", "a", "two", false)]);
        for (widgets, expected) in cases {
            let other = layout(widgets);
            assert!((likeness(&base, &other) - expected).abs() < 1e-9, "{widgets:?}");
            assert!((likeness(&other, &base) - expected).abs() < 1e-9, "{widgets:?}");
        }
        let empty = LayoutBuilder::new().finish();
        assert_eq!((likeness(&empty, &empty), likeness(&base, &empty)), (1.0, 0.0));
    }

    proptest! {
        /// Equal at a finer level means equal at every coarser one.
        #[test]
        fn finer_levels_refine(a in prop::collection::vec((0usize..2, 0usize..2, 0usize..2), 0..4),
                               b in prop::collection::vec((0usize..2, 0usize..2, 0usize..2), 0..4)) {
            let make = |parts: &[(usize, usize, usize)]| {
                let names = [["Text", "Image"], ["a", "b"], ["one", "two"]];
                let widgets: Vec<_> =
                    parts.iter().map(|&(c, i, t)| (names[0][c], names[1][i], names[2][t], false)).collect();
                layout(&widgets)
            };
            let (a, b) = (make(&a), make(&b));
            let same = |level: Level| level.state(PAGE, &a) == level.state(PAGE, &b);
            prop_assert!(!same(Level::Content) || same(Level::Widgets));
            prop_assert!(!same(Level::Widgets) || same(Level::Types));
        }
    }
}
