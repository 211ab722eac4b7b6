//! The planner of a stepping session: one job, led by a person.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::StepDriver;
use crate::findings::Findings;
use crate::reshown::Reshown;
use crate::{Driver, Plan, Planner};
use droidmux_record::{
    Errand, Finding, Job, JobRun, Judgement, Layouts, Phase, Progress, SessionDefinition, SessionId, Slot,
    StepSettings, Stepping, Work,
};

/// The name of the only phase, for reports and people.
const PHASE: Phase = Phase::new("step", "led by a person");

/// Plans the one job, and counts what it showed.
pub struct StepPlanner {
    app: String,
    settings: StepSettings,
    rng: ChaCha8Rng,
    shown: Reshown,
    progress: Progress,
}

impl StepPlanner {
    /// A planner for one test of this definition. `rng` is the session's RNG seed.
    pub fn new(
        definition: &SessionDefinition,
        settings: &StepSettings,
        session: SessionId,
        rng: u64,
    ) -> Self {
        let events = settings.test().map_or(0, |test| test.events.len());
        let progress = Progress {
            phase: PHASE,
            total: 1,
            unit: "test".into(),
            max_events: events as u64,
            ..Progress::default()
        };
        let findings = Findings::new(session, definition.technique.name(), &definition.app, 1, 1);
        Self {
            app: definition.app.clone(),
            settings: settings.clone(),
            rng: ChaCha8Rng::seed_from_u64(rng),
            shown: Reshown::new(findings, &settings.key),
            progress,
        }
    }
}

impl Planner for StepPlanner {
    fn plan(&mut self, slot: Slot) -> Plan {
        if slot.0 > 0 {
            return Plan::Done;
        }
        let events = self.settings.test().map_or(0, |test| test.events.len());
        let stepping = Stepping {
            finding: self.settings.finding.clone(),
            events: u16::try_from(events).unwrap_or(u16::MAX),
        };
        Plan::Job(Box::new(Job { slot, rng: self.rng.random(), work: Work::errand(stepping) }))
    }

    fn errand_driver(&self, _job: &Job, _errand: &Errand) -> Box<dyn Driver> {
        Box::new(StepDriver::new(&self.settings, &self.app))
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, _layouts: &dyn Layouts) {
        self.progress.done += 1;
        self.progress.events += run.events();
        self.shown.absorb(&self.settings.tests, run, judgement);
        self.progress.phase = Phase::DONE;
    }

    fn progress(&self) -> Progress {
        self.progress.clone()
    }

    fn findings(&self) -> Vec<Finding> {
        self.shown.findings()
    }

    fn version(&self) -> u32 {
        1
    }
}
