//! Techniques: planners, drivers and oracles.
//!
//! In: a session definition and an RNG seed, then finished jobs with their verdicts (planner),
//! observations (driver), whole jobs (oracle). Out: jobs, acts, judgements, findings.
//!
//! Invariants: everything here is pure and deterministic: no I/O, no clock, randomness only from
//! the seeds given. Layouts are read through [`Layouts`] and not kept. A planner is asked for slot
//! n after it has absorbed exactly the jobs up to n − W, in slot order. No rule names a particular
//! app, its ids or its labels. All techniques are listed in one table ([`registry`]); no technique
//! knows another one's phases or work.

#![cfg_attr(
    test,
    allow(
        clippy::cast_lossless,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::missing_errors_doc
    )
)]

pub mod baseline;
mod batch;
pub mod claims;
mod crash;
mod crash_key;
mod effects;
mod entry;
mod explain;
mod explore;
mod fidelity;
pub mod findings;
pub mod genie;
#[cfg(any(test, fuzzing))]
pub mod hostile;
mod hunt;
pub mod inputblaster;
mod inquiry;
mod ledger;
mod lesson;
mod mask;
mod members;
pub mod neutral;
pub mod odin;
mod passing;
mod patient;
pub mod pbfdroid;
mod phases;
mod playback;
mod questions;
pub mod reader;
pub mod recheck;
mod recipe;
pub mod registry;
pub mod relation;
mod replay;
mod reply;
mod reshown;
#[cfg(test)]
mod samples;
mod search;
mod seed;
mod shrink;
mod starts;
pub mod stepper;
#[cfg(test)]
mod streams;
mod suspects;
pub mod text;
mod tier;
mod timing;
#[cfg(test)]
mod toy;
pub mod visiondroid;
mod ways;

pub use batch::{BatchDriver, IdleDriver};
pub use crash::CrashOracle;
pub use droidmux_record::SettingComplaint;
pub use entry::{Inputs, NeededFile, Player, TechniqueEntry, Uses};
pub use explore::{ExploreDriver, GenieSettings, Snapshot};
pub use fidelity::{Shortfall, fidelity, shortfall};
pub use inputblaster::InputblasterSettings;
pub use lesson::lesson;
pub use mask::{Masks, path};
pub use neutral::NeutralSettings;
pub use odin::OdinSettings;
pub use pbfdroid::{Configuration, PbfdroidSettings};
pub use recipe::recipe;
pub use registry::{
    NameTaken, check, complete, entry, freeze, has_own_oracle, inputs, judge, kinds, learns, names, planner,
    register, techniques, uses,
};
pub use search::Search;
pub use starts::Starts;
pub use tier::{explanation, held_back, retier, tier_of, tier_of_verdict};
pub use visiondroid::VisiondroidSettings;

use droidmux_account::sentence;
use droidmux_record::{
    Act, Batch, Errand, Explore, Finding, Goal, Job, JobRun, Judgement, Layouts, Observation, Progress,
    SessionId, Shrunk, Slot, Work,
};

use ledger::{Charge, Ledger};

/// Decides what to try.
pub trait Planner: Send + Sync {
    /// Takes in traces that another session recorded, in the order of the session's inputs, before
    /// the first slot. A technique that uses none ignores them; its sessions have none.
    fn take_in(&mut self, _source: SessionId, _run: &JobRun, _layouts: &dyn Layouts) {}

    /// The job for this slot. Called once for every slot, in order.
    fn plan(&mut self, slot: Slot) -> Plan;

    /// A driver for a job this planner has just planned, holding a snapshot of what the planner
    /// knows now. Called before anything further is planned or absorbed.
    fn driver(&self, job: &Job) -> Box<dyn Driver> {
        match &job.work {
            Work::Batch(batch) => self.batch_driver(batch),
            Work::Explore(explore) => self.explore_driver(job, explore),
            Work::Errand(errand) => self.errand_driver(job, errand),
        }
    }

    /// The driver of a batch; a planner says so for each kind of work that it plans.
    fn batch_driver(&self, _batch: &Batch) -> Box<dyn Driver> {
        Box::new(IdleDriver)
    }

    /// The driver of an exploration.
    fn explore_driver(&self, _job: &Job, _explore: &Explore) -> Box<dyn Driver> {
        Box::new(IdleDriver)
    }

    /// The driver of an errand. Without one nothing is performed.
    fn errand_driver(&self, _job: &Job, _errand: &Errand) -> Box<dyn Driver> {
        Box::new(IdleDriver)
    }

    /// Learns from a finished job. Called in slot order; empty slots are left out.
    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts);

    /// Looks for nothing new from here on; what is suspected is still replayed. A planner that goes on all the same is
    /// not asked for much longer.
    fn stop_searching(&mut self) {}

    /// How far the session is, with the funnel.
    fn progress(&self) -> Progress;

    /// All findings so far, best rank first.
    fn findings(&self) -> Vec<Finding>;

    /// What findings were shrunk to so far.
    fn shrunk(&self) -> Vec<Shrunk> {
        Vec::new()
    }

    /// Raised whenever the same inputs may give other jobs: stored with the session, so that a
    /// restart under another version is refused instead of going astray.
    fn version(&self) -> u32;
}

/// What a planner answers for a slot.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// To be run, and absorbed under its slot.
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

    /// True when the text of the edit it has just asked for was drawn at random and does not matter any further:
    /// another one may be typed in its place.
    fn types_at_random(&self) -> bool {
        false
    }

    /// A copy in the present state: a job that loses its device starts again from such a copy.
    fn fresh(&self) -> Box<dyn Driver>;
}

/// Judges a finished job.
pub trait Oracle: Send + Sync {
    /// The verdicts of one job, from its record alone; `layouts` has those that its turns name.
    fn judge(&self, run: &JobRun, layouts: &dyn Layouts) -> Judgement;
}

/// The answer of a planner for a slot: a job with its own seed, entered in the ledger, or nothing.
fn work_plan(slot: Slot, work: Option<Work>, done: bool, rng: u64, ledger: &mut Ledger) -> Plan {
    match work {
        Some(work) => {
            let charge = match &work {
                Work::Batch(batch) if batch.purpose.is_of_a_finding() => Charge::Confirm,
                Work::Explore(explore) if explore.goal == Goal::Roam => Charge::Roam,
                _ => Charge::Search,
            };
            ledger.plan(slot, work.events(), charge);
            Plan::Job(Box::new(Job { slot, rng: mix(rng, slot.0), work }))
        }
        None if done => Plan::Done,
        None => Plan::Idle,
    }
}

/// A seed for a generator of its own, from the session's and a number.
pub fn mix(rng: u64, number: u64) -> u64 {
    // SplitMix64, so that neighbouring numbers give unrelated seeds.
    let mut z = rng.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
