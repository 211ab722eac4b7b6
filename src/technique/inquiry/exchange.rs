//! The same events on another object.
//!
//! In: a test as it ran, and which of its events act on rows. Out: the events with one object exchanged for another of the
//! same list. Invariant: nothing else is different.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::explain::Story;
use crate::sentence::{quoted, row_label};
use droidmux_gui::{Event, Layout, Widget, row_of};

/// Events with one row exchanged for another.
pub(super) struct Exchange {
    pub(super) events: Vec<Event>,
    /// The labels of the row that was acted on, and of the one in its place.
    was: String,
    is: String,
}

impl Exchange {
    /// The events of `story`, those of `among` that act on the row that event `first` acts on moved to a row with none of the
    /// labels in `taken`. `None` where there is no such row.
    pub(super) fn of(
        story: &Story<'_>,
        events: &[Event],
        among: Range<usize>,
        first: usize,
        taken: &BTreeSet<String>,
    ) -> Option<Self> {
        let was = acted_on(story, first)?;
        let is = other_row(story.receiver(first)?, taken)?;
        let mut events = events.to_vec();
        for n in among.filter(|&n| acted_on(story, n).as_ref() == Some(&was)) {
            let receiver = story.receiver(n)?;
            let twin = counterpart(receiver, &is)?;
            let event = events.get_mut(n)?;
            *event = Event { receiver: Some(receiver.layout().selector(twin.id())), ..event.clone() };
        }
        Some(Self { events, was, is })
    }

    /// `what was inserted on 'milk' was done on 'bread' instead`
    pub(super) fn words(&self, what: &str) -> String {
        format!("{what} on {} was done on {} instead", quoted(&self.was), quoted(&self.is))
    }
}

/// The row of a page that an event acts on; `None` in dialogs and menus, which are of the object that they were opened on.
pub(super) fn acted_on(story: &Story<'_>, event: usize) -> Option<String> {
    let in_window = story.sight(event).is_none_or(|sight| sight.place().page.is_window());
    if in_window { None } else { row_label(story.receiver(event)?) }
}

/// The label of another row of the receiver's list, of the same kind, with none of these labels.
fn other_row(receiver: Widget<'_>, taken: &BTreeSet<String>) -> Option<String> {
    let row = row_of(receiver)?;
    let alike = |other: &Widget<'_>| other.class() == row.class() && other.resource_id() == row.resource_id();
    let others = row.parent()?.children().filter(alike).filter_map(row_label);
    others.into_iter().find(|label| !taken.contains(label))
}

/// The widget that does in the row of this label what `widget` does in its own.
fn counterpart<'a>(widget: Widget<'a>, label: &str) -> Option<Widget<'a>> {
    let layout: &'a Layout = widget.layout();
    let row = row_of(widget)?;
    let place = widget.id().0 - row.id().0;
    let is_its = |other: &Widget<'_>| {
        other.class() == widget.class()
            && other.resource_id() == widget.resource_id()
            && row_label(*other).as_deref() == Some(label)
    };
    let mut found: Vec<Widget<'a>> = layout.widgets().filter(is_its).collect();
    let away = |other: &Widget<'_>| row_of(*other).map_or(0, |row| other.id().0 - row.id().0).abs_diff(place);
    found.sort_by_key(away);
    found.first().copied()
}
