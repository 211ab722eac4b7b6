//! What is to be explained.

use std::ops::Range;

use super::page_identity::is_same_page;
use super::story::{Sight, Story};
use crate::sentence;
use droidmux_gui::{Flags, Layout, Widget, row_of};
use droidmux_record::{Bearing, EffectKind, Experiment, ExperimentKind};

/// Two tests that diverge, each at one pair of screens.
pub(crate) struct Case<'a> {
    /// Does what is expected: Genie's seed, Odin's usual behaviour.
    pub(crate) usual: &'a Story<'a>,
    /// Does something in addition, and then behaves differently: the mutant, the deviant behaviour.
    pub(crate) deviant: &'a Story<'a>,
    /// The earlier and the later sight, from 0.
    pub(crate) usual_pair: (usize, usize),
    pub(crate) deviant_pair: (usize, usize),
    /// The sights of the deviant that what it does in addition led to.
    pub(crate) extra: Range<usize>,
    /// What changes between the usual sights and not between the deviant ones.
    pub(crate) lost: Vec<Difference<'a>>,
    /// What changes between the deviant sights and not between the usual ones.
    pub(crate) instead: Vec<Difference<'a>>,
    /// Widgets that are not looked at, by activity.
    pub(crate) left_out: &'a dyn Fn(&str, Widget<'_>) -> bool,
}

/// A change of one widget between two sights.
#[derive(Clone, Copy)]
pub(crate) struct Difference<'a> {
    pub(crate) kind: EffectKind,
    pub(crate) before: Option<Widget<'a>>,
    pub(crate) after: Option<Widget<'a>>,
}

/// What makes a widget of another layout the same one: class, id, and the label of its row; or its place, if it has no
/// id and is in no row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Object {
    class: String,
    id: String,
    row: Option<String>,
    place: Option<(String, usize)>,
}

impl<'a> Case<'a> {
    /// The sights right before the event at which the two diverge: the usual one, the deviant one.
    pub(super) fn before(&self) -> Option<(&Sight<'a>, &Sight<'a>)> {
        let (usual, deviant) = self.before_at()?;
        Some((self.usual.sight(usual)?, self.deviant.sight(deviant)?))
    }

    pub(super) fn before_at(&self) -> Option<(usize, usize)> {
        Some((self.usual_pair.1.checked_sub(1)?, self.deviant_pair.1.checked_sub(1)?))
    }

    pub(super) fn after(&self) -> Option<(&Sight<'a>, &Sight<'a>)> {
        Some((self.usual.sight(self.usual_pair.1)?, self.deviant.sight(self.deviant_pair.1)?))
    }

    /// Where the two tests end up, in words, if those are different pages: the usual one, the deviant one.
    pub(crate) fn arrivals(&self) -> Option<(String, String)> {
        let (usual, deviant) = self.after()?;
        if is_same_page(usual, deviant) {
            return None;
        }
        let stays = self.before().is_some_and(|(_, before)| is_same_page(before, deviant));
        let goes = if stays {
            "it stays where it was".to_owned()
        } else {
            format!("it leads to {}", page_words(deviant))
        };
        Some((format!("leads to {}", page_words(usual)), goes))
    }

    pub(super) fn is_left_out(&self, sight: &Sight<'_>, widget: Widget<'_>) -> bool {
        (self.left_out)(&sight.screen.activity, widget)
    }

    /// The newest sight of a test before `end` that shows the same page as `page`.
    pub(super) fn newest_of_page(story: &Story<'_>, end: usize, page: &Sight<'_>) -> Option<usize> {
        let mut earlier = (0..end.min(story.sights.len())).rev();
        earlier.find(|&n| story.sights.get(n).is_some_and(|sight| is_same_page(sight, page)))
    }

    /// The lost changes that a person would report: those of widgets that show a text or stand in a row. All of them if
    /// there are none.
    pub(super) fn telling(&self) -> Vec<Difference<'a>> {
        let telling: Vec<Difference<'a>> = self.lost.iter().copied().filter(Difference::is_telling).collect();
        if telling.is_empty() { self.lost.clone() } else { telling }
    }

    /// An experiment with the words and the sights of either test to look at.
    pub(super) fn experiment(
        &self,
        kind: ExperimentKind,
        bearing: Bearing,
        words: &str,
        (usual, deviant): (&[usize], &[usize]),
    ) -> Experiment {
        let usual = usual.iter().filter_map(|&n| self.usual.place(n));
        let deviant = deviant.iter().filter_map(|&n| self.deviant.place(n));
        let places = usual.chain(deviant).collect();
        Experiment { kind, bearing, words: sentence::sentence(words), places }
    }
}

impl<'a> Difference<'a> {
    /// The widget as it was, or as it came.
    pub(crate) fn widget(&self) -> Option<Widget<'a>> {
        self.before.or(self.after)
    }

    fn is_telling(&self) -> bool {
        self.before.into_iter().chain(self.after).any(|widget| {
            !widget.text().is_empty() || !widget.description().is_empty() || row_of(widget).is_some()
        })
    }
}

impl Object {
    pub(crate) fn of(widget: Widget<'_>) -> Self {
        let row = sentence::row_label(widget);
        let nameless = row.is_none() && widget.resource_id().is_empty();
        let parent = |widget: Widget<'_>| {
            widget.parent().map(|parent| format!("{}#{}", parent.class(), parent.resource_id()))
        };
        Self {
            class: widget.class().to_owned(),
            id: widget.resource_id().to_owned(),
            row,
            place: nameless.then(|| (parent(widget).unwrap_or_default(), widget.position())),
        }
    }

    pub(super) fn is(&self, widget: Widget<'_>) -> bool {
        widget.class() == self.class && widget.resource_id() == self.id && Self::of(widget) == *self
    }

    /// What it shows on a layout, once for each time it is there; empty if it is not.
    pub(super) fn values(&self, layout: &Layout) -> Vec<[String; 2]> {
        let alike = layout.widgets().filter(|widget| self.is(*widget));
        let mut values: Vec<[String; 2]> = alike.map(value).collect();
        values.sort_unstable();
        values
    }
}

/// A page as people call it.
fn page_words(sight: &Sight<'_>) -> String {
    if !sight.screen.in_app {
        return "another app".into();
    }
    sight.place().page.words().unwrap_or_else(|| "another page".into())
}

/// What people see of a widget.
pub(super) fn value(widget: Widget<'_>) -> [String; 2] {
    let text = if widget.has(Flags::PASSWORD) { "" } else { widget.text() };
    [text.to_owned(), widget.description().to_owned()]
}
