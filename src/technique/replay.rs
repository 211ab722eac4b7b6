//! Replays that a person asked for: the tests of one finding, a given number of times.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::findings::Findings;
use super::reshown::Reshown;
use super::{Driver, Plan, Planner, Player};
use droidmux_record::{
    Batch, Finding, Job, JobRun, Judgement, Layouts, Phase, Progress, Purpose, ReplaySettings,
    SessionDefinition, SessionId, Slot, Work,
};

/// Plans the same batch again and again, and counts what showed.
pub struct ReplayPlanner {
    definition: SessionDefinition,
    settings: ReplaySettings,
    rng: ChaCha8Rng,
    player: Player,
    shown: Reshown,
    progress: Progress,
}

impl ReplayPlanner {
    pub fn new(
        definition: &SessionDefinition,
        settings: &ReplaySettings,
        session: SessionId,
        rng: u64,
        player: Player,
    ) -> Self {
        let events: usize = settings.tests.iter().map(|test| test.events.len()).sum();
        let progress = Progress {
            phase: Phase::CONFIRM,
            total: settings.times.into(),
            unit: "replays".into(),
            max_events: events as u64 * u64::from(settings.times),
            ..Progress::default()
        };
        let needed = definition.run.confirm.min(settings.times);
        let findings =
            Findings::new(session, definition.technique.name(), &definition.app, needed, settings.times);
        Self {
            definition: definition.clone(),
            settings: settings.clone(),
            rng: ChaCha8Rng::seed_from_u64(rng),
            player,
            shown: Reshown::new(findings, &settings.key),
            progress,
        }
    }

    fn batch(&self, round: u32) -> Batch {
        let purpose = Purpose::Replay { finding: self.settings.finding.clone(), round };
        Batch { purpose, tests: self.settings.tests.clone() }
    }
}

impl Planner for ReplayPlanner {
    fn plan(&mut self, slot: Slot) -> Plan {
        let round = match u32::try_from(slot.0 + 1) {
            Ok(round) if round <= self.settings.times => round,
            _ => return Plan::Done,
        };
        Plan::Job(Box::new(Job { slot, rng: self.rng.random(), work: Work::Batch(self.batch(round)) }))
    }

    fn driver(&self, _job: &Job) -> Box<dyn Driver> {
        // All jobs are alike.
        (self.player)(&self.batch(1), &self.definition)
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, _layouts: &dyn Layouts) {
        self.progress.done += 1;
        self.progress.events += run.events();
        self.shown.absorb(&self.settings.tests, run, judgement);
        if self.progress.done == self.progress.total {
            self.progress.phase = Phase::DONE;
        }
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
