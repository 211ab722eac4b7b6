//! Manifestation: every event a state handles, after the inputs that end in it (Odin).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::calibration::is_inside;
use super::corpus::{Corpus, InputName, Moment};
use super::weighing::{Behaviour, Weighing};
use crate::OdinSettings;
use droidmux_gui::{Event, EventKind, StateId};
use droidmux_model::{StateModel, StateNo};
use droidmux_record::Handled;

/// All pairs of a state and an event, on a model that stays as it is.
#[derive(Clone, Debug, Default)]
pub(super) struct Manifestation {
    pub(super) model: Arc<StateModel>,
    pub(super) groups: Vec<Group>,
    /// The first group whose tests are not all planned.
    pub(super) next: usize,
}

/// One state and one event it handles.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) state: StateNo,
    /// What the state handles.
    pub(super) handling: StateId,
    pub(super) event: Handled,
    /// Its behaviours: the moments before the event.
    pub(super) shown: Vec<Moment>,
    /// Inputs that end in the state and have not yet been followed by the event.
    pub(super) waiting: Vec<Moment>,
    /// Jobs under way.
    pub(super) under_way: u32,
    /// How many of `shown` were run for their own sake.
    pub(super) fresh: u64,
    pub(super) weighed: bool,
}

/// Longer inputs are not run again.
const MOST_INPUT: u16 = 100;

impl Manifestation {
    /// Finds the groups, what is recorded of them, and what is to be run. A group gets at most
    /// `behaviours`, recorded ones first; which ones is drawn at random.
    pub(super) fn of(corpus: &mut Corpus, settings: &OdinSettings, rng: u64) -> Self {
        let model = corpus.model();
        let recorded = recorded(corpus, &model, settings);
        let inputs = inputs(corpus, &model);
        let mut groups = Vec::new();
        for state in model.states().filter(|&state| is_inside(&model, state)) {
            let Some(handling) = model.handled(state) else { continue };
            let ending = inputs.get(&state).map_or(&[][..], Vec::as_slice);
            for event in corpus.handled(handling) {
                let event = with_text(event, settings);
                let known = recorded.get(&(state, event.clone()));
                let names: BTreeSet<InputName> = known.into_iter().flatten().map(|(name, _)| *name).collect();
                let mut rng = ChaCha8Rng::seed_from_u64(super::mix(rng, groups.len() as u64));
                let most = settings.behaviours as usize;
                let mut shown: Vec<Moment> = known.into_iter().flatten().map(|(_, at)| *at).collect();
                shown.shuffle(&mut rng);
                shown.truncate(most);
                let mut waiting: Vec<Moment> =
                    ending.iter().filter(|(name, _)| !names.contains(name)).map(|(_, at)| *at).collect();
                waiting.shuffle(&mut rng);
                waiting.truncate(most - shown.len());
                groups.push(Group {
                    state,
                    handling,
                    event,
                    shown,
                    waiting,
                    under_way: 0,
                    fresh: 0,
                    weighed: false,
                });
            }
        }
        in_order(&mut groups);
        Self { model, groups, next: 0 }
    }
}

impl Group {
    /// Events that its waiting inputs take.
    pub(super) fn cost(&self) -> u64 {
        self.waiting.iter().map(|input| u64::from(input.steps) + 1).sum()
    }

    /// How many behaviours it can reach in all.
    pub(super) fn prospect(&self) -> usize {
        self.shown.len() + self.waiting.len()
    }

    /// Takes the next inputs to be run, as events.
    pub(super) fn take(&mut self, most: usize, corpus: &Corpus) -> Vec<Vec<Event>> {
        let rest = self.waiting.len().saturating_sub(most);
        let taken = self.waiting.split_off(rest);
        let events =
            |at: &Moment| corpus.input(*at).into_iter().filter_map(|n| corpus.event_numbered(n)).collect();
        taken.iter().map(events).collect()
    }

    /// Everything that is needed to judge its behaviours.
    pub(super) fn weighing(&self, corpus: &Corpus) -> Weighing {
        let mut events: Vec<Event> = Vec::new();
        let mut places: BTreeMap<u32, u32> = BTreeMap::new();
        let mut behaviours = Vec::new();
        let mut shown = self.shown.clone();
        shown.sort_unstable();
        for at in shown {
            let after = Moment { steps: at.steps.saturating_add(1), ..at };
            let (Some(before), Some(end), Some(source)) =
                (corpus.view_at(at), corpus.view_at(after), corpus.source(at))
            else {
                continue;
            };
            let mut place = |number: u32| {
                let next = u32::try_from(events.len()).unwrap_or(u32::MAX);
                let place = *places.entry(number).or_insert(next);
                if place == next {
                    events.extend(corpus.event_numbered(number));
                }
                place
            };
            let input = corpus.input(after).into_iter().map(&mut place).collect();
            behaviours.push(Behaviour { input, before: before.clone(), after: end.clone(), source });
        }
        Weighing { state: self.handling, event: self.event.clone(), events, behaviours }
    }
}

/// The first of every event come first, those of the cheapest state among them; then the second
/// ones, and so on: a budget that ends anywhere has been spread over all events.
fn in_order(groups: &mut Vec<Group>) {
    let mut of_event: BTreeMap<Handled, Vec<(u64, usize)>> = BTreeMap::new();
    for (n, group) in groups.iter().enumerate() {
        of_event.entry(group.event.clone()).or_default().push((group.cost(), n));
    }
    let mut order: Vec<(usize, u64, usize)> = Vec::new();
    for costs in of_event.values_mut() {
        costs.sort_unstable();
        order.extend(costs.iter().enumerate().map(|(rank, &(cost, n))| (rank, cost, n)));
    }
    order.sort_unstable();
    let mut all: Vec<Option<Group>> = std::mem::take(groups).into_iter().map(Some).collect();
    groups.extend(order.into_iter().filter_map(|(_, _, n)| all.get_mut(n)?.take()));
}

/// The recorded behaviours of every state and event, each input once: a trace is an input up to any
/// of its moments. Only steps that do what an appended event would do count.
fn recorded(
    corpus: &Corpus,
    model: &StateModel,
    settings: &OdinSettings,
) -> BTreeMap<(StateNo, Handled), BTreeMap<InputName, Moment>> {
    let mut all: BTreeMap<(StateNo, Handled), BTreeMap<InputName, Moment>> = BTreeMap::new();
    for (number, trace) in corpus.traces() {
        let names = corpus.names(trace);
        for (steps, name) in (0..trace.len().min(MOST_INPUT)).zip(names) {
            let at = Moment { trace: number, steps };
            let Some(state) = corpus.state_at(model, at) else { continue };
            let Some((event, is_first)) = corpus.event_after(at) else { break };
            let handled = Handled::of(event);
            let other_text = event.kind == EventKind::Edit && event.data.as_ref() != Some(&settings.text);
            if !is_first || other_text {
                continue;
            }
            all.entry((state, handled)).or_default().entry(name).or_insert(at);
        }
    }
    all
}

/// The inputs that end in each state, each once.
fn inputs(corpus: &Corpus, model: &StateModel) -> BTreeMap<StateNo, Vec<(InputName, Moment)>> {
    let mut all: BTreeMap<StateNo, BTreeMap<InputName, Moment>> = BTreeMap::new();
    for (number, trace) in corpus.traces().filter(|(_, trace)| trace.len() <= MOST_INPUT) {
        let end = trace.end(number);
        if let (Some(state), Some(name)) = (corpus.state_at(model, end), corpus.names(trace).pop()) {
            all.entry(state).or_default().entry(name).or_insert(end);
        }
    }
    all.into_iter().map(|(state, inputs)| (state, inputs.into_iter().collect())).collect()
}

fn with_text(event: &Handled, settings: &OdinSettings) -> Handled {
    let data = (event.kind == EventKind::Edit).then(|| settings.text.clone());
    Handled { data, ..event.clone() }
}
