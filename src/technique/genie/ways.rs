//! The model as the search for inserted traces needs it: dense numbers, redundant parallel edges
//! removed, nothing that leads out of the app.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::gui::{Event, LayoutHash, StateId};
use crate::model::{EventShape, GuiModel};

/// A model made ready for searching; made once and used for all pivots of a seed.
#[derive(Clone, Debug)]
pub struct Ways {
    numbers: BTreeMap<StateId, u32>,
    /// All edges, sorted by the state they leave.
    edges: Vec<Edge>,
    /// The edges of state n that are not redundant: `kept[n]` indexes `edges`.
    kept: Vec<Vec<u32>>,
    /// All edges of state n, redundant ones included.
    leaving: Vec<Vec<u32>>,
    /// For state n, the states with an edge to it.
    into: Vec<Vec<u32>>,
}

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
}

impl Ways {
    pub fn of(model: &GuiModel) -> Self {
        let inside = || model.states().map(|s| s.id).filter(|&id| id != GuiModel::OUTSIDE);
        let numbers: BTreeMap<StateId, u32> = inside().zip(0..).collect();
        let mut ways = Self {
            edges: Vec::new(),
            kept: vec![Vec::new(); numbers.len()],
            leaving: vec![Vec::new(); numbers.len()],
            into: vec![Vec::new(); numbers.len()],
            numbers,
        };
        for (_, from, transition, to) in model.transitions() {
            let (Some(from), Some(to)) = (ways.number(from.id), ways.number(to.id)) else { continue };
            ways.add(Edge {
                from,
                to,
                shape: transition.action.shape,
                event: transition.event.clone(),
                after: transition.after,
                has_effect: transition.has_effect(),
            });
        }
        ways
    }

    /// Of several edges between two states with events of one shape (the rows of a list) the one
    /// learned first is kept for searching.
    fn add(&mut self, edge: Edge) {
        let number = u32::try_from(self.edges.len()).unwrap_or(u32::MAX);
        let twin = |n: &u32| self.edge(*n).is_some_and(|e| e.to == edge.to && e.shape == edge.shape);
        let from = edge.from as usize;
        let redundant = self.kept.get(from).is_some_and(|kept| kept.iter().any(twin));
        for (list, wanted) in [(&mut self.leaving, true), (&mut self.kept, !redundant)] {
            if let (Some(list), true) = (list.get_mut(from), wanted) {
                list.push(number);
            }
        }
        if let Some(list) = self.into.get_mut(edge.to as usize) {
            list.push(edge.from);
        }
        self.edges.push(edge);
    }

    pub fn number(&self, state: StateId) -> Option<u32> {
        self.numbers.get(&state).copied()
    }

    pub fn edge(&self, number: u32) -> Option<&Edge> {
        self.edges.get(number as usize)
    }

    /// The edges of a state that are worth walking.
    pub fn walkable(&self, state: u32) -> &[u32] {
        self.kept.get(state as usize).map_or(&[], Vec::as_slice)
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
