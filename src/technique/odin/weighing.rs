//! Weighings: behaviours that are recorded already, to be judged together. Nothing is performed.

use serde::{Deserialize, Serialize};

use droidmux_gui::{Event, StateId};
use droidmux_record::{ErrandContent, FrontLayout, Handled, SessionId, Source};

/// All behaviours of one state on one event, to be clustered.
///
/// Holds everything that the oracle needs besides the layouts, so that its verdict can be derived
/// again from the job alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weighing {
    /// The state, at the `events` level.
    pub state: StateId,
    /// What is done in the state: the last event of every input.
    pub event: Handled,
    /// Every different event of the inputs, once.
    pub events: Vec<Event>,
    /// At most as many as `behaviours` of the settings, in the order they were recorded.
    pub behaviours: Vec<Behaviour>,
}

/// One behaviour: the layouts before and after the last step of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Behaviour {
    /// The input with the event in question last, as numbers into [`Weighing::events`].
    pub input: Vec<u32>,
    /// The screen on which the last event of the input acts.
    pub before: FrontLayout,
    /// The screen that this event led to.
    pub after: FrontLayout,
    /// The step that showed it, for looking it up; the oracle does not compare it.
    pub source: Source,
}

impl ErrandContent for Weighing {
    const NAME: &'static str = "weigh";

    fn events(&self) -> u64 {
        0
    }

    fn each_session(&mut self, visit: &mut dyn FnMut(&mut SessionId)) {
        self.behaviours.iter_mut().for_each(|behaviour| visit(&mut behaviour.source.session));
    }
}
