//! The session: asks a planner for jobs, hands them to workers, has finished ones judged and
//! absorbs them in order.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::crew::{Change, Crew};
use super::inputs;
use super::journal::now_ms;
use super::rule_watch::RuleWatch;
use super::schedule::{Next, Schedule};
use super::worker::{Assignment, Site};
use super::{Gate, Lab, LabError};
use crate::proto::{SessionState, SessionView};
use crate::record::{
    Failure, Finding, FindingId, Job, JobRun, Judgement, Observation, Outcome, Phase, Progress, Purpose,
    SessionDefinition, SessionId, SessionRecord, Slot, Work,
};
use crate::store::Finished;
use crate::technique::{self, Driver, Plan, Planner};

/// Times a job may lose its device before the session gives up.
const MOST_ATTEMPTS: u32 = 6;

/// How one run of a session differs from another of the same definition.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// Seeds everything random.
    pub rng: u64,
    /// Devices to lease at most; 0 means all that can be had.
    pub most_devices: usize,
    /// When to stop planning, if the budget lasts longer.
    pub until: Option<Instant>,
    /// Stops the session cleanly when cancelled.
    pub stop: CancellationToken,
    /// Where to tell what happens, in slot order; a full channel makes the session wait.
    pub events: Option<mpsc::Sender<SessionEvent>>,
}

/// What a session tells whoever started it.
#[derive(Clone, Debug)]
pub enum SessionEvent {
    Began(SessionId),
    Progress(Progress),
    /// A job was absorbed.
    Absorbed {
        run: Arc<JobRun>,
        judgement: Arc<Judgement>,
    },
    /// New or changed.
    Finding(Box<Finding>),
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// The planner had nothing more.
    Complete,
    /// The time given was over.
    OutOfTime,
    /// Stopped by a person.
    Stopped,
}

#[derive(Clone, Debug)]
pub struct SessionOutcome {
    pub session: SessionId,
    pub end: SessionEnd,
    pub progress: Progress,
    pub findings: Vec<Finding>,
    /// Steps recorded, resets and jobs that were cut included.
    pub steps: u64,
    /// Rules of the session file that never matched anything.
    pub idle_rules: Vec<String>,
}

pub(super) async fn run(
    lab: &Lab,
    definition: SessionDefinition,
    options: SessionOptions,
) -> Result<SessionOutcome, LabError> {
    let mut session = Session::begin(lab, definition, options).await?;
    let ended = session.run().await;
    session.close(&ended).await?;
    let end = ended?;
    Ok(SessionOutcome {
        session: session.site.session,
        end,
        progress: session.planner()?.progress(),
        findings: session.findings.values().cloned().collect(),
        steps: session.site.hub.steps(session.site.session),
        idle_rules: session.rules.as_ref().map(RuleWatch::idle).unwrap_or_default(),
    })
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
    rules: Option<RuleWatch>,
}

/// A planned job and a driver in its first state, for as many attempts as it takes.
struct Pending {
    job: Arc<Job>,
    attempt: u32,
    driver: Box<dyn Driver>,
}

struct Judged {
    run: Arc<JobRun>,
    judgement: Arc<Judgement>,
}

impl Session {
    async fn begin(
        lab: &Lab,
        definition: SessionDefinition,
        options: SessionOptions,
    ) -> Result<Self, LabError> {
        let store = lab.store.clone();
        let probe = technique::planner(&definition, SessionId(0), options.rng);
        let record = SessionRecord {
            definition: definition.clone(),
            rng: options.rng,
            planner_version: probe.version(),
            inputs: inputs::find(lab, &definition).await?,
            droidmux: env!("CARGO_PKG_VERSION").into(),
            started_ms: now_ms(),
            ended_ms: None,
            ending: None,
        };
        let created = {
            let (store, record) = (store.clone(), record.clone());
            blocking(move || store.create_session(&record)).await??
        };
        let gate = Gate::new(options.stop.child_token());
        let (reports_in, reports) = mpsc::channel(64);
        let (judged_in, judged) = mpsc::channel(64);
        let definition = Arc::new(definition);
        let site = Site {
            store,
            hub: lab.hub.clone(),
            gate: gate.clone(),
            definition: definition.clone(),
            session: created,
            reports: reports_in,
        };
        let planner = {
            let (store, inputs) = (site.store.clone(), record.inputs.clone());
            let mut planner = technique::planner(&definition, created, options.rng);
            blocking(move || inputs::take_in(&mut *planner, &inputs, &store).map(|()| planner)).await??
        };
        lab.hub.session_began(first_view(created, &definition, options.rng, planner.progress()), gate);
        let schedule = Schedule::new(definition.run.window);
        let crew = Crew::new(site.clone(), lab.roster.clone(), options.most_devices, reports);
        let rules = Some(RuleWatch::new(&definition));
        let session = Self {
            lab: lab.clone(),
            options,
            record,
            site,
            crew,
            judged,
            judged_in,
            planner: Some(planner),
            schedule,
            phase: None,
            over: None,
            queue: VecDeque::new(),
            running: BTreeMap::new(),
            finished: BTreeMap::new(),
            findings: BTreeMap::new(),
            rules,
        };
        session.tell(SessionEvent::Began(created)).await;
        Ok(session)
    }

    async fn run(&mut self) -> Result<SessionEnd, LabError> {
        let mut devices = self.lab.roster.watch();
        loop {
            self.advance().await?;
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
                    let judged = judged?;
                    self.finished.insert(judged.run.job.slot, Some(judged));
                },
                _ = devices.changed() => {}
                () = self.site.gate.cancelled().cancelled() => {}
                () = at(limit) => {}
                () = at(out_of_time) => self.over = Some(SessionEnd::OutOfTime),
            }
        }
    }

    /// Plans and absorbs as far as the schedule and the finished jobs allow.
    async fn advance(&mut self) -> Result<(), LabError> {
        loop {
            let next = match (self.over, self.schedule.next()) {
                (None, next) => next,
                (Some(_), _) => match self.schedule.rest().next() {
                    Some(slot) => Next::Absorb(slot),
                    None => return Ok(()),
                },
            };
            match next {
                Next::Plan(slot) => self.plan(slot).await?,
                Next::Absorb(slot) => match self.finished.remove(&slot) {
                    Some(judged) => self.absorb(judged).await?,
                    None => return Ok(()),
                },
            }
        }
    }

    async fn plan(&mut self, slot: Slot) -> Result<(), LabError> {
        let mut planner = self.planner.take().ok_or_else(|| LabError::Task("planner".into()))?;
        let (planner, plan, driver) = blocking(move || {
            let plan = planner.plan(slot);
            let driver = match &plan {
                Plan::Job(job) => Some(planner.driver(job)),
                Plan::Idle | Plan::Done => None,
            };
            (planner, plan, driver)
        })
        .await?;
        let waiting = self.schedule.rest().any(|slot| !matches!(self.finished.get(&slot), Some(None)));
        self.planner = Some(planner);
        match (plan, driver) {
            (Plan::Job(job), Some(driver)) => {
                let session = self.site.session;
                let stored = job.clone();
                self.site.keep(move |store| store.put_job(session, &stored)).await?;
                self.queue.push_back(Pending { job: Arc::new(*job), attempt: 1, driver });
                self.schedule.planned();
            }
            (Plan::Done, _) => self.over = Some(SessionEnd::Complete),
            _ if !waiting && self.schedule.is_level() => return Err(LabError::Stalled(slot.to_string())),
            _ => {
                self.finished.insert(slot, None);
                self.schedule.planned();
            }
        }
        self.report_progress().await
    }

    async fn absorb(&mut self, judged: Option<Judged>) -> Result<(), LabError> {
        self.schedule.absorbed();
        let Some(Judged { run, judgement }) = judged else { return Ok(()) };
        let mut planner = self.planner.take().ok_or_else(|| LabError::Task("planner".into()))?;
        let store = self.site.store.clone();
        let (its_run, its_judgement) = (run.clone(), judgement.clone());
        let mut rules = self.rules.take();
        let (planner, rules, findings) = blocking(move || {
            planner.absorb(&its_run, &its_judgement, &store);
            if let Some(rules) = &mut rules {
                rules.look(&its_run, &store);
            }
            let findings = touches_findings(&its_run, &its_judgement).then(|| planner.findings());
            (planner, rules, findings)
        })
        .await?;
        self.planner = Some(planner);
        self.rules = rules;
        self.tell(SessionEvent::Absorbed { run, judgement }).await;
        if let Some(findings) = findings {
            self.keep_findings(findings).await?;
        }
        self.report_progress().await
    }

    async fn keep_findings(&mut self, findings: Vec<Finding>) -> Result<(), LabError> {
        let changed: Vec<Finding> =
            findings.into_iter().filter(|finding| self.findings.get(&finding.id) != Some(finding)).collect();
        let stored = changed.clone();
        self.site.keep(move |store| store.put_findings(&stored)).await?;
        for finding in changed {
            let fresh = match self.findings.insert(finding.id.clone(), finding.clone()) {
                None => true,
                Some(before) => before.confirmation != finding.confirmation,
            };
            if fresh {
                self.tell(SessionEvent::Finding(Box::new(finding))).await;
            }
        }
        let confirmed = self.findings.values().filter(|f| f.confirmation.is_confirmed()).count();
        self.site.hub.findings(self.site.session, self.findings.len() as u64, confirmed as u64);
        Ok(())
    }

    async fn report_progress(&mut self) -> Result<(), LabError> {
        let progress = self.planner()?.progress();
        self.site.hub.progress(self.site.session, progress.clone());
        if self.phase != Some(progress.phase) {
            self.phase = Some(progress.phase);
            self.site.hub.info(&self.site.session.to_string(), &format!("phase {:?}", progress.phase));
        }
        self.tell(SessionEvent::Progress(progress)).await;
        Ok(())
    }

    fn hand_out(&mut self) {
        while let Some(pending) = self.queue.pop_front() {
            let Pending { job, attempt, driver } = &pending;
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
            Change::Broken { slot, attempt, last } if attempt >= MOST_ATTEMPTS => {
                return Err(LabError::JobFailed { slot: slot.to_string(), attempts: attempt, last });
            }
            Change::Broken { slot, .. } => self.again(slot),
        }
        Ok(())
    }

    /// A run came back whole: run it again when a test timed out and that is allowed, else judge.
    fn finish(&mut self, run: Box<JobRun>) {
        let slot = run.job.slot;
        let timed_out =
            run.turns.iter().any(|turn| turn.observation == Observation::Failed(Failure::TimedOut));
        if timed_out && run.attempt <= self.site.definition.run.retries {
            return self.again(slot);
        }
        self.running.remove(&slot);
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
            Ok(SessionEnd::Stopped) => (SessionState::Done, "stopped".to_owned()),
            Err(error) => (SessionState::Failed(error.to_string()), error.to_string()),
        };
        self.site.gate.stop();
        self.crew.disband().await;
        self.record.ended_ms = Some(now_ms());
        self.record.ending = Some(words.clone());
        self.site.hub.info(&self.site.session.to_string(), &words);
        self.site.hub.session_state(self.site.session, state);
        let (store, session, record) = (self.site.store.clone(), self.site.session, self.record.clone());
        blocking(move || store.update_session(session, &record)).await??;
        Ok(())
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

/// Stores the run as finished, has it judged off the async workers and stores the judgement.
async fn judge(site: Site, run: Box<JobRun>) -> Result<Judged, LabError> {
    let (session, slot, run) = (site.session, run.job.slot, Arc::new(*run));
    let finished = Finished { slot, attempt: run.attempt, device: run.device.clone(), app: run.app.clone() };
    site.keep(move |store| store.finish_job(session, &finished)).await?;
    let (store, definition, judged) = (site.store.clone(), site.definition.clone(), run.clone());
    let judgement = blocking(move || -> Result<Judgement, LabError> {
        let edits = store.mask_edits(session)?;
        Ok(technique::judge(&judged, &definition, &edits, &store))
    })
    .await??;
    let judgement = Arc::new(judgement);
    let stored = judgement.clone();
    site.keep(move |store| store.put_judgement(session, slot, &stored)).await?;
    site.hub.judged(session, slot, judgement.verdicts.len());
    Ok(Judged { run, judgement })
}

/// True when absorbing this may have changed the findings.
fn touches_findings(run: &JobRun, judgement: &Judgement) -> bool {
    let replay =
        matches!(&run.job.work, Work::Batch(batch) if !matches!(batch.purpose, Purpose::Mutants { .. }));
    replay || judgement.verdicts.iter().any(|verdict| verdict.outcome == Outcome::Violation)
}

fn first_view(id: SessionId, definition: &SessionDefinition, rng: u64, progress: Progress) -> SessionView {
    SessionView {
        id,
        technique: definition.technique,
        app: definition.app.clone(),
        state: SessionState::Running,
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
