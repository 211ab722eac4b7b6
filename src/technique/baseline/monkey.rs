//! Monkey: random events, and nothing but crashes and ANRs to find.

use std::sync::Arc;

use crate::model::GuiModel;
use crate::record::{
    Batch, Choice, Explore, Finding, Funnel, GenieSettings, Goal, Job, JobRun, Judgement, Layouts, Phase,
    Progress, Purpose, SessionDefinition, SessionId, Slot, Work,
};
use crate::technique::findings::Findings;
use crate::technique::genie::{BatchDriver, ExploreDriver, Snapshot};
use crate::technique::ledger::Ledger;
use crate::technique::suspects::Suspects;
use crate::technique::{Driver, Plan, Planner, search_progress, work_plan};

/// Plans tests of random events until the limit, and confirms what crashed.
///
/// It learns nothing: every test chooses as the first one did.
pub struct MonkeyPlanner {
    app: String,
    /// The shares of event types, and the events of a test.
    settings: Arc<GenieSettings>,
    rng: u64,
    phase: Phase,
    ledger: Ledger,
    suspects: Suspects,
}

impl MonkeyPlanner {
    /// A planner at the start of a session; `rng` seeds every random choice of it.
    pub fn new(definition: &SessionDefinition, session: SessionId, rng: u64) -> Self {
        let run = &definition.run;
        let findings = Findings::new(session, "monkey", &definition.app, run.confirm, run.confirm_of);
        Self {
            app: definition.app.clone(),
            settings: Arc::new(definition.genie.clone()),
            rng,
            phase: Phase::Mine,
            ledger: Ledger::new(run.max_events),
            suspects: Suspects::new(findings),
        }
    }

    /// The next work; `None` when there is none now.
    fn next_work(&mut self) -> Option<Work> {
        if (self.ledger.owes_confirmation() || self.phase != Phase::Mine)
            && let Some(work) = self.suspects.confirmation(&self.ledger)
        {
            return Some(work);
        }
        let events = self.settings.episode_events.max(1);
        if self.phase == Phase::Mine && self.ledger.can_search(events.into()) {
            return Some(Work::Explore(Explore { goal: Goal::Mine, choice: Choice::Random, events }));
        }
        if !self.ledger.is_busy() {
            let confirmed = self.phase == Phase::Confirm;
            self.phase = if confirmed { Phase::Done } else { Phase::Confirm };
            if !confirmed {
                return self.next_work();
            }
        }
        None
    }
}

impl Planner for MonkeyPlanner {
    fn plan(&mut self, slot: Slot) -> Plan {
        let work = self.next_work();
        work_plan(slot, work, self.phase, self.rng, &mut self.ledger)
    }

    fn driver(&self, job: &Job) -> Box<dyn Driver> {
        match &job.work {
            Work::Batch(batch) => Box::new(BatchDriver::new(batch, &self.app, 0.0)),
            Work::Weigh(_) | Work::Properties(_) | Work::Form(_) | Work::Tour(_) => {
                Box::new(BatchDriver::idle())
            }
            Work::Explore(explore) => {
                let genie = &self.settings;
                let snapshot = Snapshot {
                    app: self.app.clone(),
                    settings: genie.clone(),
                    model: Arc::new(GuiModel::new(genie.level, genie.initial_weight)),
                    coverage: Arc::default(),
                    stale: 0,
                };
                Box::new(ExploreDriver::new(job, explore, snapshot))
            }
        }
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, _layouts: &dyn Layouts) {
        self.ledger.finish(run.job.slot, run.events());
        if let Work::Batch(Batch { purpose: Purpose::Confirm { finding, .. }, tests }) = &run.job.work {
            return self.suspects.absorb_confirmation(finding, tests, run, judgement);
        }
        self.suspects.absorb_violations(run, judgement);
    }

    fn progress(&self) -> Progress {
        search_progress((self.phase, Phase::Mine), &self.ledger, &self.suspects, Funnel::default())
    }

    fn findings(&self) -> Vec<Finding> {
        self.suspects.findings.ranked()
    }

    fn version(&self) -> u32 {
        1
    }
}
