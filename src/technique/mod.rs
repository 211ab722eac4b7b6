//! Techniques: planners, drivers and oracles.
//!
//! In: a session definition and an RNG seed, then finished jobs with their verdicts (planner),
//! observations (driver), whole jobs (oracle). Out: jobs, acts, judgements, findings.
//!
//! Invariants: everything here is pure and deterministic: no I/O, no clock, randomness only from
//! the seeds given. Layouts are read through [`Layouts`] and not kept. A planner is asked for
//! slot n after it has absorbed exactly the jobs up to n − W, in slot order. No rule names a
//! particular app, its ids or its labels.

pub mod baseline;
mod crash;
mod fidelity;
pub mod findings;
pub mod genie;
pub mod inputblaster;
mod ledger;
mod lesson;
mod mining;
pub mod odin;
pub mod pbfdroid;
pub mod recheck;
mod recipe;
mod replay;
mod reply;
mod reshown;
mod shrink;
mod suspects;
#[cfg(test)]
mod toy;
pub mod visiondroid;

pub use crash::CrashOracle;
pub use fidelity::{fidelity, shortfall};
pub use lesson::lesson;
pub use recipe::recipe;

use crate::record::{
    Act, Batch, Finding, Funnel, Job, JobRun, Judgement, Layouts, MaskEdit, Observation, Phase, Progress,
    Purpose, Role, SessionDefinition, SessionId, Shrunk, Slot, Technique, TextSource, Work,
};

/// The planner of a session at its start. `rng` is the session's RNG seed.
pub fn planner(definition: &SessionDefinition, session: SessionId, rng: u64) -> Box<dyn Planner> {
    if let Some(settings) = &definition.replay {
        return Box::new(replay::ReplayPlanner::new(definition, settings, session, rng));
    }
    if let Some(settings) = &definition.shrink {
        return Box::new(shrink::ShrinkPlanner::new(definition, settings, session, rng));
    }
    let planner: Box<dyn Planner> = match definition.technique {
        Technique::Genie => Box::new(genie::GeniePlanner::new(definition, session, rng)),
        Technique::Odin => Box::new(odin::OdinPlanner::new(definition, session, rng)),
        Technique::Pbfdroid => Box::new(pbfdroid::PbfdroidPlanner::new(definition, session, rng)),
        Technique::Inputblaster | Technique::Randomtext => {
            Box::new(inputblaster::InputblasterPlanner::new(definition, session, rng))
        }
        Technique::Visiondroid => Box::new(visiondroid::VisiondroidPlanner::new(definition, session, rng)),
        Technique::Monkey => Box::new(baseline::MonkeyPlanner::new(definition, session, rng)),
    };
    match definition.run.text {
        TextSource::Own => planner,
        TextSource::Inputblaster => inputblaster::with_texts(planner, definition),
    }
}

/// What all oracles of a session say of a finished job: those of its technique, then the crash
/// oracle. `edits` are people's changes to the masks.
pub fn judge(
    run: &JobRun,
    definition: &SessionDefinition,
    edits: &[MaskEdit],
    layouts: &dyn Layouts,
) -> Judgement {
    let mut judgement = match definition.technique {
        Technique::Genie => genie::GenieOracle::new(definition, edits).judge(run, layouts),
        Technique::Odin => odin::OdinOracle::new(definition).judge(run, layouts),
        Technique::Pbfdroid => pbfdroid::PbfdroidOracle::new(definition).judge(run, layouts),
        Technique::Inputblaster | Technique::Randomtext => {
            inputblaster::InputblasterOracle::new(definition).judge(run, layouts)
        }
        Technique::Visiondroid => visiondroid::VisiondroidOracle::new(definition).judge(run, layouts),
        Technique::Monkey => Judgement::default(),
    };
    judgement.verdicts.extend(CrashOracle.judge(run, layouts).verdicts);
    judgement
}

/// Decides what to try.
pub trait Planner: Send + Sync {
    /// Takes in traces that another session recorded, in the order of the session's inputs, before
    /// the first slot. A technique that uses none ignores them; its sessions have none.
    fn take_in(&mut self, _source: SessionId, _run: &JobRun, _layouts: &dyn Layouts) {}

    /// The job for this slot. Called once for every slot, in order.
    fn plan(&mut self, slot: Slot) -> Plan;

    /// A driver for a job this planner has just planned, holding a snapshot of what the planner
    /// knows now. Called before anything further is planned or absorbed.
    fn driver(&self, job: &Job) -> Box<dyn Driver>;

    /// Learns from a finished job. Called in slot order; empty slots are left out.
    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts);

    /// How far the session is, with the funnel.
    fn progress(&self) -> Progress;

    /// All findings so far, best rank first.
    fn findings(&self) -> Vec<Finding>;

    /// What a finding was shrunk to so far; only of the session that shrinks it.
    fn shrunk(&self) -> Option<Shrunk> {
        None
    }

    /// Raised whenever the same inputs may give other jobs: stored with the session, so that a
    /// restart under another version is refused instead of going astray.
    fn version(&self) -> u32;
}

/// What a planner answers for a slot.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    Job(Box<Job>),
    /// Nothing for this slot; jobs under way must be absorbed first.
    Idle,
    /// Nothing more, ever.
    Done,
}

/// Decides inside one episode.
pub trait Driver: Send + Sync {
    /// The next act. The first observation is [`Observation::Started`].
    fn next(&mut self, observation: &Observation, layouts: &dyn Layouts) -> Act;

    /// True when the text of the edit it has just asked for was drawn at random and is of no further
    /// account: another one may be typed in its place.
    fn types_at_random(&self) -> bool {
        false
    }

    /// A copy in the present state: a job that loses its device starts again from such a copy.
    fn fresh(&self) -> Box<dyn Driver>;
}

/// Judges a finished job.
pub trait Oracle: Send + Sync {
    fn judge(&self, run: &JobRun, layouts: &dyn Layouts) -> Judgement;
}

/// The driver of a batch: one that asks the Detector where it holds functions to be judged again.
fn batch_driver(batch: &Batch, definition: &SessionDefinition) -> Box<dyn Driver> {
    if batch.tests.iter().any(|test| matches!(test.role, Role::Toured(_))) {
        return Box::new(visiondroid::InspectionDriver::new(batch, definition));
    }
    Box::new(genie::BatchDriver::new(batch, &definition.app, definition.genie.pivot_likeness))
}

/// The answer of a planner for a slot: a job with its own seed, entered in the ledger, or nothing.
fn work_plan(slot: Slot, work: Option<Work>, phase: Phase, rng: u64, ledger: &mut ledger::Ledger) -> Plan {
    match work {
        Some(work) => {
            let confirms = matches!(&work, Work::Batch(b) if matches!(b.purpose, Purpose::Confirm { .. }));
            ledger.plan(slot, work.events(), confirms);
            Plan::Job(Box::new(Job { slot, rng: mix(rng, slot.0), work }))
        }
        None if phase == Phase::Done => Plan::Done,
        None => Plan::Idle,
    }
}

/// How far a planner is that spends its events on one kind of search and then confirms what it
/// suspects.
fn search_progress(
    (phase, search): (Phase, Phase),
    ledger: &ledger::Ledger,
    suspects: &suspects::Suspects,
    funnel: Funnel,
) -> Progress {
    let (done, total, unit) = match phase == search {
        true => (ledger.spent(), ledger.most(), "events"),
        false => suspects.settled(),
    };
    Progress {
        phase,
        done,
        total,
        unit: unit.to_owned(),
        events: ledger.spent(),
        max_events: ledger.most(),
        funnel: suspects.funnel(funnel),
        ..Progress::default()
    }
}

/// A seed for a generator of its own, from the session's and a number.
fn mix(rng: u64, number: u64) -> u64 {
    // SplitMix64, so that neighbouring numbers give unrelated seeds.
    let mut z = rng.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
