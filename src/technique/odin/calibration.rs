//! Calibration: walks over the model until every state has enough inputs (Odin).

use std::collections::{BTreeMap, BTreeSet};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::corpus::Corpus;
use crate::OdinSettings;
use droidmux_gui::{Event, LayoutHash, StateId};
use droidmux_model::{EventHash, GuiModel, StateModel, StateNo, Walks};
use droidmux_record::Slot;

/// What calibration has planned.
#[derive(Clone, Debug, Default)]
pub(super) struct Calibration {
    /// Events planned.
    pub(super) events: u64,
    /// The state that walks under way should end in, by one of its layouts, and how many there are.
    under_way: BTreeMap<Slot, (LayoutHash, u64)>,
    /// The walks that were planned, as events.
    planned: BTreeSet<Vec<EventHash>>,
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
}

/// How often a walk that has not been run yet is looked for before one is run again.
const DRAWS: u32 = 20;

impl Calibration {
    /// Walks to the least-visited state; `None` when every state that walks end in has enough
    /// inputs. `room` says whether there is room for this many events.
    pub(super) fn plan(
        &mut self,
        corpus: &mut Corpus,
        settings: &OdinSettings,
        rng: u64,
        room: impl Fn(u64) -> bool,
    ) -> Option<Plan> {
        let model = corpus.model();
        let launch = corpus.launch(&model)?;
        let mut visits = corpus.endings(&model);
        for (layout, walks) in self.under_way.values() {
            if let Some(state) = model.state_of(*layout) {
                *visits.entry(state).or_insert(0) += walks;
            }
        }
        let visits = |state: StateNo| visits.get(&state).copied().unwrap_or(0);
        let mut wanting: Vec<StateNo> =
            model.states().filter(|&s| is_inside(&model, s) && visits(s) < settings.inputs.into()).collect();
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
            let mut plan = Plan { state: model.handled(state)?, layout, walks: Vec::new() };
            let mut events = 0;
            for _ in 0..count {
                let Some(walk) = self.draw(&walks, launch, corpus, &mut rng) else { break };
                events += walk.len() as u64;
                if !room(self.events + events) {
                    events -= walk.len() as u64;
                    break;
                }
                plan.walks.push(walk);
            }
            if plan.walks.is_empty() {
                return None;
            }
            self.events += events;
            return Some(plan);
        }
        None
    }

    /// A walk that was not planned before, if one can be drawn.
    fn draw(
        &mut self,
        walks: &Walks<'_>,
        launch: StateNo,
        corpus: &Corpus,
        rng: &mut ChaCha8Rng,
    ) -> Option<Vec<Event>> {
        let mut last = None;
        for _ in 0..DRAWS {
            let walk = walks.draw(launch, rng)?;
            let hashes: Vec<EventHash> = walk.iter().map(|passage| passage.event).collect();
            let is_new = self.planned.insert(hashes.clone());
            last = Some(hashes);
            if is_new {
                break;
            }
        }
        last?.into_iter().map(|hash| corpus.event_of(hash).map(|event| Event::clone(&event))).collect()
    }

    pub(super) fn began(&mut self, slot: Slot, plan: &Plan) {
        self.under_way.insert(slot, (plan.layout, plan.walks.len() as u64));
    }

    /// Forgets walks under way and returns a layout of the state they should have ended in.
    pub(super) fn ended(&mut self, slot: Slot) -> Option<LayoutHash> {
        self.under_way.remove(&slot).map(|(layout, _)| layout)
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
