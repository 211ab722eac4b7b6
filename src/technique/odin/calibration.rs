//! Calibration: walks over the model until every state has enough inputs (Odin).

use std::collections::{BTreeMap, BTreeSet};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::corpus::Corpus;
use super::walk::Walk;
use crate::OdinSettings;
use droidmux_gui::{Event, LayoutHash, StateId};
use droidmux_model::{GuiModel, StateModel, StateNo, Walks};
use droidmux_record::Slot;

/// What calibration has planned.
#[derive(Clone, Debug, Default)]
pub(super) struct Calibration {
    /// Events planned.
    pub(super) events: u64,
    /// The walks under way: the states they should pass through, by one layout of each.
    under_way: BTreeMap<Slot, Walking>,
    /// The walks that were planned, as numbers of events.
    planned: BTreeSet<Vec<u32>>,
    /// States (by their first layouts) in which no walk ends.
    pub(super) unreachable: BTreeSet<LayoutHash>,
}

/// Walks to one state.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// What the state handles.
    pub(super) state: StateId,
    layout: LayoutHash,
    pub(super) walks: Vec<Vec<Event>>,
    paths: Vec<Vec<LayoutHash>>,
}

/// Walks of one job.
#[derive(Clone, Debug)]
pub(super) struct Walking {
    /// A layout of the state that they should end in.
    pub(super) target: LayoutHash,
    /// By walk: a layout of each state on its way, that of the launch first.
    pub(super) paths: Vec<Vec<LayoutHash>>,
}

/// How often a walk is drawn that has not been run yet and that nothing recorded speaks against.
const DRAWS: u32 = 60;

impl Calibration {
    /// Walks to the least-visited state of those that can still be brought to a judgement with `left` events; `None` when
    /// every state that walks end in has enough inputs, or what is left is needed for those that have. `room` says whether
    /// there is room for this many events.
    pub(super) fn plan(
        &mut self,
        corpus: &mut Corpus,
        settings: &OdinSettings,
        rng: u64,
        left: u64,
        room: impl Fn(u64) -> bool,
    ) -> Option<Plan> {
        let model = corpus.model();
        let launch = corpus.launch(&model)?;
        let mut visits = corpus.endings(&model);
        for walking in self.under_way.values() {
            if let Some(state) = model.state_of(walking.target) {
                *visits.entry(state).or_insert(0) += walking.paths.len() as u64;
            }
        }
        let visits = |state: StateNo| visits.get(&state).copied().unwrap_or(0);
        let mut wanting: Vec<StateNo> =
            model.states().filter(|&s| is_inside(&model, s) && visits(s) < settings.inputs.into()).collect();
        self.keep_affordable(&mut wanting, corpus, &model, settings, left, visits);
        wanting.sort_by_key(|&state| (visits(state), state));
        let mut rng = ChaCha8Rng::seed_from_u64(rng);
        self.unreachable.clear();
        for state in wanting {
            let Some(&layout) = model.layouts(state).first() else { continue };
            let walks = Walks::to(&model, state, settings.walk_events as usize, |s| !is_inside(&model, s));
            if walks.chance(launch) <= 0.0 {
                self.unreachable.insert(layout);
                continue;
            }
            let missing = u64::from(settings.inputs) - visits(state);
            let count = missing.min(settings.batch.into());
            let mut plan =
                Plan { state: model.handled(state)?, layout, walks: Vec::new(), paths: Vec::new() };
            let mut events = 0;
            for _ in 0..count {
                let Some(walk) = self.draw(&walks, &model, launch, corpus, &mut rng) else { break };
                events += walk.events.len() as u64;
                if !room(self.events + events) {
                    events -= walk.events.len() as u64;
                    break;
                }
                plan.walks.push(walk.as_events(corpus)?);
                plan.paths.push(walk.path);
            }
            if plan.walks.is_empty() {
                return None;
            }
            self.events += events;
            return Some(plan);
        }
        None
    }

    /// Leaves those states that can be brought to enough inputs, with each of their events appended to as many as a
    /// judgement needs, beside those that have enough already: the ones that lack least come first. With room for all of
    /// them, all stay; a state that cannot be judged in the end would be calibrated for nothing.
    fn keep_affordable(
        &self,
        wanting: &mut Vec<StateNo>,
        corpus: &Corpus,
        model: &StateModel,
        settings: &OdinSettings,
        left: u64,
        visits: impl Fn(StateNo) -> u64,
    ) {
        let walks = self.planned.len() as u64;
        let length = if walks == 0 {
            u64::from(settings.walk_events).div_ceil(2)
        } else {
            self.events.div_ceil(walks)
        };
        let length = length.max(1);
        let lacks = |state: StateNo| u64::from(settings.inputs).saturating_sub(visits(state));
        let pairs =
            |state: StateNo| model.handled(state).map_or(0, |handled| corpus.handled(handled).len() as u64);
        let cost = |state: StateNo| {
            let judged = pairs(state).saturating_mul(settings.fewest.into()).saturating_mul(length + 1);
            lacks(state).saturating_mul(length).saturating_add(judged)
        };
        let done = model.states().filter(|&state| is_inside(model, state) && lacks(state) == 0);
        let mut taken = done.map(cost).fold(0_u64, u64::saturating_add);
        wanting.sort_by_key(|&state| (lacks(state), state));
        // A state that is calibrated in part can still be weighed by what exploration did there: better than nothing.
        let least = wanting.first().copied().filter(|_| walks == 0);
        wanting.retain(|&state| {
            taken = taken.saturating_add(cost(state));
            taken <= left
        });
        if wanting.is_empty() {
            wanting.extend(least);
        }
    }

    /// A walk that was not planned before, and of those drawn the one that what is recorded speaks least against.
    fn draw(
        &mut self,
        walks: &Walks<'_>,
        model: &StateModel,
        launch: StateNo,
        corpus: &Corpus,
        rng: &mut ChaCha8Rng,
    ) -> Option<Walk> {
        let mut best: Option<Walk> = None;
        for _ in 0..DRAWS {
            let drawn = walks.draw(launch, rng)?;
            let Some(walk) = Walk::over(&drawn, model, launch, corpus, rng) else { continue };
            let is_new = !self.planned.contains(&walk.events);
            let better =
                |other: &Walk| (is_new, walk.trust) > (!self.planned.contains(&other.events), other.trust);
            let settled = is_new && walk.trust >= 1.0;
            if best.as_ref().is_none_or(better) {
                best = Some(walk);
            }
            if settled {
                break;
            }
        }
        let best = best?;
        self.planned.insert(best.events.clone());
        Some(best)
    }

    pub(super) fn began(&mut self, slot: Slot, plan: &Plan) {
        self.under_way.insert(slot, Walking { target: plan.layout, paths: plan.paths.clone() });
    }

    /// Forgets walks under way and returns where they were to lead.
    pub(super) fn ended(&mut self, slot: Slot) -> Option<Walking> {
        self.under_way.remove(&slot)
    }

    /// How many inputs the states lack, and how many they should have in all.
    pub(super) fn missing(corpus: &Corpus, model: &StateModel, settings: &OdinSettings) -> (u64, u64) {
        let enough = u64::from(settings.inputs);
        let endings = corpus.endings(model);
        let states: Vec<StateNo> = model.states().filter(|&state| is_inside(model, state)).collect();
        let has = |state: &StateNo| endings.get(state).copied().unwrap_or(0).min(enough);
        let total = enough * states.len() as u64;
        (total - states.iter().map(has).sum::<u64>(), total)
    }
}

/// True for the states of the app.
pub(super) fn is_inside(model: &StateModel, state: StateNo) -> bool {
    model.handled(state).is_some_and(|handled| handled != GuiModel::OUTSIDE)
}
