//! Merging two models of one app.

use std::collections::BTreeMap;

use petgraph::visit::EdgeRef;

use super::state::State;
use super::{GuiModel, TransitionId};

impl GuiModel {
    /// Adds what another model of the same level knows: counts and visits add up, a weight is kept unless the event was
    /// never executed here, the shorter trail wins.
    pub fn merge(&mut self, other: &GuiModel) {
        if self.own.is_none() {
            self.own.clone_from(&other.own);
        }
        for theirs in other.states() {
            match self.nodes.get(&theirs.id).and_then(|&node| self.graph.node_weight_mut(node)) {
                Some(ours) => ours.merge(theirs),
                None => {
                    let page = self.page_of(theirs.id, &theirs.activity, &theirs.sketch);
                    self.insert(State { page, ..theirs.clone() });
                }
            }
        }
        self.count_tries();
        let mut renamed = BTreeMap::new();
        for (id, from, theirs, to) in other.transitions() {
            let (Some(&source), Some(&target)) = (self.nodes.get(&from.id), self.nodes.get(&to.id)) else {
                continue;
            };
            let edges = self.graph.edges_connecting(source, target);
            let known = edges.filter(|e| e.weight().action == theirs.action).map(|e| e.id()).next();
            let edge = match known.and_then(|id| Some((id, self.graph.edge_weight_mut(id)?))) {
                Some((edge, ours)) => {
                    ours.count += theirs.count;
                    edge
                }
                None => self.graph.add_edge(source, target, theirs.clone()),
            };
            renamed.insert(id, TransitionId::of(edge));
        }
        let ours = |id| renamed.get(&id).copied().flatten();
        for (first, second) in other.followed() {
            if let (Some(first), Some(second)) = (ours(first), ours(second)) {
                self.follow(first, second);
            }
        }
    }
}

impl State {
    fn merge(&mut self, theirs: &State) {
        self.visits += theirs.visits;
        self.led.extend(&theirs.led);
        for offered in &theirs.offers {
            match self.position(offered.action.key) {
                Err(at) => self.offers.insert(at, *offered),
                Ok(at) => {
                    let Some(ours) = self.offers.get_mut(at) else { continue };
                    if ours.executed == 0 {
                        ours.weight = offered.weight;
                    }
                    ours.executed = ours.executed.saturating_add(offered.executed);
                }
            }
        }
        let length = |trail: &Option<_>| trail.as_ref().map_or(usize::MAX, |t: &std::sync::Arc<[_]>| t.len());
        if length(&theirs.trail) < length(&self.trail) {
            self.trail.clone_from(&theirs.trail);
        }
    }
}
