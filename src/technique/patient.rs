//! A planner around any other that ends the search when the app does not outlive its starts.
//!
//! In: the planner of a technique, the session's jobs as they are absorbed. Out: that planner's jobs unchanged, as long
//! as starts go well; after that its replays of what was found, a limited number of them, and then nothing.

use super::starts::Starts;
use super::{Driver, Plan, Planner};
use droidmux_record::{
    Batch, Finding, Job, JobRun, Judgement, Layouts, Progress, SessionId, Shrunk, Slot, Work,
};

/// Jobs that may follow once nothing more is looked for.
const MOST_AFTER: u32 = 60;

/// See the module's description.
pub struct PatientPlanner {
    inner: Box<dyn Planner>,
    starts: Starts,
    after: u32,
}

impl PatientPlanner {
    pub fn new(inner: Box<dyn Planner>) -> Self {
        Self { inner, starts: Starts::default(), after: 0 }
    }

    /// Whether a job is still to be run once nothing more is looked for.
    fn is_wanted(&mut self, job: &Job) -> bool {
        let concludes = match &job.work {
            Work::Batch(Batch { purpose, .. }) => purpose.follows_a_finding(),
            work => work.only_asks(),
        };
        self.after += 1;
        concludes && self.after <= MOST_AFTER
    }
}

impl Planner for PatientPlanner {
    fn take_in(&mut self, source: SessionId, run: &JobRun, layouts: &dyn Layouts) {
        self.inner.take_in(source, run, layouts);
    }

    fn plan(&mut self, slot: Slot) -> Plan {
        match self.inner.plan(slot) {
            Plan::Job(job) if self.starts.are_over() && !self.is_wanted(&job) => Plan::Done,
            plan => plan,
        }
    }

    fn driver(&self, job: &Job) -> Box<dyn Driver> {
        self.inner.driver(job)
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        let was_over = self.starts.are_over();
        self.starts.count(run);
        self.inner.absorb(run, judgement, layouts);
        if self.starts.are_over() && !was_over {
            self.inner.stop_searching();
        }
    }

    fn stop_searching(&mut self) {
        self.inner.stop_searching();
    }

    fn progress(&self) -> Progress {
        let mut progress = self.inner.progress();
        progress.summary.extend(self.starts.words());
        progress
    }

    fn findings(&self) -> Vec<Finding> {
        self.inner.findings()
    }

    fn shrunk(&self) -> Vec<Shrunk> {
        self.inner.shrunk()
    }

    fn version(&self) -> u32 {
        self.inner.version()
    }
}
