//! The model as the search for inserted traces needs it: dense numbers, redundant parallel edges
//! removed, nothing that leads out of the app.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::GenieSettings;
use crate::explore::manipulates;
use droidmux_gui::{Event, LayoutHash, StateId};
use droidmux_model::{EventKey, EventShape, GuiModel, TransitionId};
use droidmux_words::number::real;

/// A model made ready for searching; made once and used for all pivots of a seed.
#[derive(Clone, Debug)]
pub struct Ways {
    numbers: BTreeMap<StateId, u32>,
    /// All edges, sorted by the state they leave.
    edges: Vec<Edge>,
    /// The edges of state n that are not redundant: `kept[n]` indexes `edges`.
    kept: Vec<Vec<u32>>,
    /// For a kept edge, itself and the redundant ones it stands for.
    twins: BTreeMap<u32, Vec<u32>>,
    /// All edges of state n, redundant ones included.
    leaving: Vec<Vec<u32>>,
    /// Where an event of a state led, and how often.
    outcomes: BTreeMap<(u32, EventKey), Vec<(u32, u64)>>,
    /// Edges that were taken one right after the other, redundant ones by those that stand for them.
    followed: BTreeSet<(u32, u32)>,
    /// The edge that stands for an edge.
    stands: Vec<u32>,
    /// For state n, the events it offers, sorted.
    offered: Vec<Vec<EventKey>>,
    /// For state n, the states with an edge to it.
    into: Vec<Vec<u32>>,
    /// The events of which any edge probably changed the app's data.
    manipulating: BTreeSet<EventShape>,
}

/// How likely it is that one edge can follow another although it never did, when the states say so.
const UNTRIED: f64 = 0.5;

/// One transition.
#[derive(Clone, Debug)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
    pub shape: EventShape,
    pub event: Arc<Event>,
    /// The layout recorded at its end.
    pub after: LayoutHash,
    /// The screen changed.
    pub has_effect: bool,
    /// It probably changed the app's data.
    pub manipulates: bool,
    /// Its event's name in the model.
    pub key: EventKey,
}

impl Ways {
    /// Numbers the states inside the app in the order of the model, and the edges between them.
    pub fn of(model: &GuiModel, settings: &GenieSettings) -> Self {
        let inside = || model.states().map(|s| s.id).filter(|&id| id != GuiModel::OUTSIDE);
        let numbers: BTreeMap<StateId, u32> = inside().zip(0..).collect();
        let offered =
            |id| model.state(id).map_or(Vec::new(), |s| s.offers().iter().map(|o| o.action.key).collect());
        let mut ways = Self {
            outcomes: BTreeMap::new(),
            followed: BTreeSet::new(),
            manipulating: BTreeSet::new(),
            stands: Vec::new(),
            offered: inside().map(offered).collect(),
            edges: Vec::new(),
            kept: vec![Vec::new(); numbers.len()],
            twins: BTreeMap::new(),
            leaving: vec![Vec::new(); numbers.len()],
            into: vec![Vec::new(); numbers.len()],
            numbers,
        };
        let mut edges: BTreeMap<TransitionId, u32> = BTreeMap::new();
        for (id, from, transition, to) in model.transitions() {
            let manipulates = manipulates(from, transition, to, settings);
            let (Some(from), Some(to)) = (ways.number(from.id), ways.number(to.id)) else { continue };
            edges.insert(id, u32::try_from(ways.edges.len()).unwrap_or(u32::MAX));
            let outcomes = ways.outcomes.entry((from, transition.action.key)).or_default();
            outcomes.push((to, transition.count));
            ways.add(Edge {
                from,
                to,
                shape: transition.action.shape,
                event: transition.event.clone(),
                after: transition.after,
                has_effect: transition.has_effect(),
                key: transition.action.key,
                manipulates,
            });
        }
        let stands = |id| ways.stands.get(*edges.get(&id)? as usize).copied();
        ways.followed = model.followed().filter_map(|(a, b)| Some((stands(a)?, stands(b)?))).collect();
        ways
    }

    /// Of several edges between two states with events of one shape (the rows of a list) the one
    /// learned first is kept for searching.
    fn add(&mut self, edge: Edge) {
        let number = u32::try_from(self.edges.len()).unwrap_or(u32::MAX);
        let from = edge.from as usize;
        let is_twin = |n: &u32| self.edge(*n).is_some_and(|e| e.to == edge.to && e.shape == edge.shape);
        let stands = self.kept.get(from).and_then(|kept| kept.iter().copied().find(is_twin));
        self.twins.entry(stands.unwrap_or(number)).or_default().push(number);
        self.stands.push(stands.unwrap_or(number));
        for (list, wanted) in [(&mut self.leaving, true), (&mut self.kept, stands.is_none())] {
            if let (Some(list), true) = (list.get_mut(from), wanted) {
                list.push(number);
            }
        }
        if let Some(list) = self.into.get_mut(edge.to as usize) {
            list.push(edge.from);
        }
        if edge.manipulates {
            self.manipulating.insert(edge.shape);
        }
        self.edges.push(edge);
    }

    /// The dense number of a state; `None` outside the app and for what the model does not have.
    pub fn number(&self, state: StateId) -> Option<u32> {
        self.numbers.get(&state).copied()
    }

    /// The edge with a number that another function of this type returned.
    pub fn edge(&self, number: u32) -> Option<&Edge> {
        self.edges.get(number as usize)
    }

    /// The edges of a state that are worth walking.
    pub fn walkable(&self, state: u32) -> &[u32] {
        self.kept.get(state as usize).map_or(&[], Vec::as_slice)
    }

    /// How likely one edge can follow another, 0 to 1: certain when it did; else by the share of
    /// what the first one's event led to, in its state, that offers the event of the second.
    ///
    /// What was done one after the other says more than the states do: the way back from a page
    /// depends on the way to it, which no state tells.
    pub fn likelihood(&self, first: u32, second: u32) -> f64 {
        let stands = |edge: u32| self.stands.get(edge as usize).copied().unwrap_or(edge);
        if self.followed.contains(&(stands(first), stands(second))) {
            return 1.0;
        }
        let (Some(edge), Some(next)) = (self.edge(first), self.edge(second)) else { return 0.0 };
        let outcomes = self.outcomes.get(&(edge.from, edge.key)).map_or(&[][..], Vec::as_slice);
        let offers = |state: u32| {
            let offered = self.offered.get(state as usize);
            offered.is_some_and(|keys| keys.binary_search(&next.key).is_ok())
        };
        let all: u64 = outcomes.iter().map(|(_, count)| count).sum();
        let with: u64 = outcomes.iter().filter(|(state, _)| offers(*state)).map(|(_, count)| count).sum();
        UNTRIED * real(with) / real(all.max(1))
    }

    /// True when an event of this shape probably changes the app's data.
    pub fn manipulates(&self, shape: EventShape) -> bool {
        self.manipulating.contains(&shape)
    }

    /// A walkable edge and those it stands for.
    pub fn twins(&self, edge: u32) -> &[u32] {
        self.twins.get(&edge).map_or(&[], Vec::as_slice)
    }

    /// All edges of a state.
    pub fn leaving(&self, state: u32) -> &[u32] {
        self.leaving.get(state as usize).map_or(&[], Vec::as_slice)
    }

    /// All edges into any of these states.
    pub fn into_any(&self, states: &[u32]) -> impl Iterator<Item = &Edge> {
        self.edges.iter().filter(|edge| states.contains(&edge.to))
    }

    /// For every state the fewest edges to one of `goals`; `u32::MAX` where there is no way.
    pub fn distances(&self, goals: &[u32]) -> Vec<u32> {
        let mut distances = vec![u32::MAX; self.into.len()];
        let mut level: Vec<u32> = Vec::new();
        for &goal in goals {
            if let Some(distance) = distances.get_mut(goal as usize) {
                *distance = 0;
                level.push(goal);
            }
        }
        let mut length = 0;
        while !level.is_empty() {
            length += 1;
            let mut next = Vec::new();
            for state in level.drain(..) {
                for &source in self.into.get(state as usize).into_iter().flatten() {
                    if let Some(distance) = distances.get_mut(source as usize).filter(|d| **d == u32::MAX) {
                        *distance = length;
                        next.push(source);
                    }
                }
            }
            level = next;
        }
        distances
    }
}
