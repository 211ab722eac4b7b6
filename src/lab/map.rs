//! The map of an app, mined again from what a session stored.
//!
//! In: the finished runs of a session. Out: the model that they yield, as people look at it. Any session has one,
//! whatever its technique plans on, even after a restart. Must be called off the async workers: a run of ten thousand
//! steps takes a second.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::step_view::event_words;
use droidmux_gui::{Event, LayoutHash, StateId};
use droidmux_model::{Familiar, GuiModel, State};
use droidmux_proto::{Growth, MapView, StateView, TransitionView};
use droidmux_record::{JobRun, SessionId};
use droidmux_store::{Store, StoreError};
use droidmux_technique::GenieSettings;

/// The map of a session; `None` when the store has no such session.
///
/// # Errors
/// When the store cannot be read.
pub fn map(store: &Store, session: SessionId) -> Result<Option<MapView>, StoreError> {
    let Some(record) = store.session(session)? else { return Ok(None) };
    let mut model = GuiModel::new(record.definition.settings.of::<GenieSettings>().level, 1.0);
    let (mut familiar, mut count) = (Familiar::default(), Count::default());
    let mut growth = Vec::new();
    let mut order: Vec<StateId> = Vec::new();
    let mut known = HashSet::new();
    for run in store.runs(session) {
        let run = run?;
        model.absorb(&run, &mut familiar, store);
        count.add(&run);
        if model.states().count() > known.len() {
            order.extend(model.states().map(|state| state.id).filter(|id| known.insert(*id)));
        }
        growth.push(count.growth(&model));
    }
    let states: Vec<&State> = order.iter().take(MapView::STATES).filter_map(|id| model.state(*id)).collect();
    let more_states = u64::try_from(order.len().saturating_sub(states.len())).unwrap_or(u64::MAX);
    let mut words = Words::default();
    let numbers: BTreeMap<StateId, u32> =
        (0..).zip(&states).map(|(number, state)| (state.id, number)).collect();
    let transitions = model.transitions().filter_map(|(_, from, transition, to)| {
        let (from, to) = (*numbers.get(&from.id)?, *numbers.get(&to.id)?);
        Some(TransitionView { from, to, event: words.number(&transition.event), count: transition.count })
    });
    let transitions: Vec<TransitionView> = transitions.collect();
    let states = states.into_iter().map(|state| state_view(state, &mut words)).collect();
    let events = words.list;
    Ok(Some(MapView { states, more_states, transitions, events, growth: thinned(growth) }))
}

fn state_view(state: &State, words: &mut Words) -> StateView {
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let outside = state.id == GuiModel::OUTSIDE;
    StateView {
        id: state.id,
        activity: if outside { String::new() } else { state.activity.to_string() },
        layout: state.layout,
        visits: state.visits,
        offers: count(state.offers().len()),
        untried: count(state.offers().iter().filter(|offered| offered.executed == 0).count()),
        way: state.trail.as_ref().map(|trail| trail.iter().map(|event| words.number(event)).collect()),
    }
}

/// Events in words, each kept once.
#[derive(Default)]
struct Words {
    list: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Words {
    fn number(&mut self, event: &Event) -> u32 {
        let words = event_words(event);
        if let Some(number) = self.numbers.get(&words) {
            return *number;
        }
        let number = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.list.push(words.clone());
        self.numbers.insert(words, number);
        number
    }
}

/// What was seen so far.
#[derive(Default)]
struct Count {
    steps: u64,
    activities: HashSet<String>,
    layouts: HashSet<LayoutHash>,
}

impl Count {
    fn add(&mut self, run: &JobRun) {
        for seen in run.turns.iter().filter_map(|turn| turn.observation.seen()) {
            self.steps += 1;
            if seen.screen.in_app {
                self.layouts.insert(seen.screen.layout);
                if !self.activities.contains(&seen.screen.activity) {
                    self.activities.insert(seen.screen.activity.clone());
                }
            }
        }
    }

    fn growth(&self, model: &GuiModel) -> Growth {
        let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        Growth {
            steps: self.steps,
            states: count(model.state_count()),
            transitions: count(model.transition_count()),
            activities: count(self.activities.len()),
            layouts: count(self.layouts.len()),
        }
    }
}

/// At most [`MapView::MOMENTS`] of them, spread evenly, the last among them.
fn thinned(growth: Vec<Growth>) -> Vec<Growth> {
    let each = growth.len().div_ceil(MapView::MOMENTS).max(1);
    let last = growth.len().saturating_sub(1);
    let kept = growth.into_iter().enumerate().filter(|(n, _)| (last - n).is_multiple_of(each));
    kept.map(|(_, growth)| growth).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_thinned_from_the_end() {
        for (moments, kept, first) in
            [(0, 0, None), (1, 1, Some(0)), (240, 240, Some(0)), (241, 121, Some(0)), (1_000, 200, Some(4))]
        {
            let growth = (0..moments).map(|steps| Growth { steps, ..Growth::default() }).collect();
            let thinned = thinned(growth);
            let told = (thinned.len(), thinned.first().map(|growth| growth.steps));
            assert_eq!(told, (kept, first), "{moments}");
            assert_eq!(thinned.last().map(|growth| growth.steps + 1), (moments > 0).then_some(moments));
        }
    }
}
