//! What differs between two screens, in words, and whether one change did what another one did.

use droidmux_gui::{
    Effect, EffectForm, Event, EventKind, Layout, Widget, WidgetId, effects, row_name, short_class, short_id,
};
use droidmux_proto::SeedEffect;
use droidmux_record::WidgetNote;

/// The most differences listed.
const MOST: usize = 50;

/// What differs in a later layout from an earlier one.
pub(super) fn differences(earlier: &Layout, later: &Layout) -> Vec<String> {
    changes(earlier, later).iter().take(MOST).map(Change::words).collect()
}

/// What became of a change between two layouts of the seed, in the change between two others.
pub(super) fn effect(seed: (&Layout, &Layout), live: (&Layout, &Layout)) -> SeedEffect {
    let mut there = changes(live.0, live.1);
    let (mut came, mut missing) = (0, Vec::new());
    for change in changes(seed.0, seed.1) {
        match there.iter().position(|other| *other == change) {
            Some(place) => {
                there.swap_remove(place);
                came += 1;
            }
            None if missing.len() < MOST => missing.push(change.words()),
            None => {}
        }
    }
    SeedEffect { came, missing }
}

/// Whether two pairs of layouts differ in the same, as a person reads it.
pub(super) fn same_change(one: (&Layout, &Layout), other: (&Layout, &Layout)) -> bool {
    let (one, mut other) = (changes(one.0, one.1), changes(other.0, other.1));
    one.len() == other.len()
        && one.iter().all(|change| {
            let place = other.iter().position(|there| there == change);
            place.map(|place| other.swap_remove(place)).is_some()
        })
}

/// An event as a person reads it on the screen that it is performed on: a widget that shows no label of its own is
/// described by what it holds, as `click FrameLayout "Cooking"`.
pub(super) fn event_on(event: &Event, layout: Option<&Layout>) -> String {
    let words = event.words();
    let unlabelled = event.receiver.as_ref().filter(|receiver| {
        let is_tap = matches!(event.kind, EventKind::Click | EventKind::LongClick);
        is_tap && receiver.text.is_empty() && receiver.description.is_empty()
    });
    let (Some(receiver), Some(layout)) = (unlabelled, layout) else { return words };
    let widget = layout.resolve(receiver).widget().and_then(|id| layout.get(id));
    match widget.and_then(|widget| row_name(widget, |_| true)) {
        Some(named) => {
            let label = if named.text().is_empty() { named.description() } else { named.text() };
            format!("{} {} {label:?}", event.kind.name(), short_class(&receiver.class))
        }
        None => words,
    }
}

/// Where a widget is, as a person reads it: `row Cinema of RecyclerView #pictures`, of the context that a violation
/// tells.
pub(super) fn place(context: &str) -> String {
    let (node, row) = match context.split_once(" in ") {
        Some((node, row)) => (node, Some(row)),
        None => (context, None),
    };
    let (class, id) = node.split_once('#').unwrap_or((node, ""));
    let node = match short_id(id) {
        "" => short_class(class).to_owned(),
        id => format!("{} #{id}", short_class(class)),
    };
    match row {
        Some(row) => format!("row {row} of {node}"),
        None => node,
    }
}

/// A widget as a person reads it.
pub(super) fn words(note: &WidgetNote) -> String {
    Label::noted(note).words()
}

/// What becomes of a widget, as a person reads it.
pub(super) fn change_words(before: Option<&WidgetNote>, after: Option<&WidgetNote>) -> String {
    Change { before: before.map(Label::noted), after: after.map(Label::noted) }.words()
}

/// Whether a widget became another one between two layouts, came or went.
pub(super) fn has(live: (&Layout, &Layout), before: Option<&WidgetNote>, after: Option<&WidgetNote>) -> bool {
    let wanted = Change { before: before.map(Label::noted), after: after.map(Label::noted) };
    changes(live.0, live.1).contains(&wanted)
}

/// A widget that differs, as a person reads it on either screen.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Change {
    before: Option<Label>,
    after: Option<Label>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Label {
    class: String,
    id: String,
    description: String,
    text: String,
}

fn changes(earlier: &Layout, later: &Layout) -> Vec<Change> {
    let label = |layout: &Layout, id: WidgetId| layout.get(id).map(Label::of);
    let change = |effect: Effect| match effect {
        Effect::Deleted(a) => Change { before: label(earlier, a), after: None },
        Effect::Added(b) => Change { before: None, after: label(later, b) },
        Effect::Changed(a, b) => Change { before: label(earlier, a), after: label(later, b) },
    };
    effects(EffectForm::Tree, earlier, later).into_iter().map(change).collect()
}

impl Change {
    fn words(&self) -> String {
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => format!("{} became {}", before.words(), after.words()),
            (Some(before), None) => format!("{} went away", before.words()),
            (None, Some(after)) => format!("{} appeared", after.words()),
            (None, None) => String::new(),
        }
    }
}

impl Label {
    fn of(widget: Widget<'_>) -> Self {
        Self::noted(&WidgetNote::of(widget))
    }

    fn noted(note: &WidgetNote) -> Self {
        Self {
            class: note.class.clone(),
            id: note.resource_id.clone(),
            description: note.description.clone(),
            text: note.text.clone(),
        }
    }

    fn words(&self) -> String {
        let (class, id) = (short_class(&self.class), short_id(&self.id));
        let label = if self.text.is_empty() { &self.description } else { &self.text };
        match (label.as_str(), id) {
            ("", "") => class.to_owned(),
            ("", id) => format!("{class} #{id}"),
            (label, "") => format!("{class} {label:?}"),
            (label, id) => format!("{class} {label:?} #{id}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{Direction, LayoutBuilder, NewWidget};

    fn layout(texts: &str) -> Layout {
        let mut builder = LayoutBuilder::new();
        builder.open(NewWidget { class: "android.widget.ListView", ..NewWidget::default() });
        for text in texts.split_whitespace() {
            builder.open(NewWidget { class: "android.widget.TextView", text, ..NewWidget::default() });
            builder.close();
        }
        builder.close();
        builder.finish()
    }

    #[test]
    fn an_effect_comes_or_is_missing() {
        for (seed, live, came, missing) in [
            (("a b", "a"), ("a b c", "a c"), 1, ""),
            (("a b", "a"), ("a b c", "a b c"), 0, "TextView \"b\" went away"),
            (("a", "a b"), ("a", "a"), 0, "TextView \"b\" appeared"),
            (("a", "b"), ("a", "b"), 1, ""),
            (("a", "a"), ("a", "b"), 0, ""),
        ] {
            let of = |(from, to): (&str, &str)| (layout(from), layout(to));
            let (seed_pair, live_pair) = (of(seed), of(live));
            let told = effect((&seed_pair.0, &seed_pair.1), (&live_pair.0, &live_pair.1));
            assert_eq!((told.came, told.missing.join(";").as_str()), (came, missing), "{seed:?} {live:?}");
        }
    }

    #[test]
    fn events_and_places_are_told_as_people_see_them() {
        let layout = layout("Cinema Cooking");
        let list = layout.widgets().next().expect("a list");
        let text = layout.widgets().nth(2).expect("a text");
        let event = |kind, widget: Widget<'_>| Event::on(kind, layout.selector(widget.id()));
        for (event, expected) in [
            (event(EventKind::Click, text), "click TextView \"Cooking\""),
            (event(EventKind::Click, list), "click ListView \"Cinema\""),
            (event(EventKind::Scroll(Direction::Down), list), "scroll-down ListView"),
            (Event::global(EventKind::Back), "back"),
        ] {
            assert_eq!(event_on(&event, Some(&layout)), expected);
            assert_eq!(event_on(&event, None), event.words());
        }
        for (context, expected) in [
            ("android.widget.ListView#org.diary:id/pictures in Cinema", "row Cinema of ListView #pictures"),
            ("android.widget.FrameLayout#", "FrameLayout"),
            ("", ""),
        ] {
            assert_eq!(place(context), expected);
        }
    }
}
