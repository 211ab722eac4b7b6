//! How a seed test finds its way: from one aim to the next (Genie, point 2).
//!
//! A walk of a dozen events drawn one by one rarely gets deep into an app. So a seed draws whole
//! aims instead: transitions of the model, by their weight Υ, preferring affirmative labels, what
//! lies deep and what earlier seeds did not do. It goes there by the recorded way or the shortest
//! way in the model, and when the app answers otherwise it draws again.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::choice::{self, Executed, Here};
use crate::gui::{Event, EventKind, StateId};
use crate::model::{EventShape, GuiModel, Offer, State, Transition, TransitionId};
use crate::record::GenieSettings;

/// How many seeds did an event of each shape.
pub type Coverage = BTreeMap<EventShape, u32>;

/// The way of one seed test.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// Events up to the aim, with the state each is expected to be done in.
    way: VecDeque<(Arc<Event>, Option<StateId>)>,
    /// What this test did already.
    own: Coverage,
    started: bool,
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

/// The longest way to an aim inside a test, in events.
const FARTHEST: usize = 6;

impl Walk {
    /// The next event of the test; `None` when there is none worth doing.
    pub fn next(&mut self, outlook: Outlook<'_>, rng: &mut ChaCha8Rng) -> Option<(Offer, Event)> {
        if let Some(step) = self.follow(outlook.here) {
            return Some(self.note(step));
        }
        self.way.clear();
        if let Some(field) = field_to_fill(outlook, rng) {
            let event = choice::event(outlook.here, &field, rng);
            return Some(self.note((field, event)));
        }
        self.aim(outlook, rng);
        if let Some(step) = self.follow(outlook.here) {
            return Some(self.note(step));
        }
        self.way.clear();
        let offer = by_weight(outlook, rng)?;
        let event = choice::event(outlook.here, &offer, rng);
        Some(self.note((offer, event)))
    }

    /// True when no aim is left to go to.
    pub fn has_arrived(&self) -> bool {
        self.started && self.way.is_empty()
    }

    fn note(&mut self, step: (Offer, Event)) -> (Offer, Event) {
        *self.own.entry(step.0.action.shape).or_insert(0) += 1;
        self.started = true;
        step
    }

    /// The next event of the way, if this is where it should be done.
    fn follow(&mut self, here: &Here) -> Option<(Offer, Event)> {
        let (event, expected) = self.way.pop_front()?;
        if expected.is_some_and(|state| state != here.state) {
            return None;
        }
        let offer = choice::resolve(here, &event)?;
        let receiver = offer.widget.map(|widget| here.layout.selector(widget));
        Some((offer, Event { receiver, ..(*event).clone() }))
    }

    /// Draws an aim and plans the way to it.
    fn aim(&mut self, outlook: Outlook<'_>, rng: &mut ChaCha8Rng) {
        // Of the events of one shape only the worthiest counts, or long lists would win.
        let mut best: BTreeMap<EventShape, (f64, TransitionId)> = BTreeMap::new();
        for (id, from, transition, to) in outlook.model.transitions() {
            let worth = self.worth(from, transition, to, outlook);
            let entry = best.entry(transition.action.shape).or_insert((0.0, id));
            // Ties, such as the rows of a list, are drawn.
            let luck = rng.random_range(0.9..1.1);
            if worth * luck > entry.0 {
                *entry = (worth * luck, id);
            }
        }
        let mut aims: Vec<(f64, TransitionId)> = best.into_values().collect();
        let mut total: f64 = aims.iter().map(|(worth, _)| worth).sum();
        for _ in 0..DRAWS.min(aims.len()) {
            let mut roll = rng.random_range(0.0..1.0) * total;
            let drawn = aims.iter().position(|(worth, _)| {
                roll -= worth;
                roll < 0.0
            });
            let Some(at) = drawn else { return };
            let (worth, id) = aims.swap_remove(at);
            total -= worth;
            let Some((from, transition, _)) = outlook.model.transition(id) else { return };
            if let Some(way) = self.way_to(from, outlook) {
                self.way = way;
                self.way.push_back((transition.event.clone(), None));
                return;
            }
        }
    }

    /// How much a transition is worth as an aim; 0 for what leads out of the app.
    fn worth(&self, from: &State, transition: &Transition, to: &State, outlook: Outlook<'_>) -> f64 {
        let shape = transition.action.shape;
        if to.id == GuiModel::OUTSIDE || from.id == GuiModel::OUTSIDE || transition.event.receiver.is_none() {
            return 0.0;
        }
        let weight = from.offer(transition.action.key).map_or(1.0, |o| o.weight.max(0.01).sqrt());
        let usual = outlook.model.outcome(from.id, transition.action.key) == Some(to.id);
        let done = |coverage: &Coverage| f64::from(coverage.get(&shape).copied().unwrap_or(0));
        let depth = from.trail.as_ref().map_or(0, |trail| trail.len()).min(8) as f64;
        let mut worth =
            weight * (1.0 + depth) / (1.0 + done(outlook.coverage)) / (1.0 + 4.0 * done(&self.own));
        for (holds, factor) in [
            (transition.has_effect(), 4.0),
            (usual, 4.0),
            (choice::manipulates(from, transition, to, outlook.settings), 6.0),
            (matches!(transition.event.kind, EventKind::Scroll(_)), 0.1),
        ] {
            if holds {
                worth *= factor;
            }
        }
        worth
    }

    /// The events to a state, at most `longest`: at the test's start by the recorded way, which has
    /// been gone before; later by the model.
    fn way_to(&self, to: &State, outlook: Outlook<'_>) -> Option<VecDeque<(Arc<Event>, Option<StateId>)>> {
        let Outlook { here, model, left, .. } = outlook;
        let longest = left.saturating_sub(1) as usize;
        if !self.started
            && let Some(trail) = to.trail.as_ref().filter(|trail| trail.len() <= longest)
        {
            return Some(trail.iter().map(|event| (event.clone(), None)).collect());
        }
        let route = model.route(here.state, longest.min(FARTHEST), |s| s.id == to.id, |_, _| false)?;
        let steps = route.iter().filter_map(|&id| model.transition(id));
        Some(steps.map(|(from, transition, _)| (transition.event.clone(), Some(from.id))).collect())
    }
}

/// An event drawn by weight Υ, affirmative labels counting four times; nothing that is known to
/// leave the app or to change nothing.
fn by_weight(outlook: Outlook<'_>, rng: &mut ChaCha8Rng) -> Option<Offer> {
    let Outlook { here, model, settings, executed, .. } = outlook;
    let state = model.state(here.state)?;
    let weight = |offer: &Offer| {
        let times = executed.get(&(here.state, offer.action.key)).copied().unwrap_or(0);
        let base = state.offer(offer.action.key).map_or(0.0, |o| o.weight.max(0.01).sqrt());
        let preferred = if choice::is_preferred(here, offer, settings) { 4.0 } else { 1.0 };
        let leaves = model.outcome(here.state, offer.action.key) == Some(GuiModel::OUTSIDE);
        if leaves { 0.0 } else { base * preferred / f64::from(1 + times) }
    };
    let total: f64 = here.offers.iter().map(weight).sum();
    let mut roll = rng.random_range(0.0..1.0) * total;
    let drawn = here.offers.iter().find(|offer| {
        roll -= weight(offer);
        roll < 0.0
    });
    drawn.copied()
}

/// Mostly, a form is filled in before anything else is done with it.
fn field_to_fill(outlook: Outlook<'_>, rng: &mut ChaCha8Rng) -> Option<Offer> {
    let Outlook { here, executed, left, .. } = outlook;
    let mut fields = choice::empty_fields(here);
    fields.retain(|field| !executed.contains_key(&(here.state, field.action.key)));
    if left < 2 || fields.is_empty() || rng.random_bool(0.25) {
        return None;
    }
    choice::pick(&fields, rng)
}
