//! What was learnt from traces about layouts met before, so that they need not be looked up and examined again: in a
//! long session most steps lead to a known layout.
//!
//! A mere cache: what is forgotten is read again with the same result. Entries are hashes, and
//! their number is capped.

use std::collections::HashMap;

use super::{Action, Fnv};
use droidmux_gui::{EventKind, LayoutHash, StateId, WidgetId};
use droidmux_record::Screen;

/// The most entries of each kind; when it is reached, all are forgotten.
const MOST: usize = 200_000;

/// The layouts that one model has read; belongs to that model and the models derived from it.
#[derive(Clone, Debug, Default)]
pub struct Familiar {
    /// Places the model has arrived at, with their states: all their events are already in the model.
    places: HashMap<(LayoutHash, u64), StateId>,
    /// Events on widgets that the device found.
    actions: HashMap<(LayoutHash, EventKind, WidgetId), Action>,
}

impl Familiar {
    /// The state of a place that was read before.
    pub(super) fn state(&self, screen: &Screen) -> Option<StateId> {
        self.places.get(&(screen.layout, page(screen))).copied()
    }

    pub(super) fn arrived(&mut self, screen: &Screen, state: StateId) {
        if self.places.len() >= MOST {
            self.places.clear();
        }
        self.places.insert((screen.layout, page(screen)), state);
    }

    /// The name of an event on a widget; `make` is called the first time, and may not know.
    pub(super) fn action(
        &mut self,
        layout: LayoutHash,
        kind: EventKind,
        widget: WidgetId,
        make: impl FnOnce() -> Option<Action>,
    ) -> Option<Action> {
        if let Some(known) = self.actions.get(&(layout, kind, widget)) {
            return Some(*known);
        }
        let made = make()?;
        if self.actions.len() >= MOST {
            self.actions.clear();
        }
        self.actions.insert((layout, kind, widget), made);
        Some(made)
    }
}

/// The parts of a screen, besides the layout, that decide its state.
fn page(screen: &Screen) -> u64 {
    Fnv::new().number(screen.in_app.into()).text(&screen.package).text(&screen.activity).done()
}
