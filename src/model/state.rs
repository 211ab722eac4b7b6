//! States and transitions.

use std::sync::Arc;

use super::{Action, EventKey, EventShape, Sketch};
use droidmux_gui::{Event, LayoutHash, StateId};

/// A state: all layouts that are equal at the model's level.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The hash of what its layouts have in common.
    pub id: StateId,
    /// The activity it was first seen in.
    pub activity: Arc<str>,
    /// The first layout seen in it.
    pub layout: LayoutHash,
    /// Not a page of the app: everything outside of it, or a page of an outing.
    pub elsewhere: bool,
    /// How often it was arrived at.
    pub visits: u64,
    /// Of the first layout seen in it.
    pub sketch: Sketch,
    /// The shortest recorded way here from a reset; `None` when none was short enough to keep.
    pub trail: Option<Arc<[Arc<Event>]>>,
    /// Sorted by key.
    pub(super) offers: Vec<Offered>,
}

/// An event that a state was seen to offer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offered {
    /// Its key.
    pub action: Action,
    /// Υ.
    pub weight: f64,
    /// How often it was executed.
    pub executed: u32,
}

/// An event that led from one state to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// Its key in the state it leads from.
    pub action: Action,
    /// The event as it was recorded first.
    pub event: Arc<Event>,
    /// How often it was executed with this outcome.
    pub count: u64,
    /// The layout before it when it was last recorded.
    pub before: LayoutHash,
    /// The layout after it when it was last recorded.
    pub after: LayoutHash,
}

impl State {
    /// The events seen here, sorted by key.
    pub fn offers(&self) -> &[Offered] {
        &self.offers
    }

    /// An event seen here, by its key; `None` for one that was not.
    pub fn offer(&self, key: EventKey) -> Option<&Offered> {
        self.position(key).ok().and_then(|n| self.offers.get(n))
    }

    /// True when an event seen here that is `wanted` was never executed here, and fewer than `enough` similar ones (in
    /// other rows of a list) were.
    pub fn has_untried(&self, enough: usize, wanted: impl Fn(EventKey) -> bool) -> bool {
        let is_open = |o: &Offered| o.executed == 0 && wanted(o.action.key);
        self.offers.iter().any(|o| is_open(o) && self.tried(o.action.shape) < enough)
    }

    /// How many of the events of this shape were executed here.
    pub fn tried(&self, shape: EventShape) -> usize {
        self.offers.iter().filter(|o| o.action.shape == shape && o.executed > 0).count()
    }

    pub(super) fn position(&self, key: EventKey) -> Result<usize, usize> {
        self.offers.binary_search_by_key(&key, |o| o.action.key)
    }
}

impl Transition {
    /// True when the screen changed at all.
    pub fn has_effect(&self) -> bool {
        self.before != self.after
    }
}
