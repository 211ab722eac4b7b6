//! The planner that shrinks a finding: which versions to run, and what their replays mean.

use std::collections::BTreeMap;

use super::ddmin::Kept;
use super::versions::{Next, Versions};
use crate::findings::{Findings, Replay};
use crate::ledger::{Charge, Ledger};
use crate::reshown::Reshown;
use crate::{Driver, Plan, Planner, Player, mix};
use droidmux_record::{
    Batch, Finding, Job, JobRun, Judgement, Layouts, Phase, Progress, Purpose, SessionDefinition, SessionId,
    ShrinkEnding, ShrinkSettings, Shrunk, Slot, Work, events_of, events_told,
};

/// Plans the replays of ever shorter versions of a finding's tests.
pub struct ShrinkPlanner {
    session: SessionId,
    definition: SessionDefinition,
    settings: ShrinkSettings,
    rng: u64,
    player: Player,
    stage: Stage,
    versions: Versions,
    under_way: BTreeMap<Slot, Asked>,
    ledger: Ledger,
    /// The replays of the result.
    shown: Reshown,
    ending: ShrinkEnding,
    /// Replays of the result that are planned.
    finals: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Does the original show?
    Original,
    Search,
    /// Does the result show, and how often?
    Result,
    Done,
}

/// What a job under way is to tell.
#[derive(Clone, Debug)]
enum Asked {
    Version(Kept),
    Result,
}

impl ShrinkPlanner {
    pub fn new(
        definition: &SessionDefinition,
        settings: &ShrinkSettings,
        session: SessionId,
        rng: u64,
        player: Player,
    ) -> Self {
        let needed = definition.run.confirm.min(settings.times);
        let (technique, app) = (definition.technique.name(), &definition.app);
        let findings = Findings::new(session, technique, app, needed, settings.times);
        Self {
            session,
            definition: definition.clone(),
            settings: settings.clone(),
            rng,
            player,
            stage: Stage::Original,
            versions: Versions::of(&settings.tests, settings.confirm),
            under_way: BTreeMap::new(),
            ledger: Ledger::of(&definition.run),
            shown: Reshown::new(findings, &settings.key),
            ending: ShrinkEnding::Unfinished,
            finals: 0,
        }
    }

    /// What is to be run next; `None` when there is nothing now, or nothing more.
    fn next(&mut self) -> Option<Asked> {
        loop {
            match self.stage {
                Stage::Original => match self.original() {
                    Next::Run(version) => return Some(Asked::Version(version)),
                    Next::Wait => return None,
                    Next::Over(ending) => self.ending = ending,
                },
                Stage::Search => match self.shorter() {
                    Next::Run(version) => return Some(Asked::Version(version)),
                    Next::Wait => return None,
                    Next::Over(ending) => (self.stage, self.ending) = (Stage::Result, ending),
                },
                Stage::Result if self.finals < self.settings.times => return Some(Asked::Result),
                Stage::Result if self.ledger.is_busy() => return None,
                Stage::Result => self.stage = Stage::Done,
                Stage::Done => return None,
            }
        }
    }

    /// Another replay of the original, until it showed often enough or is given up.
    fn original(&mut self) -> Next {
        let whole = self.versions.best();
        let (confirm, most) = (self.settings.confirm, self.settings.times.max(self.settings.confirm));
        let known = self.versions.known(&whole);
        if known.shown >= confirm {
            self.stage = Stage::Search;
            return Next::Over(ShrinkEnding::Unfinished);
        }
        if known.planned < most && known.shown + known.under_way < confirm {
            return Next::Run(whole);
        }
        if known.under_way > 0 {
            return Next::Wait;
        }
        self.stage = Stage::Done;
        Next::Over(ShrinkEnding::NotShown)
    }

    /// A shorter version, as long as it and the replays of the result fit into the limits.
    fn shorter(&mut self) -> Next {
        let result = events_of(&self.versions.best_tests()) * u64::from(self.settings.times);
        let (ledger, may_replay) = (&self.ledger, self.versions.replays() < self.settings.rounds);
        self.versions.next(|tests| may_replay && ledger.can_confirm(events_of(tests) + result))
    }

    /// Notes that a job is planned, and gives what it runs.
    fn begin(&mut self, slot: Slot, asked: Asked) -> Work {
        let tests = match &asked {
            Asked::Version(version) => self.versions.begin(version),
            Asked::Result => {
                self.finals += 1;
                self.versions.best_tests()
            }
        };
        let round = self.versions.replays() + self.finals;
        let purpose = Purpose::Shrink { finding: self.settings.finding.clone(), round };
        let work = Work::Batch(Batch { purpose, tests });
        self.ledger.plan(slot, work.events(), Charge::Confirm);
        self.under_way.insert(slot, asked);
        work
    }
}

impl Planner for ShrinkPlanner {
    fn plan(&mut self, slot: Slot) -> Plan {
        match self.next() {
            Some(asked) => {
                let work = self.begin(slot, asked);
                Plan::Job(Box::new(Job { slot, rng: mix(self.rng, slot.0), work }))
            }
            None if self.stage == Stage::Done => Plan::Done,
            None => Plan::Idle,
        }
    }

    fn batch_driver(&self, batch: &Batch) -> Box<dyn Driver> {
        (self.player)(batch, &self.definition)
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, _layouts: &dyn Layouts) {
        self.ledger.absorb(run);
        let Some(asked) = self.under_way.remove(&run.job.slot) else { return };
        let tests = match &run.job.work {
            Work::Batch(batch) => &batch.tests[..],
            Work::Explore(_) | Work::Errand(_) => &[],
        };
        match asked {
            Asked::Version(version) => {
                let replay = Replay::read(&self.settings.key, tests, run, judgement);
                self.versions.judged(&version, replay, self.stage != Stage::Original);
            }
            Asked::Result => self.shown.absorb(tests, run, judgement),
        }
    }

    fn progress(&self) -> Progress {
        let from = events_told(&self.settings.tests);
        let left = events_told(&self.versions.best_tests());
        Progress {
            phase: match self.stage {
                Stage::Original | Stage::Search => Phase::new("shrink", "shrinking the finding"),
                Stage::Result => Phase::CONFIRM,
                Stage::Done => Phase::DONE,
            },
            done: from.saturating_sub(left).into(),
            total: from.into(),
            unit: format!("events gone, {left} left, {} candidates tried", self.versions.candidates()),
            events: self.ledger.spent(),
            max_events: self.ledger.most(),
            ..Progress::default()
        }
    }

    fn findings(&self) -> Vec<Finding> {
        self.shown.findings()
    }

    fn shrunk(&self) -> Vec<Shrunk> {
        let about = (&self.settings.finding, self.session);
        vec![self.versions.shrunk(about, self.shown.confirmation(), self.ending)]
    }

    fn version(&self) -> u32 {
        1
    }
}
