//! The planner of techniques that explore first and then look for something in phases of their own.
//!
//! In: what the technique does ([`Hunt`]), slots, finished jobs. Out: plans, drivers, progress, findings.
//!
//! Invariant: budget, phases and confirmations are the course's; a hunt only hears of jobs that looked for something.

use std::sync::Arc;

use super::explore::{Coverage, Exploration};
use super::ledger::Ledger;
use super::phases::{Course, Phases, Reached};
use super::{Driver, IdleDriver, Plan, Planner};
use droidmux_record::{
    Batch, Errand, Explore, Finding, Funnel, Job, JobRun, Judgement, Layouts, Progress, SessionDefinition,
    SessionId, Shrunk, Slot,
};
use droidmux_words::number::count;

/// A technique as it hunts: what it does in its phases, and what it learns.
pub trait Hunt: Phases + Sized + Send + Sync {
    /// The first phase.
    const FIRST: Self::Phase;

    /// Raised whenever the same inputs may give other jobs.
    const VERSION: u32;

    /// A hunt at the start of a session; `rng` seeds all its random choices.
    fn new(definition: &SessionDefinition, session: SessionId, rng: u64) -> Self;

    /// Takes in a trace that another session recorded.
    fn take_in(&mut self, _source: SessionId, _run: &JobRun, _layouts: &dyn Layouts) {}

    /// What it explored, and how.
    fn exploration(&self) -> &Exploration;

    /// What earlier seed tests did.
    fn coverage(&self) -> Arc<Coverage> {
        Arc::default()
    }

    /// The driver of a batch.
    fn batch_driver(&self, batch: &Batch) -> Box<dyn Driver>;

    /// The driver of an errand.
    fn errand_driver(&self, _job: &Job, _errand: &Errand) -> Box<dyn Driver> {
        Box::new(IdleDriver)
    }

    /// Learns from a finished job that was not about a finding.
    fn learn(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts);

    /// How far a phase is.
    fn reached(&self, phase: &Self::Phase, ledger: &Ledger) -> Reached;

    /// The funnel as far as the technique knows it.
    fn funnel(&self) -> Funnel;

    /// Adds to a report what the technique has to tell; its phases may be over.
    fn told(&self, phase: Option<&Self::Phase>, progress: Progress) -> Progress;
}

/// Plans a session of such a technique.
pub struct HuntPlanner<H: Hunt> {
    course: Course<H::Phase>,
    hunt: H,
}

impl<H: Hunt> HuntPlanner<H> {
    /// A planner at the start of a session; `rng` seeds all its random choices.
    pub fn new(definition: &SessionDefinition, session: SessionId, rng: u64) -> Self {
        Self {
            course: Course::new(definition, session, rng, H::FIRST),
            hunt: H::new(definition, session, rng),
        }
    }
}

impl<H: Hunt> Planner for HuntPlanner<H>
where
    H::Phase: Send + Sync,
{
    fn take_in(&mut self, source: SessionId, run: &JobRun, layouts: &dyn Layouts) {
        self.hunt.take_in(source, run, layouts);
    }

    fn plan(&mut self, slot: Slot) -> Plan {
        self.course.plan(slot, &mut self.hunt)
    }

    fn batch_driver(&self, batch: &Batch) -> Box<dyn Driver> {
        self.hunt.batch_driver(batch)
    }

    fn explore_driver(&self, job: &Job, explore: &Explore) -> Box<dyn Driver> {
        self.hunt.exploration().driver(job, explore, self.hunt.coverage(), self.course.questions())
    }

    fn errand_driver(&self, job: &Job, errand: &Errand) -> Box<dyn Driver> {
        self.hunt.errand_driver(job, errand)
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        if !self.course.absorb(run, judgement, layouts) {
            return;
        }
        self.hunt.learn(run, judgement, layouts);
        self.course.suspect(run, judgement, layouts);
    }

    fn stop_searching(&mut self) {
        self.course.stop_searching();
    }

    fn progress(&self) -> Progress {
        let reached = |phase: &H::Phase| self.hunt.reached(phase, self.course.ledger());
        let progress = self.course.progress(self.hunt.funnel(), reached);
        let model = self.hunt.exploration().model();
        let (states, transitions) = (count(model.state_count()), count(model.transition_count()));
        self.hunt.told(self.course.phase(), Progress { states, transitions, ..progress })
    }

    fn findings(&self) -> Vec<Finding> {
        self.course.findings()
    }

    fn shrunk(&self) -> Vec<Shrunk> {
        self.course.shrunk()
    }

    fn version(&self) -> u32 {
        H::VERSION
    }
}
