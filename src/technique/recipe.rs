//! Recipes: what to run to see a violation again.

use crate::record::{Act, Evidence, JobRun, Role, Test, Verdict, Work};

/// The tests that show a violation of this job again. Empty when nothing is known that could.
pub fn recipe(run: &JobRun, verdict: &Verdict) -> Vec<Test> {
    match (&run.job.work, &verdict.evidence) {
        (_, Evidence::Deviation(deviation)) => deviation.tests(),
        (_, Evidence::Signal { turn, .. }) => crash_recipe(run, *turn).unwrap_or_default(),
        (Work::Batch(batch), _) => batch.reduced_to(verdict.test),
        (Work::Explore(_) | Work::Weigh(_), _) => run.as_tests(),
    }
}

/// The events from the last reset up to a turn of the job, without those that failed.
fn crash_recipe(run: &JobRun, turn: u32) -> Option<Vec<Test>> {
    let turns = run.turns.get(..=turn as usize)?;
    let reset = turns.iter().rposition(|turn| turn.act == Act::Reset)?;
    let performed = turns.iter().skip(reset).filter(|turn| turn.observation.seen().is_some());
    let events = performed.filter_map(|turn| match &turn.act {
        Act::Perform(event) => Some(event.clone()),
        Act::Reset | Act::Finish(_) => None,
    });
    Some(vec![Test { role: Role::Seed, events: events.collect() }])
}
