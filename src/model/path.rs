//! Ways through a model.

use std::collections::{BTreeMap, VecDeque};

use petgraph::Direction::Incoming;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::{EventKey, GuiModel, State, TransitionId};
use droidmux_gui::StateId;

/// The distance of a state from which no goal can be reached.
pub const UNREACHABLE: u32 = u32::MAX;

/// For every state, the fewest transitions to one of the goals.
#[derive(Clone, Debug)]
pub struct Distances(BTreeMap<StateId, u32>);

impl Distances {
    /// 0 for a goal, [`UNREACHABLE`] when no path leads to one.
    pub fn of(&self, state: StateId) -> u32 {
        self.0.get(&state).copied().unwrap_or(UNREACHABLE)
    }
}

impl GuiModel {
    /// The shortest way from a state to one that `goal` accepts, at most `longest` transitions, as
    /// the transitions taken; empty when the state itself is a goal.
    ///
    /// Only the usual outcome of an event counts as its target. Events for which `avoid` is true
    /// are not used, and no way leads through the outside of the app. Among ways of equal length
    /// the one learned first is taken.
    pub fn route(
        &self,
        from: StateId,
        longest: usize,
        goal: impl Fn(&State) -> bool,
        avoid: impl Fn(StateId, EventKey) -> bool,
    ) -> Option<Vec<TransitionId>> {
        if goal(self.state(from)?) {
            return Some(Vec::new());
        }
        let mut came: BTreeMap<StateId, Option<(StateId, TransitionId)>> = BTreeMap::from([(from, None)]);
        let mut queue = VecDeque::from([(from, 0)]);
        while let Some((at, length)) = queue.pop_front() {
            if length >= longest {
                break;
            }
            for (id, key, to) in self.usual(at) {
                if to.id == Self::OUTSIDE || came.contains_key(&to.id) || avoid(at, key) {
                    continue;
                }
                came.insert(to.id, Some((at, id)));
                if goal(to) {
                    return Some(walk_back(&came, to.id));
                }
                queue.push_back((to.id, length + 1));
            }
        }
        None
    }

    /// The shortest path from a state to one that `goal` accepts, like [`GuiModel::route`], but over all outcomes and
    /// only through transitions that were taken directly after one another.
    ///
    /// The way back from a page depends on the way to it, which the state does not show: a path made of single
    /// transitions may enter a page from here and leave it to the place where another test came from.
    pub fn trodden(
        &self,
        from: StateId,
        longest: usize,
        goal: impl Fn(&State) -> bool,
        avoid: impl Fn(StateId, EventKey) -> bool,
    ) -> Option<Vec<TransitionId>> {
        if goal(self.state(from)?) {
            return Some(Vec::new());
        }
        let usable = |id: TransitionId| {
            let (source, transition, to) = self.transition(id)?;
            let open = to.id != Self::OUTSIDE && !avoid(source.id, transition.action.key);
            open.then_some(to)
        };
        let mut came: BTreeMap<TransitionId, Option<TransitionId>> = BTreeMap::new();
        let mut queue: VecDeque<(TransitionId, usize)> = VecDeque::new();
        let first = self.leaving(from).into_iter().map(|(id, ..)| (None, id, 1));
        let mut open: Vec<(Option<TransitionId>, TransitionId, usize)> = first.collect();
        loop {
            for (before, id, length) in open.drain(..) {
                let Some(to) = usable(id).filter(|_| !came.contains_key(&id)) else { continue };
                came.insert(id, before);
                if goal(to) {
                    return Some(retrace(&came, id));
                }
                queue.push_back((id, length));
            }
            let (last, length) = queue.pop_front()?;
            if length < longest {
                open.extend(self.followers(last).map(|next| (Some(last), next, length + 1)));
            }
        }
    }

    /// The distances of all states to the nearest of `goals`, over all outcomes ever seen.
    pub fn distances(&self, goals: &[StateId]) -> Distances {
        let mut distances = BTreeMap::new();
        let mut queue: VecDeque<(NodeIndex, u32)> = VecDeque::new();
        for goal in goals {
            if let Some(&node) = self.nodes.get(goal) {
                distances.insert(*goal, 0);
                queue.push_back((node, 0));
            }
        }
        while let Some((node, distance)) = queue.pop_front() {
            for edge in self.graph.edges_directed(node, Incoming) {
                let Some(source) = self.graph.node_weight(edge.source()) else { continue };
                if source.id != Self::OUTSIDE && !distances.contains_key(&source.id) {
                    distances.insert(source.id, distance + 1);
                    queue.push_back((edge.source(), distance + 1));
                }
            }
        }
        Distances(distances)
    }

    /// The transitions that were taken right after this one.
    fn followers(&self, id: TransitionId) -> impl Iterator<Item = TransitionId> {
        let after = (id, TransitionId(0))..=(id, TransitionId(u32::MAX));
        self.followed.range(after).map(|(_, next)| *next)
    }

    /// The transitions of a state that are the usual outcome of their event.
    fn usual(&self, from: StateId) -> Vec<(TransitionId, EventKey, &State)> {
        let leaving = self.leaving(from);
        let mut best: BTreeMap<EventKey, (u64, TransitionId)> = BTreeMap::new();
        for (id, transition, _) in &leaving {
            let entry = best.entry(transition.action.key).or_insert((0, *id));
            *entry = (*entry).max((transition.count, *id));
        }
        let is_best = |id: &TransitionId, key: EventKey| best.get(&key).is_some_and(|b| b.1 == *id);
        leaving
            .into_iter()
            .filter(|(id, transition, _)| is_best(id, transition.action.key))
            .map(|(id, transition, to)| (id, transition.action.key, to))
            .collect()
    }
}

fn retrace(came: &BTreeMap<TransitionId, Option<TransitionId>>, end: TransitionId) -> Vec<TransitionId> {
    let mut route = vec![end];
    let mut at = end;
    while let Some(Some(before)) = came.get(&at) {
        route.push(*before);
        at = *before;
    }
    route.reverse();
    route
}

fn walk_back(came: &BTreeMap<StateId, Option<(StateId, TransitionId)>>, end: StateId) -> Vec<TransitionId> {
    let mut route = Vec::new();
    let mut at = end;
    while let Some(Some((before, id))) = came.get(&at) {
        route.push(*id);
        at = *before;
    }
    route.reverse();
    route
}
