//! States and transitions.

use std::collections::BTreeSet;
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
    /// The state of its activity, met first, that it is a variant of: the same page with other rows. Itself where it
    /// is none.
    pub page: StateId,
    /// The shortest recorded way here from a reset; `None` when none was short enough to keep.
    pub trail: Option<Arc<[Arc<Event>]>>,
    /// Sorted by key.
    pub(super) offers: Vec<Offered>,
    /// Where events of each shape led.
    pub(super) led: BTreeSet<(EventShape, StateId)>,
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

    /// True when an event seen here that is `wanted` was never executed here, and is worth trying by
    /// [`has_enough`](Self::has_enough).
    pub fn has_untried(&self, enough: usize, wanted: impl Fn(EventKey) -> bool) -> bool {
        let is_open = |o: &Offered| o.executed == 0 && wanted(o.action.key);
        self.offers.iter().any(|o| is_open(o) && !self.has_enough(o.action.shape, enough))
    }

    /// True when one more event of this shape would probably lead where others did: at least `enough` were executed
    /// here, and two of them came to the same state, as the rows of a list do. The items of a menu look alike, too, and
    /// each leads to a page of its own: of such, four times as many are enough.
    pub fn has_enough(&self, shape: EventShape, enough: usize) -> bool {
        let tried = self.tried(shape);
        let places = self.led.range((shape, StateId(0))..=(shape, StateId(u64::MAX))).count();
        tried >= enough && (tried > places || tried >= enough.saturating_mul(4))
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

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::LayoutBuilder;

    /// A state that offers ten events of one shape, of which each of the first led to a state.
    fn state(led: &[u64]) -> State {
        let shape = EventShape(7);
        let offer = |n: usize| Offered {
            action: Action { key: EventKey(n as u64), shape },
            weight: 1.0,
            executed: u32::from(n < led.len()),
        };
        let layout = LayoutBuilder::new().finish();
        State {
            id: StateId(1),
            activity: "a.Main".into(),
            layout: layout.hash(),
            elsewhere: false,
            visits: 1,
            sketch: Sketch::of(&layout),
            page: StateId(1),
            trail: None,
            offers: (0..20).map(offer).collect(),
            led: led.iter().map(|to| (shape, StateId(*to))).chain([(EventShape(8), StateId(99))]).collect(),
        }
    }

    #[test]
    fn rows_of_a_list_are_tried_a_few_times_and_items_of_a_menu_each() {
        for (led, expected) in [
            (&[][..], false),
            (&[5, 5], false),
            (&[5, 5, 5], true),
            (&[5, 6, 5], true),
            (&[5, 6, 7], false),
            (&[5, 6, 7, 8, 9], false),
            (&[5, 6, 7, 8, 9, 5], true),
            (&[0, u64::MAX, 7], false),
            (&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], true),
        ] {
            let state = state(led);
            assert_eq!(state.has_enough(EventShape(7), 3), expected, "{led:?}");
            assert_eq!(state.has_untried(3, |_| true), !expected, "{led:?}");
        }
    }
}
