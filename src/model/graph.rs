//! The model itself: a directed multigraph of states, and how it learns one step.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use petgraph::Direction::Outgoing;
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;

use super::outing::{is_outing, outing_offers};
use super::state::{Offered, State, Transition};
use super::{Action, EventKey, Sketch, offers};
use droidmux_gui::{Event, Layout, LayoutHash, Level, Page, StateId};
use droidmux_record::Screen;
use droidmux_words::number::count;

/// A GUI transition model.
#[derive(Clone, Debug)]
pub struct GuiModel {
    pub(super) level: Level,
    pub(super) initial_weight: f64,
    pub(super) graph: DiGraph<State, Transition>,
    pub(super) nodes: BTreeMap<StateId, NodeIndex>,
    /// Transitions that were taken one right after the other.
    pub(super) followed: BTreeSet<(TransitionId, TransitionId)>,
    /// The app's package, known from the first page of it.
    pub(super) own: Option<Arc<str>>,
    /// On how many variants of a page each event was executed.
    pub(super) tried: BTreeMap<(StateId, EventKey), u32>,
}

/// A transition's number in its model; stays the same as the model grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TransitionId(pub(super) u32);

/// A screen with its layout.
#[derive(Clone, Copy, Debug)]
pub struct Sighting<'a> {
    /// The screen that was seen.
    pub screen: &'a Screen,
    /// The layout that the screen names by its hash.
    pub layout: &'a Layout,
}

/// What the model learnt on arriving at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrival {
    /// Where this is at the model's level; [`GuiModel::OUTSIDE`] outside the app.
    pub state: StateId,
    /// The very layout that was seen.
    pub layout: LayoutHash,
    /// The state was not known.
    pub new: bool,
    /// Σ Υ(e′) over the events first seen on this layout.
    pub gained: f64,
}

/// The result of noting an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traversal {
    /// `None` when the model is full.
    pub id: Option<TransitionId>,
    /// The transition was new.
    pub new: bool,
}

impl TransitionId {
    pub(super) fn of(edge: EdgeIndex) -> Option<Self> {
        u32::try_from(edge.index()).ok().map(Self)
    }
}

impl GuiModel {
    /// The state of everything outside the app under test (the papers' l = ⊥), except the pages of
    /// [outings](super::outing_offers).
    pub const OUTSIDE: StateId = StateId(0);

    /// The most states; later ones are not kept, and whatever touches them is ignored.
    pub const MOST_STATES: usize = 20_000;

    /// The most transitions from one state.
    const MOST_TRANSITIONS: usize = 2_000;

    /// The most pairs of consecutive transitions.
    const MOST_FOLLOWED: usize = 500_000;

    /// How often an event led out of the app before that counts as known.
    const OFTEN: u64 = 3;

    /// The most events of one state.
    const MOST_OFFERS: usize = 2_000;

    /// An empty model. `initial_weight` is Υ₁.
    pub fn new(level: Level, initial_weight: f64) -> Self {
        let (graph, nodes, followed) = (DiGraph::new(), BTreeMap::new(), BTreeSet::new());
        Self { level, initial_weight, graph, nodes, followed, own: None, tried: BTreeMap::new() }
    }

    /// What makes two layouts the same state.
    pub fn level(&self) -> Level {
        self.level
    }

    /// The state a place is in, whether the model knows it or not.
    pub fn locate(&self, place: Sighting<'_>) -> StateId {
        if !place.screen.in_app && !self.is_outing(place) {
            return Self::OUTSIDE;
        }
        let page = Page { package: &place.screen.package, activity: &place.screen.activity };
        self.level.state(page, place.layout)
    }

    /// Whether this is a page of another app that the app sends people to for something.
    pub fn is_outing(&self, place: Sighting<'_>) -> bool {
        self.own.as_ref().is_some_and(|own| is_outing(place.screen, place.layout, own))
    }

    /// Notes a place: its state, and the events it offers.
    pub fn arrive(&mut self, place: Sighting<'_>) -> Arrival {
        if place.screen.in_app && self.own.is_none() {
            self.own = Some(place.screen.package.as_str().into());
        }
        let state = self.locate(place);
        let mut arrival = Arrival { state, layout: place.screen.layout, new: false, gained: 0.0 };
        let Some((node, new)) = self.node_of(state, place) else { return arrival };
        arrival.new = new;
        let initial_weight = self.initial_weight;
        let Some(known) = self.graph.node_weight_mut(node) else { return arrival };
        known.visits += 1;
        if state == Self::OUTSIDE {
            return arrival;
        }
        let offered = if place.screen.in_app { offers(place.layout) } else { outing_offers(place.layout) };
        for offer in offered {
            let Err(at) = known.position(offer.action.key) else { continue };
            if known.offers.len() >= Self::MOST_OFFERS {
                break;
            }
            known.offers.insert(at, Offered { action: offer.action, weight: initial_weight, executed: 0 });
            arrival.gained += initial_weight;
        }
        arrival
    }

    /// Notes a place whose events the model knows from an earlier arrival.
    pub(super) fn arrive_again(&mut self, state: StateId, layout: LayoutHash) -> Arrival {
        let node = self.nodes.get(&state).copied();
        if let Some(known) = node.and_then(|node| self.graph.node_weight_mut(node)) {
            known.visits += 1;
        }
        Arrival { state, layout, new: false, gained: 0.0 }
    }

    /// Notes that `event` was executed in `from`, on layout `before`, and led to `arrival`.
    ///
    /// Raises the count of executions and sets Υ(e) ← (Υ(e) + Σ Υ(e′)) / exec_times(e)².
    pub fn traverse(
        &mut self,
        from: StateId,
        before: LayoutHash,
        action: Action,
        event: &Arc<Event>,
        arrival: &Arrival,
    ) -> Traversal {
        const FULL: Traversal = Traversal { id: None, new: false };
        self.reward(from, action, arrival.gained);
        let (Some(&source), Some(&target)) = (self.nodes.get(&from), self.nodes.get(&arrival.state)) else {
            return FULL;
        };
        if let Some(source) = self.graph.node_weight_mut(source)
            && source.led.len() < Self::MOST_OFFERS
        {
            source.led.insert((action.shape, arrival.state));
        }
        let known =
            self.graph.edges_connecting(source, target).find(|e| e.weight().action == action).map(|e| e.id());
        if let Some(transition) = known.and_then(|id| self.graph.edge_weight_mut(id)) {
            transition.count += 1;
            transition.before = before;
            transition.after = arrival.layout;
            return Traversal { id: known.and_then(TransitionId::of), new: false };
        }
        if self.graph.edges(source).count() >= Self::MOST_TRANSITIONS {
            return FULL;
        }
        let event = event.clone();
        let transition = Transition { action, event, count: 1, before, after: arrival.layout };
        let edge = self.graph.add_edge(source, target, transition);
        Traversal { id: TransitionId::of(edge), new: true }
    }

    /// Notes that one transition was taken right after another.
    pub fn follow(&mut self, first: TransitionId, second: TransitionId) {
        if self.followed.len() < Self::MOST_FOLLOWED {
            self.followed.insert((first, second));
        }
    }

    /// The pairs of transitions that were taken one right after the other.
    pub fn followed(&self) -> impl Iterator<Item = (TransitionId, TransitionId)> {
        self.followed.iter().copied()
    }

    /// Notes that an event could not be done after all, so that it counts as tried.
    pub fn give_up(&mut self, from: StateId, action: Action) {
        self.reward(from, action, 0.0);
    }

    /// A state by its id; `None` when it was never arrived at, or came when the model was full.
    pub fn state(&self, id: StateId) -> Option<&State> {
        self.nodes.get(&id).and_then(|&node| self.graph.node_weight(node))
    }

    /// All states in order of their ids, including [`GuiModel::OUTSIDE`] once it has been met.
    pub fn states(&self) -> impl Iterator<Item = &State> {
        self.nodes.values().filter_map(|&node| self.graph.node_weight(node))
    }

    /// How many states of the app there are.
    pub fn state_count(&self) -> usize {
        self.nodes.len() - usize::from(self.nodes.contains_key(&Self::OUTSIDE))
    }

    /// How many transitions there are, including those from and to [`GuiModel::OUTSIDE`].
    pub fn transition_count(&self) -> usize {
        self.graph.edge_count()
    }

    /// A transition with the states it leads from and to.
    pub fn transition(&self, id: TransitionId) -> Option<(&State, &Transition, &State)> {
        let edge = EdgeIndex::new(id.0 as usize);
        let (source, target) = self.graph.edge_endpoints(edge)?;
        Some((
            self.graph.node_weight(source)?,
            self.graph.edge_weight(edge)?,
            self.graph.node_weight(target)?,
        ))
    }

    /// All transitions in the order they were learned.
    pub fn transitions(&self) -> impl Iterator<Item = (TransitionId, &State, &Transition, &State)> {
        (0..count(self.graph.edge_count())).map(TransitionId).filter_map(|id| {
            let (from, transition, to) = self.transition(id)?;
            Some((id, from, transition, to))
        })
    }

    /// The transitions from a state in the order they were learned, with the states they lead to.
    pub fn leaving(&self, from: StateId) -> Vec<(TransitionId, &Transition, &State)> {
        let Some(&source) = self.nodes.get(&from) else { return Vec::new() };
        let mut all: Vec<_> = self
            .graph
            .edges_directed(source, Outgoing)
            .filter_map(|e| {
                Some((TransitionId::of(e.id())?, e.weight(), self.graph.node_weight(e.target())?))
            })
            .collect();
        all.sort_by_key(|(id, ..)| *id);
        all
    }

    /// Where an event led most often from a state; the newest in case of a tie.
    pub fn outcome(&self, from: StateId, key: EventKey) -> Option<StateId> {
        let leaving = self.leaving(from);
        let outcomes = leaving.iter().filter(|(_, t, _)| t.action.key == key);
        outcomes.max_by_key(|(id, t, _)| (t.count, *id)).map(|(_, _, to)| to.id)
    }

    /// True when an event is known to lead out of the app: it usually did, and more than once or twice. What ended in a
    /// crash once may do its work with other data.
    pub fn leads_out(&self, from: StateId, key: EventKey) -> bool {
        let leaving = self.leaving(from);
        let most = |out: bool| {
            let led =
                leaving.iter().filter(|(_, t, to)| t.action.key == key && (to.id == Self::OUTSIDE) == out);
            led.map(|(_, transition, _)| transition.count).max().unwrap_or(0)
        };
        most(true) >= Self::OFTEN.max(most(false))
    }

    /// The `most` states of the same activity that look most like this one, excluding itself; most similar first, ties
    /// by id.
    pub fn similar(&self, id: StateId, most: usize) -> Vec<StateId> {
        let Some(state) = self.state(id) else { return Vec::new() };
        let mut others: Vec<(f64, StateId)> = self
            .states()
            .filter(|s| s.id != id && s.id != Self::OUTSIDE && s.activity == state.activity)
            .map(|s| (s.sketch.likeness(&state.sketch), s.id))
            .collect();
        others.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        others.into_iter().take(most).map(|(_, id)| id).collect()
    }

    fn reward(&mut self, from: StateId, action: Action, gained: f64) {
        let initial_weight = self.initial_weight;
        let node = self.nodes.get(&from).copied();
        let Some(state) = node.and_then(|node| self.graph.node_weight_mut(node)) else { return };
        let page = state.page;
        let at = match state.position(action.key) {
            Ok(at) => at,
            Err(_) if state.offers.len() >= Self::MOST_OFFERS => return,
            Err(at) => {
                // An event that exploration does not offer, such as menu.
                state.offers.insert(at, Offered { action, weight: initial_weight, executed: 0 });
                at
            }
        };
        let Some(offered) = state.offers.get_mut(at) else { return };
        if offered.executed == 0 {
            *self.tried.entry((page, action.key)).or_default() += 1;
        }
        offered.executed = offered.executed.saturating_add(1);
        offered.weight = (offered.weight + gained) / f64::from(offered.executed).powi(2);
    }

    /// The node of a state, added when new; `None` when the model is full.
    fn node_of(&mut self, id: StateId, place: Sighting<'_>) -> Option<(NodeIndex, bool)> {
        if let Some(&node) = self.nodes.get(&id) {
            return Some((node, false));
        }
        let sketch = Sketch::of(place.layout);
        let state = State {
            id,
            page: self.page_of(id, &place.screen.activity, &sketch),
            activity: place.screen.activity.as_str().into(),
            layout: place.screen.layout,
            elsewhere: !place.screen.in_app,
            visits: 0,
            sketch,
            trail: None,
            offers: Vec::new(),
            led: BTreeSet::new(),
        };
        self.insert(state).map(|node| (node, true))
    }

    pub(super) fn insert(&mut self, state: State) -> Option<NodeIndex> {
        if self.nodes.len() >= Self::MOST_STATES {
            return None;
        }
        let id = state.id;
        let node = self.graph.add_node(state);
        self.nodes.insert(id, node);
        Some(node)
    }
}
