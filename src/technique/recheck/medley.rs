//! Traces of several jobs as the tests of one, for oracles that judge jobs.

use droidmux_record::{Act, Batch, Ending, Job, JobRun, Observation, Purpose, Role, Test, Turn, Work};

/// A trace and the role it is to play.
pub(super) struct Part<'r> {
    pub(super) run: &'r JobRun,
    pub(super) test: u16,
    pub(super) role: Role,
}

/// One job of these traces, test n being part n, with the device and the slot of the first; `None`
/// without any.
pub(super) fn medley(parts: &[Part<'_>]) -> Option<JobRun> {
    let first = parts.first()?.run;
    let mut turns: Vec<Turn> = Vec::new();
    let mut tests = Vec::new();
    for part in parts {
        let own = turns_of(part);
        let events = own.iter().filter_map(|turn| match &turn.act {
            Act::Perform(event) => Some(event.clone()),
            Act::Reset | Act::Consult(_) | Act::Finish(_) => None,
        });
        tests.push(Test { role: part.role.clone(), events: events.collect() });
        turns.extend(own.into_iter().cloned());
    }
    let (act, observation) = (Act::Finish(Ending::Complete), Observation::Ended);
    turns.push(Turn { act, observation, at_ms: 0, took_ms: 0 });
    let work = Work::Batch(Batch { purpose: Purpose::Mutants { seed: 0 }, tests });
    let job = Job { slot: first.job.slot, rng: 0, work };
    let (device, app) = (first.device.clone(), first.app.clone());
    Some(JobRun { job, attempt: 1, device, app, turns })
}

fn turns_of<'r>(part: &Part<'r>) -> Vec<&'r Turn> {
    let mut test: Option<u16> = None;
    let mut own = Vec::new();
    for turn in &part.run.turns {
        match turn.act {
            Act::Reset => test = Some(test.map_or(0, |test| test.saturating_add(1))),
            Act::Perform(_) => {}
            Act::Consult(_) | Act::Finish(_) => continue,
        }
        if test == Some(part.test) {
            own.push(turn);
        }
    }
    own
}
