//! What identifies an event in a model.
//!
//! Texts are left out on purpose: with a counter in a label, it would be a new event each time it is seen. Rows of a
//! list are distinguished by their numbers, and so are the days of a calendar, whose descriptions are dates.

use super::sketch::Fnv;
use droidmux_gui::{EventKind, Layout, Widget, WidgetId};

/// An event on one particular widget of a page: type, class, resource-id, description and the widget's position among
/// its like siblings, all the way up to the root. Hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventKey(pub u64);

/// An [`EventKey`] without the places: equal for the rows of a list. Hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventShape(pub u64);

/// An event's two names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Action {
    /// Distinguishes it from every other event of its layout.
    pub key: EventKey,
    /// The same for the rows of a list.
    pub shape: EventShape,
}

/// An event that can be performed on a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// What is done: click, edit and so on.
    pub kind: EventKind,
    /// `None` for events on no widget.
    pub widget: Option<WidgetId>,
    /// Its names, as the model counts it.
    pub action: Action,
}

/// The events without a widget that every page of an app takes; exploration tries them everywhere.
const GLOBAL: [EventKind; 2] = [EventKind::Back, EventKind::Rotate];

/// The most offers of one layout; the rest is treated as invisible.
const MOST: usize = 1_000;

impl Action {
    /// An event on no widget.
    pub fn global(kind: EventKind) -> Self {
        let hash = Fnv::new().text(kind.name()).done();
        Self { key: EventKey(hash), shape: EventShape(hash) }
    }

    /// An event on a widget; on an unknown one, as if on none.
    pub fn on(kind: EventKind, layout: &Layout, widget: WidgetId) -> Self {
        match layout.get(widget) {
            Some(found) => Self::from_parts(kind, found, places(found)),
            None => Self::global(kind),
        }
    }

    fn from_parts(kind: EventKind, widget: Widget<'_>, places: u64) -> Self {
        let shape = Fnv::new()
            .text(kind.name())
            .text(widget.class())
            .text(widget.resource_id())
            .text(widget.undated_description())
            .done();
        Self { key: EventKey(Fnv::new().number(shape).number(places).done()), shape: EventShape(shape) }
    }
}

/// The position of a widget: its number among its like siblings, and the same for every ancestor.
fn places(widget: Widget<'_>) -> u64 {
    let mut places = Fnv::new();
    for step in std::iter::once(widget).chain(widget.ancestors()) {
        places = places.text(step.class()).text(step.resource_id()).number(step.position() as u64);
    }
    places.done()
}

/// The events a layout of the app under test takes: those of its widgets in document order (at
/// most 1,000), then back and rotate.
pub fn offers(layout: &Layout) -> Vec<Offer> {
    let mut all = Vec::new();
    let mut last: Option<(WidgetId, u64)> = None;
    for (kind, id) in layout.events().into_iter().take(MOST) {
        let Some(widget) = layout.get(id) else { continue };
        // The events of one widget are adjacent and share the walk up to the root.
        let places = match last {
            Some((known, places)) if known == id => places,
            _ => places(widget),
        };
        last = Some((id, places));
        all.push(Offer { kind, widget: Some(id), action: Action::from_parts(kind, widget, places) });
    }
    all.extend(GLOBAL.map(|kind| Offer { kind, widget: None, action: Action::global(kind) }));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{Bounds, Flags, LayoutBuilder, NewWidget};

    fn list(rows: &[&str]) -> Layout {
        let flags = Flags::ENABLED.with(Flags::CLICKABLE, true).with(Flags::LONG_CLICKABLE, true);
        let mut builder = LayoutBuilder::new();
        builder.open(NewWidget { class: "List", ..NewWidget::default() });
        for text in rows {
            builder.open(NewWidget { class: "Row", ..NewWidget::default() });
            let bounds = Bounds::new(0, 0, 9, 9);
            builder.open(NewWidget { class: "Text", text, flags, bounds, ..NewWidget::default() });
            builder.close();
            builder.close();
        }
        builder.finish()
    }

    #[test]
    fn rows_differ_in_key_and_share_the_shape() {
        let offers = offers(&list(&["a", "b"]));
        assert_eq!(offers.len(), 6, "two rows with two events, back, rotate");
        let keys: std::collections::BTreeSet<EventKey> = offers.iter().map(|o| o.action.key).collect();
        let shapes: std::collections::BTreeSet<EventShape> = offers.iter().map(|o| o.action.shape).collect();
        assert_eq!((keys.len(), shapes.len()), (6, 4));
    }

    #[test]
    fn texts_do_not_matter_and_both_ways_to_a_key_agree() {
        let (before, after) = (list(&["a", "b"]), list(&["1", "2", "3"]));
        for (old, new) in offers(&before).iter().zip(offers(&after).iter()).take(4) {
            assert_eq!(old.action, new.action);
            let widget = old.widget.expect("widget");
            assert_eq!(Action::on(old.kind, &before, widget), old.action);
        }
    }
}
