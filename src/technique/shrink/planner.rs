//! The planner that shrinks a finding: which versions to run, and what their replays mean.

use std::collections::BTreeMap;

use super::ddmin::{Ddmin, Kept};
use super::units::Parts;
use crate::record::{
    Batch, Finding, Job, JobRun, Judgement, Layouts, Phase, Progress, Purpose, SessionDefinition, SessionId,
    ShrinkEnding, ShrinkSettings, Shrunk, Slot, Test, Work, events_told,
};
use crate::technique::findings::{Findings, Replay};
use crate::technique::ledger::Ledger;
use crate::technique::reshown::Reshown;
use crate::technique::{Driver, Plan, Planner, mix, registry};

/// Plans the replays of ever shorter versions of a finding's tests.
pub struct ShrinkPlanner {
    session: SessionId,
    definition: SessionDefinition,
    settings: ShrinkSettings,
    rng: u64,
    parts: Parts,
    stage: Stage,
    search: Ddmin,
    trials: BTreeMap<Kept, Trial>,
    under_way: BTreeMap<Slot, Asked>,
    ledger: Ledger,
    /// The replays of the result.
    shown: Reshown,
    ending: ShrinkEnding,
    /// Different versions run, replays of them, and replays of the result planned.
    candidates: u32,
    replays: u32,
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

/// What is known of a version.
#[derive(Clone, Copy, Debug, Default)]
struct Trial {
    /// Replays planned, and those that showed the violation.
    planned: u32,
    shown: u32,
    under_way: u32,
    /// Whether it shows, once that is certain enough.
    shows: Option<bool>,
}

impl ShrinkPlanner {
    pub fn new(
        definition: &SessionDefinition,
        settings: &ShrinkSettings,
        session: SessionId,
        rng: u64,
    ) -> Self {
        let parts = Parts::of(&settings.tests);
        let needed = definition.run.confirm.min(settings.times);
        let (technique, app) = (definition.technique.name(), &definition.app);
        let findings = Findings::new(session, technique, app, needed, settings.times);
        Self {
            session,
            definition: definition.clone(),
            settings: settings.clone(),
            rng,
            stage: Stage::Original,
            search: Ddmin::new(parts.chunks()),
            parts,
            trials: BTreeMap::new(),
            under_way: BTreeMap::new(),
            ledger: Ledger::new(definition.run.max_events),
            shown: Reshown::new(findings, &settings.key),
            ending: ShrinkEnding::Unfinished,
            candidates: 0,
            replays: 0,
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
                    Next::Over => {}
                },
                Stage::Search => match self.version() {
                    Next::Run(version) => return Some(Asked::Version(version)),
                    Next::Wait => return None,
                    Next::Over => self.stage = Stage::Result,
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
        let whole = self.search.kept();
        let (confirm, most) = (self.settings.confirm, self.settings.times.max(self.settings.confirm));
        let trial = self.trials.entry(whole.clone()).or_default();
        if trial.shown >= confirm {
            self.stage = Stage::Search;
            return Next::Over;
        }
        if trial.planned < most && trial.shown + trial.under_way < confirm {
            return Next::Run(whole);
        }
        if trial.under_way > 0 {
            return Next::Wait;
        }
        self.ending = ShrinkEnding::NotShown;
        self.stage = Stage::Done;
        Next::Over
    }

    /// The first version in the order of the search that wants a replay. Those under way are taken
    /// for such that will not show: most do not.
    fn version(&mut self) -> Next {
        while let Some(version) = self.search.candidate() {
            match self.shows(&version) {
                Some(true) => self.search.shown(),
                Some(false) => self.search.absent(),
                None => break,
            }
        }
        if self.search.candidate().is_none() {
            self.ending = ShrinkEnding::Minimal;
            return Next::Over;
        }
        let mut ahead = self.search.clone();
        while let Some(version) = ahead.candidate() {
            let waits = self.trials.get(&version).is_some_and(|trial| trial.under_way > 0);
            match self.shows(&version) {
                Some(true) => ahead.shown(),
                Some(false) => ahead.absent(),
                None if waits => ahead.absent(),
                None if self.has_room_for(&version) => return Next::Run(version),
                None => break,
            }
        }
        if self.under_way.is_empty() {
            self.ending = ShrinkEnding::Budget;
            return Next::Over;
        }
        Next::Wait
    }

    /// Whether a version shows, as far as known. Those that leave no test of its role never do.
    fn shows(&self, version: &Kept) -> Option<bool> {
        match self.trials.get(version) {
            Some(trial) => trial.shows,
            None => self.parts.with(version).is_none().then_some(false),
        }
    }

    /// True when this version and the replays of the result fit into the limits.
    fn has_room_for(&self, version: &Kept) -> bool {
        let result = events(&self.tests(&self.search.kept())) * u64::from(self.settings.times);
        self.replays < self.settings.rounds && self.ledger.can_confirm(events(&self.tests(version)) + result)
    }

    fn tests(&self, version: &Kept) -> Vec<Test> {
        self.parts.with(version).unwrap_or_default()
    }

    /// Notes that a job is planned, and gives what it runs.
    fn begin(&mut self, slot: Slot, asked: Asked) -> Work {
        let version = match &asked {
            Asked::Version(version) => {
                let trial = self.trials.entry(version.clone()).or_default();
                self.candidates += u32::from(trial.planned == 0);
                self.replays += 1;
                trial.planned += 1;
                trial.under_way += 1;
                version.clone()
            }
            Asked::Result => {
                self.finals += 1;
                self.search.kept()
            }
        };
        let round = self.replays + self.finals;
        let purpose = Purpose::Shrink { finding: self.settings.finding.clone(), round };
        let work = Work::Batch(Batch { purpose, tests: self.tests(&version) });
        self.ledger.plan(slot, work.events(), true);
        self.under_way.insert(slot, asked);
        work
    }

    fn judged(&mut self, version: &Kept, replay: Replay) {
        let is_original = self.stage == Stage::Original;
        let confirm = self.settings.confirm;
        let Some(trial) = self.trials.get_mut(version) else { return };
        trial.under_way = trial.under_way.saturating_sub(1);
        trial.shown += u32::from(replay == Replay::Shown);
        if trial.shown >= confirm {
            trial.shows = Some(true);
        } else if replay != Replay::Shown && !is_original {
            trial.shows = Some(false);
        }
    }
}

/// What is to be done in a stage.
enum Next {
    Run(Kept),
    /// Nothing before a job under way is absorbed.
    Wait,
    /// The stage is over.
    Over,
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
        registry::player(batch, &self.definition)
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, _layouts: &dyn Layouts) {
        self.ledger.finish(run.job.slot, run.events());
        let Some(asked) = self.under_way.remove(&run.job.slot) else { return };
        let tests = match &run.job.work {
            Work::Batch(batch) => &batch.tests[..],
            Work::Explore(_) | Work::Errand(_) => &[],
        };
        match asked {
            Asked::Version(version) => {
                let replay = Replay::read(&self.settings.key, tests, run, judgement);
                self.judged(&version, replay);
            }
            Asked::Result => self.shown.absorb(tests, run, judgement),
        }
    }

    fn progress(&self) -> Progress {
        let from = events_told(&self.settings.tests);
        let left = events_told(&self.tests(&self.search.kept()));
        Progress {
            phase: match self.stage {
                Stage::Original | Stage::Search => Phase::new("shrink", "shrinking the finding"),
                Stage::Result => Phase::CONFIRM,
                Stage::Done => Phase::DONE,
            },
            done: from.saturating_sub(left).into(),
            total: from.into(),
            unit: format!("events gone, {left} left, {} candidates tried", self.candidates),
            events: self.ledger.spent(),
            max_events: self.ledger.most(),
            ..Progress::default()
        }
    }

    fn findings(&self) -> Vec<Finding> {
        self.shown.findings()
    }

    fn shrunk(&self) -> Option<Shrunk> {
        let tests = self.tests(&self.search.kept());
        Some(Shrunk {
            finding: self.settings.finding.clone(),
            session: self.session,
            from: events_told(&self.settings.tests),
            to: events_told(&tests),
            tests,
            candidates: self.candidates,
            replays: self.replays,
            confirmation: self.shown.confirmation(),
            ending: self.ending,
        })
    }

    fn version(&self) -> u32 {
        1
    }
}

fn events(tests: &[Test]) -> u64 {
    tests.iter().map(|test| test.events.len() as u64).sum()
}
