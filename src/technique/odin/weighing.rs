//! Weighings: behaviours that are recorded already, to be judged together. Nothing is performed.

use serde::{Deserialize, Serialize};

use crate::gui::{Event, StateId};
use crate::record::{ErrandContent, Handled, SessionId, Source, View};

/// All behaviours of one state on one event, to be clustered.
///
/// Holds everything that the oracle needs besides the layouts, so that its word can be had again
/// from the job alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weighing {
    /// The state, at the `events` level.
    pub state: StateId,
    pub event: Handled,
    /// Every different event of the inputs, once.
    pub events: Vec<Event>,
    pub behaviours: Vec<Behaviour>,
}

/// One behaviour: the layouts before and after the last step of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Behaviour {
    /// The input with the event in question last, as numbers into [`Weighing::events`].
    pub input: Vec<u32>,
    pub before: View,
    pub after: View,
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
