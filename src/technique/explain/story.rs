//! A test as explanations read it: screens with their turns, and the events between them.

use std::cell::OnceCell;
use std::sync::Arc;

use super::page_identity;
use crate::sentence;
use droidmux_account::place::Place;
use droidmux_gui::{Event, EventKind, Layout, LayoutHash, Resolution, Widget, WidgetId};
use droidmux_record::{Act, JobRun, Screen, Seen, Slot, TurnPlace};

/// One test that ran, or the part of it that is known.
#[derive(Clone, Debug)]
pub(crate) struct Story<'a> {
    slot: Slot,
    /// l₁ … lₙ₊₁, from 0.
    pub(crate) sights: Vec<Sight<'a>>,
    /// The event between two sights: `events[n]` was done on `sights[n]`.
    events: Vec<(&'a Event, Option<WidgetId>)>,
}

/// One screen of a test.
#[derive(Clone, Debug)]
pub(crate) struct Sight<'a> {
    pub(crate) layout: Arc<Layout>,
    pub(crate) screen: &'a Screen,
    pub(crate) turn: u32,
    place: OnceCell<Place>,
}

impl Sight<'_> {
    /// What page it shows, and in which mode.
    pub(crate) fn place(&self) -> &Place {
        self.place.get_or_init(|| page_identity::place(&self.layout))
    }
}

impl<'a> Story<'a> {
    /// The test of this number in a job, as far as its screens follow one another without a gap and their layouts are
    /// known.
    pub(crate) fn of(
        run: &'a JobRun,
        test: usize,
        mut layout: impl FnMut(LayoutHash) -> Option<Arc<Layout>>,
    ) -> Self {
        let mut story = Self { slot: run.job.slot, sights: Vec::new(), events: Vec::new() };
        let mut resets = 0;
        for (turn, number) in run.turns.iter().zip(0..) {
            match &turn.act {
                Act::Reset => resets += 1,
                Act::Perform(_) if resets == test + 1 => {}
                _ => continue,
            }
            if resets != test + 1 {
                continue;
            }
            let Some(seen) = turn.observation.seen() else { break };
            let Some(found) = layout(seen.screen.layout) else { break };
            if let (Act::Perform(event), Some(before)) = (&turn.act, story.sights.last()) {
                let acted = receiver(event, seen, &before.layout);
                story.events.push((event, acted));
            }
            story.sights.push(Sight {
                layout: found,
                screen: &seen.screen,
                turn: number,
                place: OnceCell::new(),
            });
        }
        story
    }

    pub(crate) fn sight(&self, n: usize) -> Option<&Sight<'a>> {
        self.sights.get(n)
    }

    /// The event that was done on a sight.
    pub(crate) fn event(&self, n: usize) -> Option<&'a Event> {
        self.events.get(n).map(|(event, _)| *event)
    }

    /// The widget that the event on a sight acted on.
    pub(crate) fn receiver(&self, n: usize) -> Option<Widget<'_>> {
        let (_, receiver) = self.events.get(n)?;
        self.sights.get(n)?.layout.get((*receiver)?)
    }

    /// The label of the row that the event on a sight is about: its receiver's row, or, in a dialog or a popup,
    /// that of the row it was opened from.
    pub(crate) fn row_named(&self, n: usize) -> Option<String> {
        let mut at = n;
        while self.sights.get(at)?.place().page.is_window() {
            at = at.checked_sub(1)?;
        }
        sentence::row_label(self.receiver(at)?)
    }

    /// The event on a sight acts on the object of this name, or its dialog names it.
    pub(crate) fn names(&self, n: usize, name: &str) -> bool {
        if self.row_named(n).as_deref() == Some(name) {
            return true;
        }
        let says = |widget: Widget<'_>| widget.text().contains(name) || widget.description().contains(name);
        let told = |sight: &Sight<'_>| sight.place().page.is_window() && sight.layout.widgets().any(says);
        // A list that is scrolled holds many objects, and is about none of them.
        let scrolls = self.event(n).is_some_and(|event| matches!(event.kind, EventKind::Scroll(_)));
        let touched = self.receiver(n).filter(|_| !scrolls);
        self.sight(n).is_some_and(told) || touched.is_some_and(|receiver| receiver.subtree().any(says))
    }

    /// The event on a sight in words.
    pub(crate) fn deed(&self, n: usize) -> Option<String> {
        let (event, receiver) = self.events.get(n)?;
        let on = receiver.and_then(|id| Some((&*self.sights.get(n)?.layout, id)));
        Some(sentence::deed(event, on))
    }

    /// Where a sight is in its session.
    pub(crate) fn place(&self, n: usize) -> Option<TurnPlace> {
        Some(TurnPlace { slot: self.slot, turn: self.sights.get(n)?.turn })
    }
}

/// The widget that an event acted on: the recorded one, unless that is of a different kind than the event means, as in
/// recordings that name none.
fn receiver(event: &Event, seen: &Seen, before: &Layout) -> Option<WidgetId> {
    let meant = event.receiver.as_ref()?;
    let is_meant = |id: &WidgetId| {
        before.get(*id).is_some_and(|w| w.class() == meant.class && w.resource_id() == meant.resource_id)
    };
    let noted = seen.resolution.and_then(Resolution::widget).filter(is_meant);
    noted.or_else(|| before.resolve(meant).widget())
}
