//! The session: asks a planner for jobs, hands them to workers, has finished ones judged and
//! absorbs them in order. What comes when is decided by its [`core`]; here it is carried out.

mod begin;
mod core;
mod judging;
mod learning;
mod options;
mod past;
mod planning;
mod resume;
mod running;
mod tally;

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

pub(super) use self::core::{Cause, Event, Outlook};
use self::core::{Core, Ending, Limits, Stage, Trial};
use judging::Judged;
pub use options::{SessionEnd, SessionEvent, SessionOptions, SessionOutcome};
use past::{Past, Pending};
pub(super) use resume::unended;
use tally::Tally;

use super::crew::Crew;
use super::desk::{self, Desk};
use super::journal::now_ms;
use super::lacking::Lacking;
use super::pace::Pace;
use super::panics::{Panic, guarded};
use super::rule_watch::RuleWatch;
use super::worker::Site;
use super::{Gate, Hub, Lab, LabError, Mode};
use droidmux_proto::{ModelView, SessionState, SessionView};
use droidmux_record::{
    Budget, Failure, Finding, FindingId, Job, JobRun, Observation, Phase, Progress, SessionDefinition,
    SessionId, SessionRecord, Shrunk, Slot, Turn,
};
use droidmux_technique::{Driver, Planner, uses};

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
    core: Core,
    /// Planned and not run to the end, with drivers in their first state.
    planned: BTreeMap<Slot, Planned>,
    /// Run and not given to the oracles.
    whole: BTreeMap<Slot, Box<JobRun>>,
    /// Judged and not absorbed.
    finished: BTreeMap<Slot, Judged>,
    judged: mpsc::Receiver<Result<Judged, LabError>>,
    judged_in: mpsc::Sender<Result<Judged, LabError>>,
    /// An error after which the session cannot go on.
    failure: Option<LabError>,
    /// Taken out, like `rules`, while it works on a thread of its own.
    planner: Option<Box<dyn Planner>>,
    phase: Option<Phase>,
    findings: BTreeMap<FindingId, Finding>,
    /// As it is stored.
    shrunk: Vec<Shrunk>,
    rules: Option<RuleWatch>,
    tally: Tally,
    began: Instant,
    /// For how long it was under way before this process took it up.
    earlier: Duration,
}

/// A planned job and a driver in its first state, for as many attempts as it takes.
struct Planned {
    job: Arc<Job>,
    driver: Box<dyn Driver>,
}

/// How a session ended, with what it came to.
struct Conclusion {
    end: SessionEnd,
    progress: Progress,
    shrunk: Vec<Shrunk>,
    /// Why it was in vain.
    vain: Option<String>,
}

impl Session {
    /// A session that has got this far.
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
        lab.hub.looks(id, past.tally.looks.clone());
        let (reports_in, reports) = mpsc::channel(64);
        let (judged_in, judged) = mpsc::channel(64);
        let site = Site {
            store: lab.store.clone(),
            hub: lab.hub.clone(),
            gate,
            desk: Arc::new(desk.of(id)),
            pace: Arc::new(Pace::new(record.definition.run.settling)),
            craft: lab.craft.clone(),
            definition: Arc::new(record.definition.clone()),
            session: id,
            builds: Arc::new(past.builds),
            lacking: Lacking::default(),
            reports: reports_in,
        };
        let asks = uses(&record.definition).models;
        let budget = if asks { record.definition.llm.budget } else { Budget::NONE };
        lab.hub.limit(id, options.until.map(Instant::into_std), budget);
        let began = Instant::now();
        let run = &record.definition.run;
        let limits = Limits {
            retries: run.retries,
            patience: Duration::from_secs(run.patience.into()),
            until: options.until.map(|until| until.saturating_duration_since(began)),
            grace: Duration::from_secs(run.grace.into()),
        };
        let mut trials = BTreeMap::new();
        let (mut planned, mut whole, mut finished) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for Pending { job, driver, attempt, time_outs, run } in past.open {
            let trial = match &run {
                Some(run) => Trial::recovered(attempt, time_outs, has_timed_out(&run.turns), limits.retries),
                None => Trial::new(Stage::Waiting, attempt, time_outs),
            };
            trials.insert(job.slot, trial.at_desk(job.work.only_asks()));
            whole.extend(run.map(|run| (job.slot, Box::new(run))));
            planned.insert(job.slot, Planned { job, driver });
        }
        for run in past.unjudged {
            trials.insert(run.job.slot, Trial::new(Stage::Whole, run.attempt, 0));
            whole.insert(run.job.slot, Box::new(run));
        }
        for (slot, judged) in past.finished {
            let stage = if judged.is_some() { Stage::Judged } else { Stage::Empty };
            trials.insert(slot, Trial::new(stage, 1, 0));
            finished.extend(judged.map(|judged| (slot, judged)));
        }
        Self {
            lab: lab.clone(),
            crew: Crew::new(site.clone(), lab.roster.clone(), most_devices(&options, &site), reports),
            core: Core::new(limits, past.schedule, trials),
            options,
            record,
            site,
            planned,
            whole,
            finished,
            judged,
            judged_in,
            failure: None,
            planner: Some(past.planner),
            phase: None,
            findings: past.findings,
            shrunk: past.shrunk,
            rules: Some(past.rules),
            tally: past.tally,
            began,
            earlier: past.earlier,
        }
    }

    /// Runs to the end and gives the outcome.
    async fn conclude(mut self) -> Result<SessionOutcome, LabError> {
        let ended = AssertUnwindSafe(self.run()).catch_unwind().await;
        let ended = ended
            .unwrap_or_else(|panic| Err(LabError::Panicked { who: "the session", what: Panic::of(&*panic) }));
        let ended = ended.and_then(|end| self.come_to(end));
        self.close(&ended).await?;
        let Conclusion { end, progress, shrunk, vain } = ended?;
        Ok(SessionOutcome {
            session: self.site.session,
            end,
            progress,
            findings: self.findings.values().cloned().collect(),
            shrunk,
            steps: self.site.hub.steps(self.site.session),
            looks: self.tally.looks,
            took: self.earlier + self.began.elapsed(),
            idle_rules: self.rules.as_ref().map(RuleWatch::idle).unwrap_or_default(),
            cut: self.core.lost(),
            lacks: self.site.lacking.words(),
            vain,
        })
    }

    /// What the session came to; one that was stopped had no chance to be in vain.
    fn come_to(&self, end: SessionEnd) -> Result<Conclusion, LabError> {
        let (progress, shrunk) = self.ask_planner(|planner| (planner.progress(), planner.shrunk()))?;
        let progress = self.tally.complete(progress);
        let vain = match end {
            SessionEnd::Stopped => None,
            SessionEnd::Complete | SessionEnd::OutOfTime => self.tally.vain(
                &self.site.definition,
                &progress,
                self.crew.lacks_agent().map(ToString::to_string).as_deref(),
            ),
        };
        Ok(Conclusion { end, progress, shrunk, vain })
    }

    /// Gives the devices back and writes down how it ended.
    async fn close(&mut self, ended: &Result<Conclusion, LabError>) -> Result<(), LabError> {
        let end = ended.as_ref().ok().map(|conclusion| conclusion.end);
        let (state, words) = match ended {
            Ok(Conclusion { vain: Some(why), .. }) => {
                let words = format!("in vain: {why}");
                (SessionState::Failed(words.clone()), words)
            }
            Ok(Conclusion { end: SessionEnd::Complete, .. }) => (SessionState::Done, "complete".to_owned()),
            Ok(Conclusion { end: SessionEnd::OutOfTime, .. }) => {
                (SessionState::Done, "out of time".to_owned())
            }
            Ok(Conclusion { end: SessionEnd::Stopped, .. }) => (SessionState::Stopped, "stopped".to_owned()),
            Err(error) => (SessionState::Failed(error.to_string()), error.to_string()),
        };
        self.site.gate.stop();
        self.crew.disband().await;
        self.site.hub.stands.close(self.site.session);
        self.lab.roster.forget(self.site.session);
        if self.lab.halting.is_cancelled() && end == Some(SessionEnd::Stopped) {
            // It has not ended, and is not shown so: it goes on when the lab starts again.
            self.site.hub.info(&self.site.session.to_string(), "halted with the lab");
            return Ok(());
        }
        self.record.ended_ms = Some(now_ms());
        self.record.ending = Some(words.clone());
        self.record.over = matches!(end, Some(SessionEnd::Complete | SessionEnd::OutOfTime));
        let (lab, session, record) = (self.lab.clone(), self.site.session, self.record.clone());
        let written = blocking(move || lab.keep_end(session, &record)).await;
        // Whoever sees that it has ended may remove it.
        self.site.hub.session_ended(session, state, !self.record.over);
        self.site.hub.ended(session, &words);
        Ok(written??)
    }

    /// What the planner says; its panic is an error.
    fn ask_planner<T>(&self, ask: impl FnOnce(&dyn Planner) -> T) -> Result<T, LabError> {
        let planner = self.planner.as_deref().ok_or_else(|| LabError::Task("planner".into()))?;
        guarded(|| ask(planner)).map_err(planner_panicked)
    }

    async fn tell(&self, event: SessionEvent) {
        if let Some(events) = &self.options.events {
            // A listener that is gone wants no more.
            let _ = events.send(event).await;
        }
    }
}

/// An ending as the session's end, or as the error that it is.
fn end_of(ending: Ending, crew: &Crew, failure: Option<LabError>) -> Result<SessionEnd, LabError> {
    Err(match ending {
        Ending::Complete => return Ok(SessionEnd::Complete),
        Ending::OutOfTime => return Ok(SessionEnd::OutOfTime),
        Ending::Stopped => return Ok(SessionEnd::Stopped),
        Ending::Stalled(slot) => LabError::Stalled(slot.to_string()),
        Ending::JobFailed { slot, attempts, last } => {
            LabError::JobFailed { slot: slot.to_string(), attempts, last }
        }
        Ending::NoDevice { waited, why } => crew.no_device(waited, &why),
        Ending::NoneFits => crew.none_fits(),
        Ending::Failed => failure.unwrap_or_else(|| LabError::Task("the session".into())),
    })
}

fn planner_panicked(what: Panic) -> LabError {
    LabError::Panicked { who: "the planner", what }
}

/// True when a test of this attempt ran past its time.
pub(super) fn has_timed_out(turns: &[Turn]) -> bool {
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
        resumable: false,
        priority: 0,
        progress,
        looks: droidmux_record::LookTally::default(),
        rng,
        steps: 0,
        verdicts: 0,
        findings: droidmux_record::TierCounts::default(),
        steps_per_minute: 0.0,
        elapsed_s: 0,
        left_s: None,
        budgets: Vec::new(),
        recent: Vec::new(),
        layout: None,
        degraded: Vec::new(),
        model: ModelView { name: desk::model_name(definition), ..ModelView::default() },
        asks: None,
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, LabError> {
    Ok(tokio::task::spawn_blocking(work).await?)
}

/// Completes at this moment; never if there is none.
async fn at(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

/// The most devices at a time, by the command line or by the session file; 0 for all there are.
fn most_devices(options: &SessionOptions, site: &Site) -> usize {
    match options.most_devices {
        0 => usize::try_from(site.definition.lab.hosts.most).unwrap_or(usize::MAX),
        most => most,
    }
}
