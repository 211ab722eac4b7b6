//! The driver of an experiment: events that a reader wants to have tried, in words of the account.

use std::collections::VecDeque;

use crate::Driver;
use droidmux_account::{Veil, find_event};
use droidmux_record::{Act, Ending, IgnoreRule, Layouts, Observation};

/// Tries events one after the other, from a reset on; ends where one cannot be found.
#[derive(Clone)]
pub struct TrialDriver {
    wanted: VecDeque<String>,
    app: String,
    ignored: Vec<IgnoreRule>,
}

impl TrialDriver {
    /// Tries these in this app.
    pub fn new(wanted: &[String], app: &str, ignored: &[IgnoreRule]) -> Self {
        let wanted = wanted.iter().cloned().collect();
        Self { wanted, app: app.to_owned(), ignored: ignored.to_vec() }
    }
}

impl Driver for TrialDriver {
    fn next(&mut self, observation: &Observation, layouts: &dyn Layouts) -> Act {
        let seen = match observation {
            Observation::Started => return Act::Reset,
            Observation::Seen(seen) => seen,
            Observation::Failed(_) | Observation::Ended | Observation::Answered(_) => {
                return Act::Finish(Ending::Stuck);
            }
        };
        let Some(words) = self.wanted.pop_front().filter(|_| !seen.crashed(&self.app)) else {
            return Act::Finish(Ending::Complete);
        };
        let veil = Veil { ignored: self.ignored.clone(), ..Veil::default() };
        let found = layouts.layout(seen.screen.layout).and_then(|layout| find_event(&words, &layout, &veil));
        found.map_or(Act::Finish(Ending::Stuck), Act::Perform)
    }

    fn fresh(&self) -> Box<dyn Driver> {
        Box::new(self.clone())
    }
}
