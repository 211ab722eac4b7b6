//! How a seed test finds its way: from one aim to the next (Genie).
//!
//! A walk of a dozen events drawn one by one rarely gets deep into an app. So a seed draws whole
//! aims instead: transitions of the model, by their weight Υ, preferring what changes the app's
//! data, what lies deep and what earlier seeds did not do. It gets there by transitions that were
//! taken one right after the other, and if the app responds differently, it draws again.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::choice::{self, Executed, Here};
use crate::GenieSettings;
use droidmux_gui::{Event, EventKind};
use droidmux_model::{EventShape, GuiModel, Offer, State, Transition, TransitionId};
use droidmux_words::number::real;

/// How many seeds did an event of each shape, on each activity: 'OK' has one shape in all dialogs of an app, and answers
/// another question on each page.
#[derive(Clone, Debug, Default)]
pub struct Coverage(BTreeMap<EventShape, BTreeMap<String, u32>>);

/// The way of one seed test.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// Events up to the aim and its own.
    way: VecDeque<Arc<Event>>,
    /// What this test did already.
    own: Coverage,
    started: bool,
    /// The test's number: tests planned at the same time know nothing of each other, so each
    /// begins with another of the aims there are.
    ordinal: u64,
}

/// A transition that a test may go to.
#[derive(Clone, Copy, Debug)]
struct Aim {
    worth: f64,
    id: TransitionId,
    /// It probably changes the app's data.
    changes: bool,
}

/// What a walk looks at when it chooses its next event.
#[derive(Clone, Copy, Debug)]
pub struct Outlook<'a> {
    pub here: &'a Here,
    pub model: &'a GuiModel,
    /// Of earlier seeds.
    pub coverage: &'a Coverage,
    /// In this test.
    pub executed: &'a Executed,
    pub settings: &'a GenieSettings,
    /// Events before the end of the test.
    pub left: u32,
}

/// Aims drawn before going by weights.
const DRAWS: usize = 12;

/// Aims that take turns in beginning a test: as many as tests are planned at the same time by
/// default.
const TURNS: usize = 8;

/// The longest way to an aim by the model, in events.
const FARTHEST: usize = 8;

/// Executions of an event in one test after which no way uses it: it led elsewhere.
const WORN: u32 = 2;

/// The worth of an aim that changes the app's data, compared with one that only shows it.
const MANIPULATES: f64 = 30.0;

impl Walk {
    /// The walk of a test with this number.
    pub fn new(ordinal: u64) -> Self {
        Self { ordinal, ..Self::default() }
    }

    /// The next event of the test; `None` when there is none worth doing.
    pub fn next(&mut self, outlook: Outlook<'_>, rng: &mut ChaCha8Rng) -> Option<(Offer, Event)> {
        if let Some(step) = self.follow(outlook.here) {
            return Some(self.note(step, outlook));
        }
        self.way.clear();
        // Mostly, a form is filled in before anything else is done with it.
        if outlook.left >= 2
            && let Some(field) = choice::field_to_fill(outlook.here, outlook.executed, rng)
        {
            let event = choice::event(outlook.here, &field);
            return Some(self.note((field, event), outlook));
        }
        self.aim(outlook, rng);
        if let Some(step) = self.follow(outlook.here) {
            return Some(self.note(step, outlook));
        }
        self.way.clear();
        let offer = by_weight(outlook, rng)?;
        let event = choice::event(outlook.here, &offer);
        Some(self.note((offer, event), outlook))
    }

    /// True when no aim is left to go to.
    pub fn has_arrived(&self) -> bool {
        self.started && self.way.is_empty()
    }

    fn note(&mut self, step: (Offer, Event), outlook: Outlook<'_>) -> (Offer, Event) {
        if let Some(state) = outlook.model.state(outlook.here.state) {
            self.own.count(&state.activity, step.0.action.shape);
        }
        self.started = true;
        step
    }

    /// The next event of the way, if it can be done here: a row like the recorded one will do.
    fn follow(&mut self, here: &Here) -> Option<(Offer, Event)> {
        let event = self.way.pop_front()?;
        let offer = choice::resolve(here, &event)?;
        let receiver = offer.widget.map(|widget| here.layout.selector(widget));
        Some((offer, Event { receiver, ..(*event).clone() }))
    }

    /// Draws an aim and plans the way to it.
    fn aim(&mut self, outlook: Outlook<'_>, rng: &mut ChaCha8Rng) {
        // Of the events of one shape that lead from one activity to another only the one nearest to the start
        // counts, or long lists and the states that only a long test reaches would win.
        let mut best: BTreeMap<(EventShape, &str, &str), (f64, Aim)> = BTreeMap::new();
        for (id, from, transition, to) in outlook.model.transitions() {
            let worth = self.worth(from, transition, to, outlook);
            // Ties, such as the rows of a list, are drawn.
            let rank = worth * rng.random_range(0.9..1.1) / (2.0 + depth(from)).powi(3);
            let kind = (transition.action.shape, &*from.activity, &*to.activity);
            let known = best.get(&kind).map_or(0.0, |(rank, _)| *rank);
            if rank > known {
                let changes = choice::manipulates(from, transition, to, outlook.settings);
                best.insert(kind, (rank, Aim { worth, id, changes }));
            }
        }
        let aims: Vec<Aim> = best.into_values().map(|(_, aim)| aim).collect();
        let order = if self.started { drawn(aims, rng) } else { self.first_aims(aims) };
        for aim in order.into_iter().take(DRAWS) {
            let Some((from, transition, _)) = outlook.model.transition(aim.id) else { return };
            if let Some(way) = self.way_to(from, outlook) {
                self.way = way;
                self.way.push_back(transition.event.clone());
                return;
            }
        }
    }

    /// The aims that change the app's data, worthiest first, beginning with the one whose turn it
    /// is; else all aims.
    fn first_aims(&self, mut aims: Vec<Aim>) -> Vec<Aim> {
        if aims.iter().any(|aim| aim.changes) {
            aims.retain(|aim| aim.changes);
        }
        aims.sort_by(|a, b| b.worth.total_cmp(&a.worth).then(a.id.cmp(&b.id)));
        let turns = aims.len().clamp(1, TURNS);
        let turn = usize::try_from(self.ordinal).unwrap_or(0) % turns;
        if !aims.is_empty() {
            aims.rotate_left(turn);
        }
        aims
    }

    /// How much a transition is worth as an aim; 0 for what leads out of the app.
    fn worth(&self, from: &State, transition: &Transition, to: &State, outlook: Outlook<'_>) -> f64 {
        let shape = transition.action.shape;
        if to.id == GuiModel::OUTSIDE || from.id == GuiModel::OUTSIDE || transition.event.receiver.is_none() {
            return 0.0;
        }
        let weight = from.offer(transition.action.key).map_or(1.0, |o| o.weight.max(0.01).sqrt().sqrt());
        let usual = outlook.model.outcome(from.id, transition.action.key) == Some(to.id);
        let done = |coverage: &Coverage| f64::from(coverage.of(&from.activity, shape));
        let mut worth =
            weight * (2.0 + depth(from)) / (1.0 + done(outlook.coverage)) / (1.0 + 4.0 * done(&self.own));
        for (holds, factor) in [
            (transition.has_effect(), 4.0),
            (usual, 4.0),
            (choice::manipulates(from, transition, to, outlook.settings), MANIPULATES),
            (matches!(transition.event.kind, EventKind::Scroll(_)), 0.1),
        ] {
            if holds {
                worth *= factor;
            }
        }
        worth
    }

    /// The events to a state: by transitions that were taken one after the other; at the test's
    /// start, where none are known, by the recorded way.
    fn way_to(&self, to: &State, outlook: Outlook<'_>) -> Option<VecDeque<Arc<Event>>> {
        let Outlook { here, model, executed, left, .. } = outlook;
        let longest = left.saturating_sub(1) as usize;
        let (from, farthest) = (here.state, longest.min(FARTHEST));
        let is_there = |state: &State| state.id == to.id;
        let worn = |from, key| executed.get(&(from, key)).is_some_and(|&times| times >= WORN);
        if let Some(route) = model.trodden(from, farthest, is_there, worn) {
            let steps = route.iter().filter_map(|&id| model.transition(id));
            return Some(steps.map(|(_, transition, _)| transition.event.clone()).collect());
        }
        let trail = to.trail.as_ref().filter(|trail| !self.started && trail.len() <= longest)?;
        Some(trail.iter().cloned().collect())
    }
}

impl Coverage {
    /// Counts a seed that did an event on this activity.
    pub fn count(&mut self, activity: &str, shape: EventShape) {
        *self.0.entry(shape).or_default().entry(activity.to_owned()).or_insert(0) += 1;
    }

    /// How many did.
    fn of(&self, activity: &str, shape: EventShape) -> u32 {
        self.0.get(&shape).and_then(|on| on.get(activity)).copied().unwrap_or(0)
    }
}

/// Aims in an order drawn by their worth.
fn drawn(mut aims: Vec<Aim>, rng: &mut ChaCha8Rng) -> Vec<Aim> {
    // The order of weighted drawing without replacement: by u^(1/w), u uniform in 0 to 1.
    let mut keyed: Vec<(f64, Aim)> =
        aims.drain(..).map(|aim| (rng.random_range(0.0_f64..1.0).ln() / aim.worth.max(1e-9), aim)).collect();
    keyed.sort_by(|a, b| b.0.total_cmp(&a.0));
    keyed.into_iter().map(|(_, aim)| aim).collect()
}

/// How many events from a reset a state lies, as far as was recorded; at most 8.
fn depth(state: &State) -> f64 {
    real(state.trail.as_ref().map_or(0, |trail| trail.len()).min(8))
}

/// An event drawn by weight Υ, affirmative labels counting four times, alternatives as one; nothing that is known to
/// leave the app or to change nothing.
fn by_weight(outlook: Outlook<'_>, rng: &mut ChaCha8Rng) -> Option<Offer> {
    let Outlook { here, model, settings, executed, .. } = outlook;
    let state = model.state(here.state)?;
    let alternatives = choice::Alternatives::of(here);
    let weight = |offer: &Offer| {
        let times = executed.get(&(here.state, offer.action.key)).copied().unwrap_or(0);
        let base = state.offer(offer.action.key).map_or(0.0, |o| o.weight.max(0.01).sqrt());
        let preferred = if choice::is_preferred(here, offer, settings) { 4.0 } else { 1.0 };
        let leaves = model.leads_out(here.state, offer.action.key);
        if leaves { 0.0 } else { base * preferred / f64::from(1 + times) / alternatives.to(offer) }
    };
    let total: f64 = here.offers.iter().map(weight).sum();
    let mut roll = rng.random_range(0.0..1.0) * total;
    let drawn = here.offers.iter().find(|offer| {
        roll -= weight(offer);
        roll < 0.0
    });
    drawn.copied()
}
