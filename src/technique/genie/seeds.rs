//! Seed tests: what exploration recorded, made ready to be mutated.

use std::collections::BTreeSet;
use std::sync::Arc;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::active::{Acted, ActiveViews};
use super::mutants::{Inserted, Pivot, SeedEvents, insertions};
use super::ways::Ways;
use crate::gui::{Event, StateId};
use crate::model::{Action, EventShape, GuiModel, Sighting};
use crate::record::{Failure, GenieSettings, JobRun, Layouts};

/// A recorded test e₁ … eₙ with what was seen before each event.
#[derive(Clone, Debug)]
pub struct Recording {
    pub events: Vec<Arc<Event>>,
    acted: Vec<Acted>,
    states: Vec<StateId>,
    actions: Vec<Action>,
}

/// What tells two seeds apart: the states they go through and what they do there.
pub type Course = Vec<(StateId, EventShape)>;

/// The fewest events of a seed test.
const FEWEST: usize = 2;

impl Recording {
    /// Reads the longest test of an exploration: up to where it left the app, crashed or ran out of
    /// time, without events that could not be performed, and without events at its end that changed
    /// nothing. `None` when too little is left.
    pub fn read(run: &JobRun, app: &str, model: &GuiModel, layouts: &dyn Layouts) -> Option<Self> {
        let tests = run.traces();
        let read = |trace| Self::read_trace(trace, app, model, layouts);
        // The first of equals, so that every reading gives the same.
        tests.iter().filter_map(read).rev().max_by_key(|recording| recording.events.len())
    }

    fn read_trace(
        trace: &crate::record::Trace<'_>,
        app: &str,
        model: &GuiModel,
        layouts: &dyn Layouts,
    ) -> Option<Self> {
        let mut recording =
            Self { events: Vec::new(), acted: Vec::new(), states: Vec::new(), actions: Vec::new() };
        let mut here = trace.start.filter(|seen| seen.screen.in_app && !seen.crashed(app))?;
        let mut useful = 0;
        for step in &trace.steps {
            let seen = match step.after {
                Ok(seen) if seen.screen.in_app && !seen.crashed(app) => seen,
                Ok(_) | Err(Failure::TimedOut) => break,
                Err(_) => continue,
            };
            let layout = layouts.layout(here.screen.layout)?;
            let widget = seen.resolution.and_then(|resolution| resolution.widget());
            let state = model.locate(Sighting { screen: &here.screen, layout: &layout });
            recording.events.push(Arc::new(step.event.clone()));
            recording.states.push(state);
            recording.actions.push(match widget {
                Some(widget) => Action::on(step.event.kind, &layout, widget),
                None => Action::global(step.event.kind),
            });
            let activity = here.screen.activity.clone();
            recording.acted.push(Acted { layout, activity, receiver: widget });
            if seen.screen.layout != here.screen.layout {
                useful = recording.events.len();
            }
            here = seen;
        }
        recording.truncate(useful);
        (useful >= FEWEST).then_some(recording)
    }

    fn truncate(&mut self, events: usize) {
        self.events.truncate(events);
        self.acted.truncate(events);
        self.states.truncate(events);
        self.actions.truncate(events);
    }

    pub fn course(&self) -> Course {
        self.states.iter().copied().zip(self.actions.iter().map(|a| a.shape)).collect()
    }

    /// The shapes of its events, each once.
    pub fn shapes(&self) -> BTreeSet<EventShape> {
        self.actions.iter().map(|action| action.shape).collect()
    }

    /// The inserted traces for each of its pivots l₁ … lₙ. `rng` seeds the draws.
    pub fn mutate(
        &self,
        model: &GuiModel,
        layouts: &dyn Layouts,
        settings: &GenieSettings,
        rng: u64,
    ) -> Vec<Vec<Inserted>> {
        let ways = Ways::of(model, settings);
        let active = ActiveViews::of_test(&self.acted, settings.carry_ratio);
        let seed = SeedEvents { events: self.events.clone(), actions: self.actions.clone() };
        let pivots = self.acted.iter().zip(&active).zip(&self.states).enumerate();
        pivots
            .map(|(position, ((acted, active), &state))| {
                let layout = &acted.layout;
                let pivot = Pivot { state, layout, active, position, seed: &seed };
                let mut rng = ChaCha8Rng::seed_from_u64(super::mix(rng, position as u64));
                insertions(&pivot, model, &ways, layouts, settings, &mut rng)
            })
            .collect()
    }
}
