//! Whether a page that was gone after a neutral insertion goes by itself: start pages, pages that load, messages.
//!
//! In: the run in which the relation objects. Out: a [`Trial`] that waits in place of the insertion, and whether the screen
//! is another one after that, too.
//!
//! Invariant: the trial does what the finding's own test does up to the insertion, and nothing after it.

use super::subject::PAUSE_SECONDS;
use super::trial::{Asks, Trial};
use crate::recipe::performed_until;
use crate::relation;
use droidmux_gui::{Event, LayoutHash};
use droidmux_record::{Broken, JobRun, Role, Test, Verdict};

/// What was there before an insertion, and after it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Passing {
    /// The activity whose page was to stay.
    activity: String,
    /// The screen that was there instead.
    instead: LayoutHash,
}

/// Waits where a neutral insertion was; `None` for what no insertion did.
pub(super) fn trial(run: &JobRun, verdict: &Verdict, broken: &Broken) -> Option<Trial> {
    if verdict.oracle != relation::ORACLE || broken.relation != relation::NEUTRAL.name {
        return None;
    }
    let activity = run.turns.get(broken.turns.0 as usize)?.observation.seen()?.screen.activity.clone();
    let before = performed_until(run, broken.turns.0, Role::Seed)?.events;
    let all = performed_until(run, broken.turns.1, Role::Seed)?.events.len();
    let inserted = u32::try_from(all.checked_sub(before.len())?).ok()?;
    let pause = Event::wait(inserted.saturating_mul(PAUSE_SECONDS));
    let tried = format!("{} seconds passed with nothing done instead", pause.seconds());
    let events = before.into_iter().chain([pause]).collect();
    let asks = Asks::Passes(Passing { activity, instead: broken.layouts.1 });
    Some(Trial::new(asks, vec![Test { role: Role::Seed, events }], tried))
}

impl Passing {
    /// Whether a run of its trial ends as the insertion did; `None` where it did not come to its end.
    pub(super) fn passed(&self, run: &JobRun, tests: &[Test]) -> Option<bool> {
        let (traces, test) = (run.traces(), tests.first()?);
        let trace = traces.first().filter(|trace| trace.is_whole())?;
        let end = trace.steps.last().filter(|_| trace.steps.len() == test.events.len())?;
        let screen = &end.after.as_ref().ok()?.screen;
        screen.in_app.then(|| screen.activity != self.activity || screen.layout == self.instead)
    }
}

#[cfg(test)]
#[path = "passing_tests.rs"]
mod tests;
