//! Recipes: what to run to see a violation again.

use super::relation;
use droidmux_record::{Act, Evidence, JobRun, Mismatch, Role, Stretch, Test, Turn, Verdict, Work};

/// The tests that show a violation of this job again. Empty when no such tests are known.
pub fn recipe(run: &JobRun, verdict: &Verdict) -> Vec<Test> {
    match (&run.job.work, &verdict.evidence) {
        (_, Evidence::Deviation(deviation)) => deviation.tests(),
        (_, Evidence::Mistreated(mistreated)) => mistreated.tests.clone(),
        (_, Evidence::Signal { turn, .. }) => performed_until(run, *turn, Role::Seed).into_iter().collect(),
        // What a technique's own oracle judges takes the tests that it holds against each other.
        (_, Evidence::Broken(broken)) if verdict.oracle == relation::ORACLE => {
            performed_until(run, broken.turns.1, Role::Seed).into_iter().collect()
        }
        (Work::Errand(_), Evidence::Breach(breach)) => {
            let role = Role::Property(breach.trace.clone());
            performed_until(run, breach.turn, role).into_iter().collect()
        }
        (Work::Errand(_), Evidence::Mismatch(mismatch)) => toured(run, mismatch).into_iter().collect(),
        (Work::Batch(batch), _) => batch.reduced_to(verdict.test),
        _ => run.as_tests(),
    }
}

/// The events up to the one after which a function shows a bug, and which of them are its own.
fn toured(run: &JobRun, mismatch: &Mismatch) -> Option<Test> {
    let (first, last) = mismatch.span;
    let whole = performed_until(run, last, Role::Seed)?;
    let before = performed_until(run, first.checked_sub(1)?, Role::Seed)?;
    let first = u16::try_from(before.events.len()).ok()?;
    let role = Role::Toured(Stretch { function: mismatch.function.clone(), first });
    Some(Test { role, ..whole })
}

/// The events from the last reset up to a turn of the job, without those that failed.
pub(crate) fn performed_until(run: &JobRun, turn: u32, role: Role) -> Option<Test> {
    let performed = since_reset(run, turn)?.filter(|turn| turn.observation.seen().is_some());
    let events = performed.filter_map(|turn| match &turn.act {
        Act::Perform(event) => Some(event.clone()),
        Act::Reset | Act::Consult(_) | Act::Finish(_) => None,
    });
    Some(Test { role, events: events.collect() })
}

/// The turns from the last reset up to one of the job.
fn since_reset(run: &JobRun, turn: u32) -> Option<impl Iterator<Item = &Turn>> {
    let turns = run.turns.get(..=turn as usize)?;
    let reset = turns.iter().rposition(|turn| turn.act == Act::Reset)?;
    Some(turns.iter().skip(reset))
}
