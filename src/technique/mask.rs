//! Masks: which widgets are volatile.
//!
//! In: pairs of layouts that the same events led to. Out: [`Mask`]s for the widgets that differ
//! nevertheless, and the question whether a widget is masked.

use std::collections::BTreeMap;

use droidmux_account::Volatile;
use droidmux_gui::{Effect, EffectForm, Flags, Widget, effects_of};
use droidmux_record::{Mask, MaskEdit};

use super::playback::{Insert, Playback, Shot};

/// The masks of one batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Masks {
    found: Shelf,
    /// Masks that a person added, and ones that a person took away.
    added: Shelf,
    lifted: Shelf,
}

/// Masks by their paths and resource-ids, for a screen may have thousands of volatile widgets. What
/// a mask leaves open is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Shelf(BTreeMap<(String, String), Vec<Mask>>);

impl Masks {
    /// No masks but those a person added; the ones a person took away are not found again.
    pub fn edited(edits: &[MaskEdit]) -> Self {
        let with = |masked: bool| edits.iter().filter(move |e| e.masked == masked).map(|e| e.mask.clone());
        Self { found: Shelf::default(), added: with(true).collect(), lifted: with(false).collect() }
    }

    /// The masks of a batch. Volatile is what differs between runs of the same events: the seed's runs, and
    /// every mutant up to its pivot.
    pub(super) fn learned<'p, 'a: 'p>(
        edits: &[MaskEdit],
        seeds: &[&Playback<'a>],
        mutants: impl IntoIterator<Item = (Insert, &'p Playback<'a>)>,
    ) -> Self {
        let mut masks = Self::edited(edits);
        let Some((first, others)) = seeds.split_first() else { return masks };
        for other in others {
            first.shots().iter().zip(other.shots()).for_each(|(a, b)| masks.learn(*a, *b));
        }
        for (insert, mutant) in mutants {
            let same_events = first.shots().iter().zip(mutant.shots()).take(insert.pivot);
            same_events.for_each(|(a, b)| masks.learn(*a, *b));
        }
        masks
    }

    /// Masks what differs between two layouts that the same events led to.
    fn learn(&mut self, a: Shot<'_>, b: Shot<'_>) {
        if a.hash() == b.hash() || a.activity() != b.activity() {
            return;
        }
        for effect in effects_of(EffectForm::Tree, &a.still.outline, &b.still.outline) {
            let (old, new) = match effect {
                Effect::Deleted(id) => (a.layout().get(id), None),
                Effect::Added(id) => (None, b.layout().get(id)),
                Effect::Changed(old, new) => (a.layout().get(old), b.layout().get(new)),
            };
            let example = example(old, new);
            for widget in old.into_iter().chain(new) {
                let mask = mask(a.activity(), widget, example.clone());
                if !self.found.holds(&mask) && !self.lifted.holds(&mask) {
                    self.found.put(mask);
                }
            }
        }
    }

    /// True when a mask fits the widget on this activity.
    pub fn masks(&self, activity: &str, widget: Widget<'_>) -> bool {
        self.found.fits(activity, widget) || self.added.fits(activity, widget)
    }

    /// True when a person took the widget's mask away.
    pub fn is_lifted(&self, activity: &str, widget: Widget<'_>) -> bool {
        self.lifted.fits(activity, widget)
    }

    /// The masks that were found, in order.
    pub fn into_found(self) -> Vec<Mask> {
        let mut found: Vec<Mask> = self.found.0.into_values().flatten().collect();
        found.sort_unstable();
        found
    }
}

impl Volatile for Masks {
    fn is_volatile(&self, activity: &str, widget: Widget<'_>) -> bool {
        self.masks(activity, widget)
    }
}

impl FromIterator<Mask> for Shelf {
    fn from_iter<I: IntoIterator<Item = Mask>>(masks: I) -> Self {
        let mut shelf = Self::default();
        masks.into_iter().for_each(|mask| shelf.put(mask));
        shelf
    }
}

impl Shelf {
    fn put(&mut self, mask: Mask) {
        self.0.entry((mask.path.clone(), mask.resource_id.clone())).or_default().push(mask);
    }

    /// True when there is an equal mask, its example aside.
    fn holds(&self, mask: &Mask) -> bool {
        let known = self.0.get(&(mask.path.clone(), mask.resource_id.clone()));
        known.is_some_and(|known| known.iter().any(|known| is_same(known, mask)))
    }

    fn fits(&self, activity: &str, widget: Widget<'_>) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let (path, id) = (path(widget), widget.resource_id());
        let places = [(&*path, id), (&path, ""), ("", id), ("", "")];
        places.into_iter().any(|(path, id)| {
            let masks = self.0.get(&(path.to_owned(), id.to_owned()));
            masks.is_some_and(|masks| masks.iter().any(|mask| fits(mask, activity, widget)))
        })
    }
}

/// The classes and ids from the root down to a widget; `[n]` is its position among the siblings
/// of equal class and id, left out for the first one.
pub fn path(widget: Widget<'_>) -> String {
    let mut parts: Vec<String> = std::iter::once(widget).chain(widget.ancestors()).map(part).collect();
    parts.reverse();
    parts.join("/")
}

fn part(widget: Widget<'_>) -> String {
    let mut part = widget.short_class().to_owned();
    if !widget.resource_id().is_empty() {
        part.push('#');
        part.push_str(widget.short_id());
    }
    match widget.parent().map_or(0, |_| widget.position()) {
        0 => {}
        position => part.push_str(&format!("[{position}]")),
    }
    part
}

/// True when a mask fits a widget at the mask's path.
fn fits(mask: &Mask, activity: &str, widget: Widget<'_>) -> bool {
    let fits = |field: &str, value: &str| field.is_empty() || field == value;
    fits(&mask.activity, activity)
        && fits(&mask.class, widget.class())
        && fits(&mask.resource_id, widget.resource_id())
        && fits(&mask.description, widget.description())
}

/// The description is left open when it is what varies.
fn mask(activity: &str, widget: Widget<'_>, example: (String, String)) -> Mask {
    let varies = example.0 == widget.description() || example.1 == widget.description();
    let description = if varies { "" } else { widget.description() };
    Mask {
        activity: activity.to_owned(),
        class: widget.class().to_owned(),
        resource_id: widget.resource_id().to_owned(),
        description: description.to_owned(),
        path: path(widget),
        example,
    }
}

/// Equal but for the example.
fn is_same(a: &Mask, b: &Mask) -> bool {
    fn identity(m: &Mask) -> [&str; 5] {
        [&m.activity, &m.class, &m.resource_id, &m.description, &m.path]
    }
    identity(a) == identity(b)
}

/// The two values seen; empty for a widget that was not there.
fn example(old: Option<Widget<'_>>, new: Option<Widget<'_>>) -> (String, String) {
    let hidden = |w: &Widget<'_>| w.has(Flags::PASSWORD);
    let text =
        |w: Option<Widget<'_>>| w.filter(|w| !hidden(w)).map(|w| w.text().to_owned()).unwrap_or_default();
    let description = |w: Option<Widget<'_>>| w.map(|w| w.description().to_owned()).unwrap_or_default();
    let texts = (text(old), text(new));
    if texts.0 == texts.1 { (description(old), description(new)) } else { texts }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{LayoutBuilder, NewWidget, WidgetId};

    #[test]
    fn what_a_mask_leaves_open_fits_everything() {
        let mut builder = LayoutBuilder::new();
        builder.open(NewWidget { class: "a.List", ..NewWidget::default() });
        for (class, resource_id, description) in [
            ("a.Text", "p:id/name", ""),
            ("a.Text", "p:id/name", "new"),
            ("a.Image", "", "new"),
            ("a.Text", "", ""),
        ] {
            builder.open(NewWidget { class, resource_id, description, ..NewWidget::default() });
            builder.close();
        }
        let layout = builder.finish();
        // Activity, class, resource-id, description, path.
        let fields = |widget: Widget<'_>| {
            ["A", widget.class(), widget.resource_id(), widget.description(), &path(widget)]
                .map(str::to_owned)
        };
        for (number, named) in
            (0..layout.len() as u32).flat_map(|number| (0..32).map(move |named| (number, named)))
        {
            let widget = layout.get(WidgetId(number)).expect("widget");
            let mut given = fields(widget);
            (0..5).filter(|n| named & 1 << n == 0).for_each(|n| given[n].clear());
            let [activity, class, resource_id, description, path] = given.clone();
            let mask = Mask { activity, class, resource_id, description, path, example: Default::default() };
            let masks = Masks::edited(&[MaskEdit { mask, masked: true }]);
            for other in layout.widgets() {
                let values = fields(other);
                let expected =
                    given.iter().zip(&values).all(|(given, value)| given.is_empty() || given == value);
                assert_eq!(masks.masks("A", other), expected, "{given:?} {values:?}");
                assert!(!masks.is_lifted("A", other));
            }
        }
    }
}
