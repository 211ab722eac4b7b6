//! A recorded test, made ready for insertions.

use std::collections::BTreeSet;
use std::sync::Arc;

use droidmux_gui::{Event, Layout, StateId, WidgetId};
use droidmux_model::{Action, EventShape, GuiModel, Sighting};
use droidmux_record::{Failure, JobRun, Layouts, Screen, Seen, Texts, Trace, Work};

/// A recorded test e₁ … eₙ with what was seen before each event.
#[derive(Clone, Debug)]
pub struct Recording {
    /// In the order of the test.
    pub steps: Vec<RecordedStep>,
    /// What its edits type.
    pub texts: Texts,
}

/// An event of a recorded test, with what it was done on.
#[derive(Clone, Debug)]
pub struct RecordedStep {
    /// eᵢ.
    pub event: Arc<Event>,
    /// What eᵢ is in the model.
    pub action: Action,
    /// The state of the model that lᵢ belongs to.
    pub state: StateId,
    /// lᵢ.
    pub layout: Arc<Layout>,
    /// Where lᵢ was seen.
    pub screen: Screen,
    /// The widget of lᵢ that eᵢ acts on; `None` for events on no widget.
    pub receiver: Option<WidgetId>,
}

/// What tells two seeds apart: the states they go through and what they do there.
pub type Course = Vec<(StateId, EventShape)>;

/// The fewest events of a seed test.
const FEWEST: usize = 2;

impl Recording {
    /// Reads the longest test of an exploration: up to where it left the app other than for an outing, crashed or ran out of
    /// time, without events that could not be performed, and without events at its end that changed
    /// nothing. `None` when too little is left.
    pub fn read(run: &JobRun, app: &str, model: &GuiModel, layouts: &dyn Layouts) -> Option<Self> {
        let tests = run.traces();
        let read = |trace| Self::read_trace(trace, usize::MAX, texts(run), app, model, layouts);
        // On a tie, the first, so that every reading gives the same.
        tests.iter().filter_map(read).rev().max_by_key(|recording| recording.steps.len())
    }

    /// The same of the first test alone, and of its first `events` events.
    pub fn read_first(
        run: &JobRun,
        events: usize,
        app: &str,
        model: &GuiModel,
        layouts: &dyn Layouts,
    ) -> Option<Self> {
        Self::read_trace(run.traces().first()?, events, texts(run), app, model, layouts)
    }

    fn read_trace(
        trace: &Trace<'_>,
        events: usize,
        texts: Texts,
        app: &str,
        model: &GuiModel,
        layouts: &dyn Layouts,
    ) -> Option<Self> {
        let is_outing = |seen: &Seen| {
            let layout = layouts.layout(seen.screen.layout);
            layout.is_some_and(|layout| model.is_outing(Sighting { screen: &seen.screen, layout: &layout }))
        };
        let mut steps = Vec::new();
        let mut here = trace.start.filter(|seen| seen.screen.in_app && !seen.crashed(app))?;
        let mut useful = 0;
        for step in trace.steps.iter().take(events) {
            let seen = match step.after {
                Ok(seen) if !seen.crashed(app) && (seen.screen.in_app || is_outing(seen)) => seen,
                Ok(_) | Err(Failure::TimedOut) => break,
                Err(_) => continue,
            };
            let layout = layouts.layout(here.screen.layout)?;
            let receiver = seen.resolution.and_then(|resolution| resolution.widget());
            let action = match receiver {
                Some(widget) => Action::on(step.event.kind, &layout, widget),
                None => Action::global(step.event.kind),
            };
            steps.push(RecordedStep {
                event: Arc::new(step.event.clone()),
                action,
                state: model.locate(Sighting { screen: &here.screen, layout: &layout }),
                layout,
                screen: here.screen.clone(),
                receiver,
            });
            // A test does not end in another app.
            if seen.screen.in_app && seen.screen.layout != here.screen.layout {
                useful = steps.len();
            }
            here = seen;
        }
        steps.truncate(useful);
        (useful >= FEWEST).then_some(Self { steps, texts })
    }

    /// Its events, in order.
    pub fn events(&self) -> Vec<Arc<Event>> {
        self.steps.iter().map(|step| step.event.clone()).collect()
    }

    /// What tells it from other seeds.
    pub fn course(&self) -> Course {
        self.steps.iter().map(|step| (step.state, step.action.shape)).collect()
    }

    /// The activities and shapes of its events, each once.
    pub fn deeds(&self) -> BTreeSet<(&str, EventShape)> {
        self.steps.iter().map(|step| (step.screen.activity.as_str(), step.action.shape)).collect()
    }

    /// The shapes of its events, each once.
    pub fn shapes(&self) -> BTreeSet<EventShape> {
        self.steps.iter().map(|step| step.action.shape).collect()
    }
}

/// What the edits of an exploration type.
fn texts(run: &JobRun) -> Texts {
    match &run.job.work {
        Work::Explore(explore) => explore.texts,
        Work::Batch(_) | Work::Errand(_) => Texts::Colliding,
    }
}
