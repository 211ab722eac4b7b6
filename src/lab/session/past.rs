//! The past of a session: all that a running session has in memory, rebuilt from its store.
//!
//! In: the session's record, jobs, runs and judgements. Out: its planner where it stood, the jobs
//! that are not finished with drivers in their first state, what is judged and not absorbed, and
//! what viewers are shown. Nothing is written and no oracle is asked.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::judging::{Judged, touches_findings};
use super::planning::renew;
use super::tally::Tally;
use super::{SessionEvent, has_timed_out};
use crate::builds::Builds;
use crate::exchange_view::asked;
use crate::inputs::take_in;
use crate::retrace::{Arrived, Retrace, Stage, Stray};
use crate::rule_watch::RuleWatch;
use crate::schedule::Schedule;
use crate::{Craft, LabError, at_desk};
use droidmux_gui::LayoutHash;
use droidmux_record::{
    Act, Agent, BlobHash, Finding, FindingId, Job, JobRun, SessionDefinition, SessionId, SessionRecord,
    Shrunk, Slot, Spent, StepPlace, Turn,
};
use droidmux_store::{Store, StoreError};
use droidmux_technique::{Driver, Planner};

/// How many steps of the log, from its end, are searched for the device of an attempt.
const LOOK_BACK: u64 = 65_536;
/// Steps read at once.
const PAGE: u32 = 256;

/// How far a session has got. For one that begins, everything but the planner is empty.
pub(super) struct Past {
    pub(super) planner: Box<dyn Planner>,
    pub(super) schedule: Schedule,
    /// Jobs without a finished run, in slot order.
    pub(super) open: Vec<Pending>,
    /// Finished and not judged.
    pub(super) unjudged: Vec<JobRun>,
    /// Judged and not absorbed; `None` for a slot without a job.
    pub(super) finished: BTreeMap<Slot, Option<Judged>>,
    pub(super) findings: BTreeMap<FindingId, Finding>,
    pub(super) shrunk: Vec<Shrunk>,
    pub(super) rules: RuleWatch,
    /// What the absorbed runs came to.
    pub(super) tally: Tally,
    pub(super) builds: Builds,
    /// For how long it was under way.
    pub(super) earlier: Duration,
    /// The judged jobs in slot order, with how many verdicts each has.
    pub(super) verdicts: Vec<(Slot, usize)>,
    pub(super) screenshots: Vec<(LayoutHash, BlobHash)>,
    /// Who asked a language model, in the order of the log, and what that used.
    pub(super) asked: Vec<Agent>,
    pub(super) spent: Spent,
}

/// A job that has no finished run.
pub(super) struct Pending {
    pub(super) job: Arc<Job>,
    /// In its first state.
    pub(super) driver: Box<dyn Driver>,
    /// The number of the last attempt if its driver finished it, else of the next.
    pub(super) attempt: u32,
    /// Whole attempts before that in which a test timed out.
    pub(super) time_outs: u32,
    /// An attempt that its driver finished, though nobody noted it.
    pub(super) run: Option<JobRun>,
}

/// How a past is read and reported.
pub(super) struct Reading {
    /// Builds are compared with those of runs from here on (milliseconds since the Unix epoch).
    pub(super) accepted_ms: Option<u64>,
    /// Whom to tell of every stage.
    pub(super) events: Option<mpsc::Sender<SessionEvent>>,
    /// Ends the reading when cancelled.
    pub(super) stop: CancellationToken,
}

impl Past {
    /// The past of a session that begins; the planner has taken in its inputs.
    pub(super) fn none(definition: &SessionDefinition, planner: Box<dyn Planner>) -> Self {
        Self {
            planner,
            schedule: Schedule::new(definition.run.window),
            open: Vec::new(),
            unjudged: Vec::new(),
            finished: BTreeMap::new(),
            findings: BTreeMap::new(),
            shrunk: Vec::new(),
            rules: RuleWatch::new(definition),
            tally: Tally::default(),
            builds: Builds::default(),
            earlier: Duration::ZERO,
            verdicts: Vec::new(),
            screenshots: Vec::new(),
            asked: Vec::new(),
            spent: Spent::default(),
        }
    }

    /// Reads a session from its store; to be called off the async workers.
    ///
    /// # Errors
    /// `OtherPlanner` when this droidmux plans otherwise, `Strayed` when the store does not hold
    /// what the planner planned, `StoppedReading` when it was stopped meanwhile.
    pub(super) fn read(
        store: &Store,
        id: SessionId,
        record: &SessionRecord,
        reading: Reading,
        craft: &dyn Craft,
    ) -> Result<Self, LabError> {
        let definition = &record.definition;
        let mut planner = craft.planner(definition, id, record.rng);
        if planner.version() != record.planner_version {
            let (stored, ours) = (record.planner_version, planner.version());
            let droidmux = record.droidmux.clone();
            return Err(LabError::OtherPlanner { session: id, stored, ours, droidmux });
        }
        take_in(&mut *planner, &record.inputs, store)?;
        let mut reader = Reader {
            store,
            id,
            app: definition.app.clone(),
            open: Vec::new(),
            findings: BTreeMap::new(),
            rules: RuleWatch::new(definition),
            tally: Tally::default(),
            builds: Builds::since(reading.accepted_ms),
            verdicts: Vec::new(),
            screenshots: Vec::new(),
            reading,
        };
        let mut walk = Retrace::new(store, id, record, planner);
        while let Some(stage) = walk.next()? {
            reader.take(stage, walk.planner())?;
        }
        reader.conclude(walk.arrive(), definition)
    }
}

struct Reader<'a> {
    store: &'a Store,
    id: SessionId,
    /// The package of the session's app.
    app: String,
    reading: Reading,
    /// Jobs without a finished run, with their drivers.
    open: Vec<(Arc<Job>, Box<dyn Driver>)>,
    /// As reported so far.
    findings: BTreeMap<FindingId, Finding>,
    rules: RuleWatch,
    tally: Tally,
    builds: Builds,
    verdicts: Vec<(Slot, usize)>,
    screenshots: Vec<(LayoutHash, BlobHash)>,
}

impl Reader<'_> {
    fn take(&mut self, stage: Stage, planner: &dyn Planner) -> Result<(), LabError> {
        if self.reading.stop.is_cancelled() {
            return Err(LabError::StoppedReading);
        }
        match stage {
            // A driver holds a snapshot of the planner, which is expensive: only those that are needed.
            Stage::Planned(slot, Some(job)) if !self.store.is_finished(self.id, slot)? => {
                let driver = planner.driver(&job);
                self.open.push((job, driver));
            }
            Stage::Planned(..) => {}
            Stage::Absorbed(run, judgement) => {
                self.note(&run, judgement.verdicts.len())?;
                self.tally.count(&run, &judgement);
                self.rules.look(&run, self.store);
                let findings = touches_findings(&run, &judgement);
                self.tell(|| SessionEvent::Absorbed { run: Arc::new(*run), judgement: Arc::new(*judgement) });
                if findings && self.reading.events.is_some() {
                    for finding in renew(&mut self.findings, planner.findings()).news {
                        self.tell(|| SessionEvent::Finding(Box::new(finding)));
                    }
                }
            }
        }
        self.tell(|| SessionEvent::Progress(Box::new(self.tally.complete(planner.progress()))));
        Ok(())
    }

    /// What is to be remembered of a judged run.
    fn note(&mut self, run: &JobRun, verdicts: usize) -> Result<(), StoreError> {
        self.builds.note(run);
        self.verdicts.push((run.job.slot, verdicts));
        // What an attempt that was cut saw first is not photographed again.
        for attempt in 1..run.attempt {
            self.screenshots.extend(photographs(&self.store.turns(self.id, run.job.slot, attempt)?));
        }
        self.screenshots.extend(photographs(&run.turns));
        Ok(())
    }

    fn tell(&self, event: impl FnOnce() -> SessionEvent) {
        if let Some(events) = &self.reading.events {
            // A listener that is gone wants no more.
            let _ = events.blocking_send(event());
        }
    }

    /// Sorts the slots that were planned and not absorbed.
    fn conclude(mut self, arrived: Arrived, definition: &SessionDefinition) -> Result<Past, LabError> {
        let Arrived { planner, schedule, mut idle } = arrived;
        let mut past = Past::none(definition, planner);
        for slot in schedule.rest() {
            if idle.remove(&slot) {
                past.finished.insert(slot, None);
                continue;
            }
            // Without a run it is among those that are open.
            let Some(run) = self.store.run(self.id, slot)? else { continue };
            match self.store.judgement(self.id, slot)? {
                Some(judgement) => {
                    self.note(&run, judgement.verdicts.len())?;
                    let judged = Judged { run: Arc::new(run), judgement: Arc::new(judgement) };
                    past.finished.insert(slot, Some(judged));
                }
                None => {
                    self.builds.note(&run);
                    past.unjudged.push(run);
                }
            }
        }
        for (job, driver) in std::mem::take(&mut self.open) {
            past.open.push(self.pending(job, driver)?);
        }
        past.schedule = schedule;
        past.shrunk = past.planner.shrunk();
        past.findings = match self.reading.events {
            Some(_) => self.findings,
            None => past.planner.findings().into_iter().map(|f| (f.id.clone(), f)).collect(),
        };
        (past.rules, past.tally, past.builds) = (self.rules, self.tally, self.builds);
        (past.verdicts, past.screenshots) = (self.verdicts, self.screenshots);
        (past.asked, past.spent) = asked(self.store, self.id)?;
        Ok(past)
    }

    /// A job that has no finished run: how often it was tried, and the last attempt if its driver finished it and it is
    /// known what it ran on.
    fn pending(&mut self, job: Arc<Job>, driver: Box<dyn Driver>) -> Result<Pending, LabError> {
        let slot = job.slot;
        let (mut time_outs, mut last) = (0, None);
        for attempt in self.store.attempts(self.id, slot)? {
            let turns = self.store.turns(self.id, slot, attempt)?;
            self.screenshots.extend(photographs(&turns));
            if let Some((_, turns)) = last.replace((attempt, turns)) {
                time_outs += u32::from(has_timed_out(&turns));
            }
        }
        let tried = last.as_ref().map_or(0, |(attempt, _)| *attempt);
        let is_whole = |turns: &[Turn]| turns.last().is_some_and(|turn| matches!(turn.act, Act::Finish(_)));
        let mut run = None;
        if let Some((attempt, turns)) = last {
            let build = match self.device_of(slot, attempt)? {
                _ if job.work.only_asks() => Some(at_desk::place_of(&self.app)),
                Some(serial) => self.builds.of(&serial).map(|(device, app)| (device.clone(), app.clone())),
                // The attempt performed nothing, so it does not matter which build it ran on.
                None => self.builds.any().map(|(device, app)| (device.clone(), app.clone())),
            };
            if is_whole(&turns)
                && let Some((device, app)) = build
            {
                run = Some(JobRun { job: Job::clone(&job), attempt, device, app, turns });
            } else {
                time_outs += u32::from(has_timed_out(&turns));
            }
        }
        let attempt = if run.is_some() { tried } else { tried.saturating_add(1) };
        Ok(Pending { job, driver, attempt, time_outs, run })
    }

    /// Which device an attempt ran on, according to the session's log.
    fn device_of(&self, slot: Slot, attempt: u32) -> Result<Option<String>, StoreError> {
        let mut end = self.store.step_count(self.id)?;
        let first = end.saturating_sub(LOOK_BACK);
        let is_of = |place: &StepPlace| (place.slot, place.attempt) == (slot, attempt);
        while end > first {
            let from = end.saturating_sub(PAGE.into());
            let page = self.store.steps(self.id, from, PAGE)?;
            if let Some((_, place)) = page.into_iter().rev().find(|(_, place)| is_of(place)) {
                return Ok(Some(place.device));
            }
            end = from;
        }
        Ok(None)
    }
}

/// The layouts that these turns photographed.
fn photographs(turns: &[Turn]) -> impl Iterator<Item = (LayoutHash, BlobHash)> {
    let seen = turns.iter().filter_map(|turn| turn.observation.seen());
    seen.filter_map(|seen| Some((seen.screen.layout, seen.screenshot?)))
}

impl From<Stray> for LabError {
    fn from(stray: Stray) -> Self {
        match stray {
            Stray::Differs(problem) => Self::Strayed { at: problem.at, what: problem.what },
            Stray::Store(error) => Self::Store(error),
        }
    }
}
