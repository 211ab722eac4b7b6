//! Rechecks: another oracle judges what a session recorded, with no device.
//!
//! In: the finished jobs of a session, one at a time, its definition and masks. Out: what an oracle
//! objects to, with the places in the traces that it is about, and what it could not judge and why;
//! which oracles agree with a finding; and the findings of a session in the tiers of today's rules.
//!
//! - `crash` looks at every step.
//! - `genie` judges the mutants of the session, and traces that can be read as mutants.
//! - `odin` clusters all recorded behaviours of each state on each event.
//! - `effects` compares runs of the same events with each other.
//! - `relations` compares the screens of each trace with each other, and checks what rests on a regularity of the
//!   app against the whole session.
//!
//! Invariants: the same jobs give the same result, in whatever session they are; jobs are read again
//! rather than kept, so that memory holds numbers, not screens; what is said of a job does not
//! depend on what the session's own oracles said.

mod agreement;
mod medley;
mod mutants;
mod repeats;
#[cfg(test)]
mod tests;
mod tiers;
mod tracks;

use std::collections::BTreeMap;

pub use agreement::{agreeing, finding_places, place_of};
pub use tiers::retiered;

use super::claims::{Claims, counts_in};
use super::effects::GenieOracle;
use super::mask::Masks;
use super::relation::RelationOracle;
use super::{CrashOracle, Oracle, odin};
use droidmux_record::{
    JobRun, Judgement, Layouts, Mask, MaskEdit, Objection, Outcome, Recheck, RecheckOracle,
    SessionDefinition, SessionId, Slot, Verdict, Work,
};

/// The finished jobs of a session, to be read as often as needed.
pub trait Runs {
    /// The slots of the finished jobs, in order.
    fn slots(&self) -> Vec<Slot>;

    /// A finished job; `None` when it cannot be read.
    fn run(&self, slot: Slot) -> Option<JobRun>;
}

/// What is rechecked.
#[derive(Clone, Copy)]
pub struct Recorded<'a> {
    /// Its id, which places in its traces name.
    pub session: SessionId,
    /// As it was run; the settings of the oracles are in it.
    pub definition: &'a SessionDefinition,
    /// People's changes to its masks.
    pub edits: &'a [MaskEdit],
    /// What more than one of its jobs found to be volatile.
    pub volatile: &'a [Mask],
    /// Its finished jobs.
    pub runs: &'a dyn Runs,
    /// Where the layouts of its turns are looked up.
    pub layouts: &'a dyn Layouts,
}

/// Has an oracle judge a session; the time of it is left at 0.
pub fn recheck(oracle: RecheckOracle, recorded: &Recorded<'_>) -> Recheck {
    let mut said = Said::new(oracle);
    match oracle {
        RecheckOracle::Crash => crash(recorded, &mut said),
        RecheckOracle::Genie => genie(recorded, &mut said),
        RecheckOracle::Odin => deviations(recorded, &mut said),
        RecheckOracle::Effects => repeats::compare(recorded, &mut said),
        RecheckOracle::Relations => relations(recorded, &mut said),
    }
    said.done()
}

/// What an oracle said so far.
struct Said {
    oracle: RecheckOracle,
    judged: u64,
    unjudged: BTreeMap<String, u64>,
    violations: Vec<Objection>,
}

impl Said {
    fn new(oracle: RecheckOracle) -> Self {
        Self { oracle, judged: 0, unjudged: BTreeMap::new(), violations: Vec::new() }
    }

    /// Takes down a verdict of the session's own jobs.
    fn verdict(&mut self, session: SessionId, verdict: Verdict, run: &JobRun) {
        match &verdict.outcome {
            Outcome::Inconclusive(why) => self.unjudged(why),
            Outcome::Pass => self.judged += 1,
            Outcome::Violation => {
                let place = place_of(session, &verdict, Some(run));
                self.violation(Objection { verdict, places: vec![place] });
            }
        }
    }

    fn violation(&mut self, objection: Objection) {
        self.judged += 1;
        self.violations.push(objection);
    }

    /// Counts a case that could not be judged; only the first clause of the reason is kept.
    fn unjudged(&mut self, why: &str) {
        let why = why.split(": ").next().unwrap_or(why);
        *self.unjudged.entry(why.to_owned()).or_default() += 1;
    }

    fn done(self) -> Recheck {
        let unit = match self.oracle {
            RecheckOracle::Crash => "jobs",
            RecheckOracle::Genie => "mutants",
            RecheckOracle::Odin => "pairs of state and event",
            RecheckOracle::Effects => "repeated runs",
            RecheckOracle::Relations => "tests",
        };
        Recheck {
            oracle: self.oracle,
            at_ms: 0,
            judged: self.judged,
            unit: unit.into(),
            unjudged: self.unjudged.into_iter().collect(),
            violations: self.violations,
        }
    }
}

fn crash(recorded: &Recorded<'_>, said: &mut Said) {
    each(recorded, said, |run, said| {
        let Judgement { verdicts, .. } = CrashOracle.judge(run, recorded.layouts);
        let before = said.judged;
        verdicts.into_iter().for_each(|verdict| said.verdict(recorded.session, verdict, run));
        said.judged = before + 1;
    });
}

fn relations(recorded: &Recorded<'_>, said: &mut Said) {
    let oracle = RelationOracle::new(recorded.definition);
    let (mut claims, mut broken) = (Claims::default(), Vec::new());
    each(recorded, said, |run, said| {
        let judgement = oracle.judge(run, recorded.layouts);
        if counts_in(&run.job.work) {
            claims.count(&judgement);
        }
        said.judged += run.traces().len() as u64;
        broken.extend(judgement.verdicts.into_iter().map(|verdict| {
            let place = place_of(recorded.session, &verdict, Some(run));
            Objection { verdict, places: vec![place] }
        }));
    });
    for mut objection in broken {
        if claims.carries(&objection.verdict) {
            claims.told_on(&mut objection.verdict);
            said.violations.push(objection);
        } else {
            said.unjudged("what usually holds in the app held too seldom to say that it must");
        }
    }
}

fn genie(recorded: &Recorded<'_>, said: &mut Said) {
    let oracle = GenieOracle::new(recorded.definition, recorded.edits);
    each(recorded, said, |run, said| {
        if has_mutants(run) {
            let Judgement { verdicts, .. } = oracle.judge(run, recorded.layouts);
            verdicts.into_iter().for_each(|verdict| said.verdict(recorded.session, verdict, run));
        }
    });
    mutants::judge(recorded, &oracle, said);
}

fn deviations(recorded: &Recorded<'_>, said: &mut Said) {
    let mut survey = odin::Survey::new(recorded.session, recorded.definition);
    each(recorded, said, |run, _| survey.take_in(run, recorded.layouts));
    for judged in survey.judge(recorded.layouts) {
        match judged.verdict.outcome {
            Outcome::Inconclusive(_) => {
                said.unjudged("fewer behaviours are recorded than it takes to judge");
            }
            Outcome::Pass => said.judged += 1,
            Outcome::Violation => {
                said.violation(Objection { verdict: judged.verdict, places: judged.places });
            }
        }
    }
}

/// Reads every finished job once.
fn each(recorded: &Recorded<'_>, said: &mut Said, mut look: impl FnMut(&JobRun, &mut Said)) {
    for slot in recorded.runs.slots() {
        match recorded.runs.run(slot) {
            Some(run) => look(&run, said),
            None => said.unjudged("the job cannot be read"),
        }
    }
}

fn has_mutants(run: &JobRun) -> bool {
    matches!(&run.job.work, Work::Batch(batch) if batch.tests.iter().any(|test| test.role.insertion().is_some()))
}

/// What is left out when runs are compared: what people say, and what is volatile in the session.
pub fn masks(recorded: &Recorded<'_>) -> Masks {
    let lifted: Vec<_> =
        recorded.edits.iter().filter(|edit| !edit.masked).map(|edit| edit.mask.id()).collect();
    let volatile = recorded.volatile.iter().filter(|mask| !lifted.contains(&mask.id()));
    let added = volatile.map(|mask| MaskEdit { mask: mask.clone(), masked: true });
    Masks::edited(&recorded.edits.iter().cloned().chain(added).collect::<Vec<_>>())
}
