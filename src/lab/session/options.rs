//! What a session is given besides its definition, and what it reports.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::journal::now_ms;
use droidmux_record::{
    Finding, JobRun, Judgement, LookTally, Progress, RunSettings, SessionId, Shrunk, SimTerms, Terms,
};

/// How one run of a session differs from another of the same definition.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// Seeds everything random; a session that goes on keeps its own.
    pub rng: u64,
    /// The most devices to lease; 0 means all that can be had, or as many as before.
    pub most_devices: usize,
    /// When no further test begins, if the budget lasts longer; for a session that goes on, `None` means as before.
    pub until: Option<Instant>,
    /// How the simulated lab that the session brought was made: only written down, so that one like it can be made when
    /// the session goes on.
    pub sim: SimTerms,
    /// Go on with other builds of the app and of the devices than before.
    pub accept_builds: bool,
    /// Come back paused if a person had paused it before: for a lab that starts again. Someone who goes on with one
    /// session wants it to run.
    pub keep_pause: bool,
    /// When the session goes on, also report the jobs that were absorbed before: a listener then hears what it would
    /// have heard of a session that was never interrupted.
    pub retell: bool,
    /// Stops the session cleanly when cancelled.
    pub stop: CancellationToken,
    /// Where to tell what happens, in slot order; a full channel makes the session wait.
    pub events: Option<mpsc::Sender<SessionEvent>>,
}

impl SessionOptions {
    /// What of this is kept with a new session.
    pub(super) fn terms(&self) -> Terms {
        Terms {
            most_devices: u32::try_from(self.most_devices).unwrap_or(u32::MAX),
            until_ms: self.until.map(|until| {
                let left = until.saturating_duration_since(Instant::now());
                now_ms().saturating_add(u64::try_from(left.as_millis()).unwrap_or(u64::MAX))
            }),
            sim: self.sim.clone(),
        }
    }

    /// For a new session: how long it may take is said by whoever starts it, or else by its file, and stands in both
    /// afterwards.
    pub(super) fn agree_on_time(&mut self, run: &mut RunSettings) {
        match self.until {
            Some(until) => {
                // To the second above; none is no limit.
                let left = until.saturating_duration_since(Instant::now()).as_secs().saturating_add(1);
                run.time = u32::try_from(left).unwrap_or(u32::MAX);
            }
            None if run.time > 0 => {
                self.until = Instant::now().checked_add(Duration::from_secs(run.time.into()));
            }
            None => {}
        }
    }

    /// For a session that goes on: takes what is not given from what was kept, and gives what is to
    /// be kept from now on.
    pub(super) fn complete(&mut self, kept: &Terms) -> Terms {
        if self.most_devices == 0 {
            self.most_devices = usize::try_from(kept.most_devices).unwrap_or(usize::MAX);
        }
        let until_ms = match self.until {
            Some(_) => self.terms().until_ms,
            None => kept.until_ms,
        };
        let left = until_ms.map(|until| Duration::from_millis(until.saturating_sub(now_ms())));
        self.until = left.and_then(|left| Instant::now().checked_add(left));
        Terms { until_ms, sim: kept.sim.clone(), ..self.terms() }
    }
}

/// What a session tells whoever started it.
#[derive(Clone, Debug)]
pub enum SessionEvent {
    /// It has its id and its record in the store; first of all, also when it goes on.
    Began(SessionId),
    /// Where the planner stands, after each job absorbed.
    Progress(Box<Progress>),
    /// A job was absorbed.
    Absorbed {
        /// The job with its turns, as stored.
        run: Arc<JobRun>,
        /// What its oracle said of it.
        judgement: Arc<Judgement>,
    },
    /// New or changed.
    Finding(Box<Finding>),
    /// What a person should know, in words.
    Said(String),
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

/// What a session came to, when it is over or stopped.
#[derive(Clone, Debug)]
pub struct SessionOutcome {
    /// The id under which it is in the store.
    pub session: SessionId,
    /// Why it went no further.
    pub end: SessionEnd,
    /// Where the planner stood at last.
    pub progress: Progress,
    /// All of them, sorted by id, including those of earlier runs of the session.
    pub findings: Vec<Finding>,
    /// What findings were shrunk to.
    pub shrunk: Vec<Shrunk>,
    /// Steps recorded, including resets and jobs that were cut.
    pub steps: u64,
    /// What looking at screens cost, and how often a swift look was premature.
    pub looks: LookTally,
    /// How long it was under way, without interruptions.
    pub took: Duration,
    /// Rules of the session file that never matched anything.
    pub idle_rules: Vec<String>,
    /// Jobs that were left out, or cut in the middle, because the time given was over.
    pub cut: usize,
    /// What it went without on its devices, in words: findings may have been missed for it.
    pub lacks: Vec<String>,
    /// Why it cannot have found anything: it did nothing, judged nothing, or nobody answered it. Such a
    /// session is no success, whatever its end.
    pub vain: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn whoever_starts_a_session_says_how_long_it_has() {
        let hour = Duration::from_secs(3_600);
        // What the file says, what is given, and how many seconds it comes to.
        for (file, given, seconds) in
            [(0, None, 0), (60, None, 60), (60, Some(hour), 3_600), (0, Some(hour), 3_600)]
        {
            let until = given.map(|given| Instant::now() + given);
            let mut options = SessionOptions { until, ..SessionOptions::default() };
            let mut run = RunSettings { time: file, ..RunSettings::default() };
            options.agree_on_time(&mut run);
            assert_eq!(run.time, seconds, "{file} {given:?}");
            assert_eq!(options.until.is_some(), seconds > 0, "{file} {given:?}");
        }
    }

    #[tokio::test]
    async fn what_is_not_given_is_as_it_was() {
        let soon = now_ms() + 60_000;
        let kept = Terms { most_devices: 3, until_ms: Some(soon), ..Terms::default() };
        let mut plain = SessionOptions::default();
        assert_eq!(plain.complete(&kept), kept);
        let left = plain.until.expect("a time").saturating_duration_since(Instant::now());
        assert!((50..=60).contains(&left.as_secs()), "{left:?}");
        assert_eq!(plain.most_devices, 3);

        let past = Terms { until_ms: Some(1_000), ..Terms::default() };
        let mut late = SessionOptions::default();
        assert_eq!(late.complete(&past).until_ms, Some(1_000));
        assert!(late.until.is_some_and(|until| until <= Instant::now()));

        let tomorrow = Instant::now() + Duration::from_secs(86_400);
        let mut given =
            SessionOptions { most_devices: 1, until: Some(tomorrow), ..SessionOptions::default() };
        let terms = given.complete(&kept);
        assert!(terms.most_devices == 1 && terms.until_ms.is_some_and(|until| until > soon));
    }
}
