//! State abstraction: which layouts count as the same state.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{Flags, Layout, Widget};

/// Abstraction levels, coarse to fine.
///
/// Every level but [`Level::Events`] keeps package and activity, so that a finer level never
/// joins what a coarser one keeps apart; `Events` keeps exactly what Odin defines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    Package,
    Activity,
    /// The set of widget classes; counts never matter (Genie's paper).
    Types,
    /// The set of (class, resource-id, content-desc) (Genie's released code).
    #[default]
    Widgets,
    /// The set of (event type, class, resource-id, content-desc) the layout handles (Odin).
    Events,
    /// The tree with its texts, checks and selections; texts past 50 characters left out.
    Content,
}

/// Where a layout was seen: what a dump does not say itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page<'a> {
    pub package: &'a str,
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
                let classes: BTreeSet<&str> = layout.widgets().map(Widget::class).collect();
                classes.into_iter().for_each(|class| name.add(class));
            }
            Self::Widgets => name.add_set(layout.widgets().map(kind).collect()),
            Self::Events => {
                let events = layout.events().into_iter().filter_map(|(event, id)| {
                    let [class, resource_id, description] = kind(layout.get(id)?);
                    Some([event.name(), class, resource_id, description])
                });
                name.add_set(events.collect());
            }
            Self::Content => layout.widgets().for_each(|widget| name.add_content(widget)),
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
    2.0 * f64::from(common) / total as f64
}

/// What the `widgets` level keeps of a widget.
fn kind(widget: Widget<'_>) -> [&str; 3] {
    [widget.class(), widget.resource_id(), widget.description()]
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
