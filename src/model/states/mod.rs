//! Odin's model: states found by merging layouts that handle the same events, with undo.
//!
//! In: distinct layouts with the events they handle, and the steps between them. Out: a
//! [`StateModel`]: which layouts are one state, and which events lead from state to state; on it,
//! random walks to a given state ([`Walks`]).
//!
//! Invariants: the result depends on the set of layouts and steps alone, not on their order; a merge that cannot be
//! completed leaves nothing behind; layouts of one state handle the same events; no two states remain that could be
//! merged without a further merge that is impossible on its own.

mod merger;
mod union;
mod walks;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

pub use walks::Walks;

use super::sketch::Fnv;
use droidmux_gui::{Event, EventKind, Layout, LayoutHash, StateId, WidgetId};
use merger::Merger;

/// A transition's label: the handled event with its receiver's position among its siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventLabel(pub u64);

/// A concrete event by the hash of its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventHash(pub u64);

/// A recorded step between two layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LayoutStep {
    /// The layout on which the event acted.
    pub from: LayoutHash,
    /// The event, with the relevant attributes of its widget.
    pub label: EventLabel,
    /// The layout that came next.
    pub to: LayoutHash,
    /// The event itself, to be performed again.
    pub event: EventHash,
}

/// A state's number in its model, in the order of the states' lowest layout hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateNo(pub u32);

/// What an event leads to from a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The event, with the relevant attributes of its widget; several passages of a state may share it.
    pub label: EventLabel,
    /// The state it leads to, perhaps the same.
    pub to: StateNo,
    /// The event of the first of its steps, in content-hash order.
    pub event: EventHash,
}

/// States that are sets of layouts, and transitions between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateModel {
    /// By state: its layouts in order of their hashes.
    layouts: Vec<Vec<LayoutHash>>,
    handled: Vec<StateId>,
    /// By state: its transitions, sorted by label and target.
    passages: Vec<Vec<Passage>>,
    states: BTreeMap<LayoutHash, StateNo>,
}

impl EventLabel {
    /// The label of an event on a widget of a layout; `None` for an event on no widget.
    pub fn of(kind: EventKind, layout: &Layout, widget: Option<WidgetId>) -> Self {
        let name = Fnv::new().text(kind.name());
        let Some(widget) = widget.and_then(|id| layout.get(id)) else { return Self(name.done()) };
        let place = |n: Option<usize>| n.map_or(u64::MAX, |n| n as u64);
        let position = match widget.parent() {
            Some(parent) => parent.children().position(|child| child.id() == widget.id()),
            None => layout.roots().position(|root| root.id() == widget.id()),
        };
        let name = name.text(widget.class()).text(widget.resource_id()).text(widget.undated_description());
        Self(name.number(place(position)).done())
    }
}

impl EventHash {
    /// The same for equal events, on every machine.
    pub fn of(event: &Event) -> Self {
        let bytes = postcard::to_stdvec(event).unwrap_or_default();
        let mut short = [0; 8];
        short.copy_from_slice(&blake3::hash(&bytes).as_bytes()[..8]);
        Self(u64::from_be_bytes(short))
    }
}

impl StateModel {
    /// Mines the model. `layouts` names each layout with the set of events it handles (its state
    /// at the `events` level); steps from or to other layouts are left out.
    pub fn mine(
        layouts: impl IntoIterator<Item = (LayoutHash, StateId)>,
        steps: impl IntoIterator<Item = LayoutStep>,
    ) -> Self {
        let layouts: BTreeMap<LayoutHash, StateId> = layouts.into_iter().collect();
        let steps: BTreeSet<LayoutStep> = steps.into_iter().collect();
        let numbers: BTreeMap<LayoutHash, u32> = layouts.keys().copied().zip(0..).collect();
        let handled: Vec<StateId> = layouts.values().copied().collect();
        let known = |step: &LayoutStep| Some((*numbers.get(&step.from)?, *numbers.get(&step.to)?));
        let edges = steps.iter().filter_map(|step| known(step).map(|(from, to)| (from, step.label, to)));
        let roots = Merger::new(&handled, edges).merge_all();
        Self::collect(&layouts, &steps, &roots)
    }

    /// `roots` gives for every layout the first layout of its state.
    fn collect(layouts: &BTreeMap<LayoutHash, StateId>, steps: &BTreeSet<LayoutStep>, roots: &[u32]) -> Self {
        let mut model = Self::default();
        let mut number_of: BTreeMap<u32, StateNo> = BTreeMap::new();
        for ((&layout, &handled), &root) in layouts.iter().zip(roots) {
            let next = StateNo(u32::try_from(model.layouts.len()).unwrap_or(u32::MAX));
            let state = *number_of.entry(root).or_insert(next);
            if state == next {
                model.layouts.push(Vec::new());
                model.handled.push(handled);
                model.passages.push(Vec::new());
            }
            model.layouts[state.0 as usize].push(layout);
            model.states.insert(layout, state);
        }
        for step in steps {
            let (Some(from), Some(to)) = (model.state_of(step.from), model.state_of(step.to)) else {
                continue;
            };
            let passage = Passage { label: step.label, to, event: step.event };
            let passages = &mut model.passages[from.0 as usize];
            // Steps come in order of their layouts' hashes: the first one stays.
            let key = |p: &Passage| (p.label, p.to);
            if let Err(at) = passages.binary_search_by_key(&key(&passage), key) {
                passages.insert(at, passage);
            }
        }
        model
    }

    /// Adds layouts that differ by chance from ones that were mined: each is in the state of the other.
    #[must_use]
    pub fn with_twins(mut self, twins: impl IntoIterator<Item = (LayoutHash, LayoutHash)>) -> Self {
        for (layout, mined) in twins {
            let Some(state) = self.state_of(mined) else { continue };
            if self.states.insert(layout, state).is_none()
                && let Some(layouts) = self.layouts.get_mut(state.0 as usize)
                && let Err(at) = layouts.binary_search(&layout)
            {
                layouts.insert(at, layout);
            }
        }
        self
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.layouts.len()
    }

    /// True when no step was mined.
    pub fn is_empty(&self) -> bool {
        self.layouts.is_empty()
    }

    /// Every state, in order.
    pub fn states(&self) -> impl Iterator<Item = StateNo> + use<> {
        (0..u32::try_from(self.layouts.len()).unwrap_or(u32::MAX)).map(StateNo)
    }

    /// The state of a layout; `None` for one that was not mined.
    pub fn state_of(&self, layout: LayoutHash) -> Option<StateNo> {
        self.states.get(&layout).copied()
    }

    /// The layouts of a state in order of their hashes; empty for an unknown state.
    pub fn layouts(&self, state: StateNo) -> &[LayoutHash] {
        self.layouts.get(state.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// The set of events that every layout of a state handles.
    pub fn handled(&self, state: StateNo) -> Option<StateId> {
        self.handled.get(state.0 as usize).copied()
    }

    /// The transitions of a state, sorted by label and target.
    pub fn passages(&self, state: StateNo) -> &[Passage] {
        self.passages.get(state.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// How many transitions there are, of all states together.
    pub fn transition_count(&self) -> usize {
        self.passages.iter().map(Vec::len).sum()
    }
}
