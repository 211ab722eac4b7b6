//! The session: asks a planner for jobs, hands them to workers, has finished ones judged and
//! absorbs them in order.

mod begin;
mod judging;
mod learning;
mod options;
mod past;
mod planning;
mod resume;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use judging::{Judged, judge};
pub use options::{SessionEnd, SessionEvent, SessionOptions, SessionOutcome};
use past::Past;
pub(super) use resume::unended;

use super::crew::{Change, Crew};
use super::desk::{self, Desk};
use super::journal::now_ms;
use super::rule_watch::RuleWatch;
use super::schedule::Schedule;
use super::worker::{Assignment, Site};
use super::{Gate, Hub, Lab, LabError, Mode};
use crate::proto::{ModelView, SessionState, SessionView};
use crate::record::{
    Failure, Finding, FindingId, Job, JobRun, Observation, Phase, Progress, SessionDefinition, SessionId,
    SessionRecord, Shrunk, Slot, Turn,
};
use crate::technique::{Driver, Planner};

/// Times a job may lose its device before the session gives up.
const MOST_ATTEMPTS: u32 = 6;

/// Runs a new session to its end.
pub(super) async fn run(
    lab: &Lab,
    definition: SessionDefinition,
    options: SessionOptions,
) -> Result<SessionOutcome, LabError> {
    Session::begin(lab, definition, options).await?.conclude().await
}

/// Runs a session of the store that was interrupted to its end.
pub(super) async fn resume(
    lab: &Lab,
    session: SessionId,
    options: SessionOptions,
) -> Result<SessionOutcome, LabError> {
    Session::resume(lab, session, options).await?.conclude().await
}

struct Session {
    lab: Lab,
    options: SessionOptions,
    record: SessionRecord,
    site: Site,
    crew: Crew,
    judged: mpsc::Receiver<Result<Judged, LabError>>,
    judged_in: mpsc::Sender<Result<Judged, LabError>>,
    /// Taken out, like `rules`, while it works on a thread of its own.
    planner: Option<Box<dyn Planner>>,
    schedule: Schedule,
    phase: Option<Phase>,
    over: Option<SessionEnd>,
    queue: VecDeque<Pending>,
    running: BTreeMap<Slot, Pending>,
    /// Judged and not absorbed; `None` for a slot without a job.
    finished: BTreeMap<Slot, Option<Judged>>,
    findings: BTreeMap<FindingId, Finding>,
    /// As it is stored.
    shrunk: Option<Shrunk>,
    rules: Option<RuleWatch>,
    began: Instant,
    /// For how long it was under way before this process took it up.
    earlier: Duration,
}

/// A planned job and a driver in its first state, for as many attempts as it takes.
struct Pending {
    job: Arc<Job>,
    /// The number of the present or next attempt.
    attempt: u32,
    /// Attempts that lost their device since this process took the session up.
    losses: u32,
    /// Whole attempts in which a test timed out.
    time_outs: u32,
    driver: Box<dyn Driver>,
}

impl Session {
    /// A session that has got so far.
    fn assemble(
        lab: &Lab,
        id: SessionId,
        record: SessionRecord,
        options: SessionOptions,
        past: Past,
        gate: Gate,
        desk: Desk,
    ) -> Self {
        tokio::spawn(show_mode(gate.watch(), lab.hub.clone(), id));
        let (reports_in, reports) = mpsc::channel(64);
        let (judged_in, judged) = mpsc::channel(64);
        let site = Site {
            store: lab.store.clone(),
            hub: lab.hub.clone(),
            gate,
            desk: Arc::new(desk.of(id)),
            definition: Arc::new(record.definition.clone()),
            session: id,
            builds: Arc::new(past.builds),
            reports: reports_in,
        };
        Self {
            lab: lab.clone(),
            crew: Crew::new(site.clone(), lab.roster.clone(), options.most_devices, reports),
            options,
            record,
            site,
            judged,
            judged_in,
            planner: Some(past.planner),
            schedule: past.schedule,
            phase: None,
            over: None,
            queue: past.queue,
            running: BTreeMap::new(),
            finished: past.finished,
            findings: past.findings,
            shrunk: past.shrunk,
            rules: Some(past.rules),
            began: Instant::now(),
            earlier: past.earlier,
        }
    }

    /// Runs to the end and gives the outcome.
    async fn conclude(mut self) -> Result<SessionOutcome, LabError> {
        let ended = self.run().await;
        self.close(&ended).await?;
        let end = ended?;
        Ok(SessionOutcome {
            session: self.site.session,
            end,
            progress: self.planner()?.progress(),
            findings: self.findings.values().cloned().collect(),
            shrunk: self.planner()?.shrunk(),
            steps: self.site.hub.steps(self.site.session),
            took: self.earlier + self.began.elapsed(),
            idle_rules: self.rules.as_ref().map(RuleWatch::idle).unwrap_or_default(),
        })
    }

    async fn run(&mut self) -> Result<SessionEnd, LabError> {
        let mut devices = self.lab.roster.watch();
        let mut mode = self.site.gate.watch();
        if self.options.until.is_some_and(|until| until <= Instant::now()) {
            self.over = Some(SessionEnd::OutOfTime);
        }
        loop {
            let queues = self.site.hub.queues.clone();
            queues.unabsorbed.saw(self.finished.values().flatten().count());
            self.advance().await?;
            queues.planned.saw(self.queue.len());
            if let Some(end) = self.over
                && self.queue.is_empty()
                && self.running.is_empty()
                && self.schedule.is_level()
            {
                return Ok(end);
            }
            if self.site.gate.cancelled().is_cancelled() {
                return Ok(SessionEnd::Stopped);
            }
            self.crew.staff(self.queue.len());
            self.hand_out();
            let limit = self.crew.limit(!self.queue.is_empty() || !self.running.is_empty())?;
            let out_of_time = self.options.until.filter(|_| self.over.is_none());
            tokio::select! {
                change = self.crew.next() => self.take(change?)?,
                judged = self.judged.recv() => if let Some(judged) = judged {
                    queues.judged.saw(self.judged.len().saturating_add(1));
                    let judged = judged?;
                    self.finished.insert(judged.run.job.slot, Some(judged));
                },
                _ = devices.changed() => {}
                _ = mode.changed() => {}
                () = self.site.gate.cancelled().cancelled() => {}
                () = at(limit) => {}
                () = at(out_of_time) => self.over = Some(SessionEnd::OutOfTime),
            }
        }
    }

    fn hand_out(&mut self) {
        while let Some(pending) = self.queue.pop_front() {
            let Pending { job, attempt, driver, .. } = &pending;
            let assignment = Assignment { job: job.clone(), attempt: *attempt, driver: driver.fresh() };
            if !self.crew.hand(assignment) {
                return self.queue.push_front(pending);
            }
            self.running.insert(job.slot, pending);
        }
    }

    fn take(&mut self, change: Change) -> Result<(), LabError> {
        match change {
            Change::Nothing => {}
            Change::Finished(run) => self.finish(run),
            Change::Broken { slot, last } => {
                let Some(pending) = self.running.get_mut(&slot) else { return Ok(()) };
                pending.losses += 1;
                if pending.losses >= MOST_ATTEMPTS {
                    let (slot, attempts) = (slot.to_string(), pending.losses);
                    return Err(LabError::JobFailed { slot, attempts, last });
                }
                self.again(slot);
            }
        }
        Ok(())
    }

    /// A run came back whole: run it again when a test timed out and that is allowed, else judge.
    fn finish(&mut self, run: Box<JobRun>) {
        let slot = run.job.slot;
        if has_timed_out(&run.turns)
            && let Some(pending) = self.running.get_mut(&slot)
            && pending.time_outs < self.site.definition.run.retries
        {
            pending.time_outs += 1;
            return self.again(slot);
        }
        self.running.remove(&slot);
        self.judge(run);
    }

    fn judge(&self, run: Box<JobRun>) {
        let (site, judged) = (self.site.clone(), self.judged_in.clone());
        tokio::spawn(async move {
            let verdict = judge(site, run).await;
            // Fails only when the session is gone.
            let _ = judged.send(verdict).await;
        });
    }

    fn again(&mut self, slot: Slot) {
        if let Some(mut pending) = self.running.remove(&slot) {
            pending.attempt += 1;
            self.queue.push_front(pending);
        }
    }

    /// Gives the devices back and writes down how it ended.
    async fn close(&mut self, ended: &Result<SessionEnd, LabError>) -> Result<(), LabError> {
        let (state, words) = match ended {
            Ok(SessionEnd::Complete) => (SessionState::Done, "complete".to_owned()),
            Ok(SessionEnd::OutOfTime) => (SessionState::Done, "out of time".to_owned()),
            Ok(SessionEnd::Stopped) => (SessionState::Stopped, "stopped".to_owned()),
            Err(error) => (SessionState::Failed(error.to_string()), error.to_string()),
        };
        self.site.gate.stop();
        self.crew.disband().await;
        self.lab.roster.forget(self.site.session);
        if self.lab.halting.is_cancelled() && matches!(ended, Ok(SessionEnd::Stopped)) {
            // It has not ended, and is not shown so: it goes on when the lab starts again.
            self.site.hub.info(&self.site.session.to_string(), "halted with the lab");
            return Ok(());
        }
        self.record.ended_ms = Some(now_ms());
        self.record.ending = Some(words.clone());
        self.record.over = matches!(ended, Ok(SessionEnd::Complete | SessionEnd::OutOfTime));
        let (lab, session, record) = (self.lab.clone(), self.site.session, self.record.clone());
        let written = blocking(move || lab.keep_end(session, &record)).await;
        // Whoever sees that it has ended may remove it.
        self.site.hub.session_state(session, state);
        self.site.hub.ended(session, &words);
        Ok(written??)
    }

    fn planner(&self) -> Result<&dyn Planner, LabError> {
        self.planner.as_deref().ok_or_else(|| LabError::Task("planner".into()))
    }

    async fn tell(&self, event: SessionEvent) {
        if let Some(events) = &self.options.events {
            // A listener that is gone wants no more.
            let _ = events.send(event).await;
        }
    }
}

/// True when a test of this attempt ran past its time.
fn has_timed_out(turns: &[Turn]) -> bool {
    turns.iter().any(|turn| turn.observation == Observation::Failed(Failure::TimedOut))
}

/// Shows viewers what the gate lets through, until the session ends.
async fn show_mode(mut mode: watch::Receiver<Mode>, hub: Arc<Hub>, id: SessionId) {
    while mode.changed().await.is_ok() {
        let now = *mode.borrow_and_update();
        hub.mode_changed(id, now);
        if now == Mode::Stop {
            return;
        }
    }
}

/// A session that has just begun, as viewers see it.
pub(super) fn first_view(
    id: SessionId,
    definition: &SessionDefinition,
    rng: u64,
    progress: Progress,
) -> SessionView {
    SessionView {
        id,
        technique: definition.technique.clone(),
        app: definition.app.clone(),
        state: SessionState::Running,
        priority: 0,
        progress,
        rng,
        steps: 0,
        verdicts: 0,
        findings: 0,
        confirmed: 0,
        steps_per_minute: 0.0,
        elapsed_s: 0,
        left_s: None,
        recent: Vec::new(),
        layout: None,
        degraded: Vec::new(),
        model: ModelView { name: desk::model_name(definition), ..ModelView::default() },
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, LabError> {
    Ok(tokio::task::spawn_blocking(work).await?)
}

/// Ends at this moment; never without one.
async fn at(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
