//! The planner of Genie.

use crate::record::{Finding, Job, JobRun, Judgement, Layouts, Progress, SessionDefinition, SessionId, Slot};
use crate::technique::{Driver, Plan, Planner};

/// Plans a Genie session: mine, record seeds, run mutants, confirm.
pub struct GeniePlanner;

impl GeniePlanner {
    /// A planner at the start of a session; `rng` seeds every random choice of it.
    pub fn new(_definition: &SessionDefinition, _session: SessionId, _rng: u64) -> Self {
        Self
    }
}

impl Planner for GeniePlanner {
    fn plan(&mut self, _slot: Slot) -> Plan {
        todo!()
    }

    fn driver(&self, _job: &Job) -> Box<dyn Driver> {
        todo!()
    }

    fn absorb(&mut self, _run: &JobRun, _judgement: &Judgement, _layouts: &dyn Layouts) {
        todo!()
    }

    fn progress(&self) -> Progress {
        todo!()
    }

    fn findings(&self) -> Vec<Finding> {
        todo!()
    }

    fn version(&self) -> u32 {
        1
    }
}
