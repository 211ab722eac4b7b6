//! Sessions that people start, or go on with, from a viewer.
//!
//! In: a session file and limits, or a session of the store. Out: a session of this lab like any other, once it has
//! begun, or why there is none. What files say and where simulated devices come from is up to the [`Starter`].

use std::sync::Arc;

use async_trait::async_trait;
use thiserror::Error;
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use super::{Lab, LabError, SessionEvent, SessionOptions, SessionOutcome};
use droidmux_proto::{SessionFileView, Start, StartFault};
use droidmux_record::{SessionDefinition, SessionId, SimTerms};
use droidmux_store::StoreError;

/// Where sessions that people start come from. Reading files blocks.
#[async_trait]
pub trait Starter: Send + Sync + 'static {
    /// The session files that can be chosen in a folder.
    fn files(&self, folder: &str) -> Vec<SessionFileView>;

    /// What is to be run, checked.
    ///
    /// # Errors
    /// What is wrong, and where.
    fn read(&self, start: &Start) -> Result<SessionDefinition, StartFault>;

    /// How a simulated lab is made for a new session.
    fn terms(&self) -> SimTerms;

    /// A lab with devices for such a session: this one, or one beside it with simulated devices.
    ///
    /// # Errors
    /// When there is no device.
    async fn ground(
        &self,
        lab: &Lab,
        definition: &SessionDefinition,
        sim: &SimTerms,
    ) -> Result<Ground, NoGround>;
}

/// A lab with the devices that a session runs on.
pub struct Ground {
    /// Where the session runs.
    pub lab: Lab,
    /// Held until the session has ended: its devices may end with it.
    pub held: Box<dyn Send>,
}

/// There is no lab with devices for a session: says why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{why}")]
pub struct NoGround {
    /// As a person reads it, with what to do.
    pub why: String,
}

/// Why a session that a person asked for has not begun, or ended before its end.
#[derive(Debug, Error)]
pub(super) enum NotRun {
    #[error("this lab starts no sessions from here; `droidmux run SESSION.toml` does")]
    NoStarter,
    #[error(transparent)]
    NoGround(#[from] NoGround),
    #[error(transparent)]
    Session(#[from] LabError),
    #[error("the session did not begin")]
    Silent,
}

impl From<NotRun> for StartFault {
    fn from(error: NotRun) -> Self {
        error.to_string().into()
    }
}

impl Lab {
    /// Lets viewers start sessions from now on; the first starter stays.
    pub fn start_with(&self, starter: Arc<dyn Starter>) {
        let _ = self.starter.set(starter);
    }

    /// The session files that can be chosen in a folder.
    pub(super) fn session_files(&self, folder: &str) -> Vec<SessionFileView> {
        self.starter.get().map(|starter| starter.files(folder)).unwrap_or_default()
    }

    /// Begins a session. To be called off the async workers.
    pub(super) fn start(&self, start: &Start) -> Result<SessionId, StartFault> {
        let starter = self.starter.get().ok_or(NotRun::NoStarter)?.clone();
        let definition = starter.read(start)?;
        self.require_devices(&start.serials)?;
        let most_devices = start.serials.len();
        let until = start.for_s.and_then(|seconds| {
            tokio::time::Instant::now().checked_add(std::time::Duration::from_secs(seconds))
        });
        let sim = starter.terms();
        let options =
            SessionOptions { rng: rand::random(), most_devices, until, sim, ..SessionOptions::default() };
        let lab = self.clone();
        let begun = self.begin("a session cannot run", options, move |options: SessionOptions| async move {
            let ground = starter.ground(&lab, &definition, &options.sim).await?;
            Ok(ground.lab.run(definition, options).await?)
        });
        Ok(begun?)
    }

    /// Goes on with a session of the store. To be called off the async workers.
    pub(super) fn go_on(
        &self,
        session: SessionId,
        accept_builds: bool,
    ) -> Result<Result<SessionId, NotRun>, StoreError> {
        let Some(starter) = self.starter.get().cloned() else { return Ok(Err(NotRun::NoStarter)) };
        let record = self.store.session(session)?.ok_or(StoreError::NoSession(session))?;
        if self.hub.is_running(session) {
            return Ok(Err(LabError::Running(session).into()));
        }
        if record.over {
            let ending = record.ending.unwrap_or_default();
            return Ok(Err(LabError::Over { session, ending }.into()));
        }
        let options = SessionOptions { rng: record.rng, accept_builds, ..SessionOptions::default() };
        let lab = self.clone();
        Ok(self.begin("it cannot go on", options, move |options: SessionOptions| async move {
            let ground = starter.ground(&lab, &record.definition, &record.terms.sim).await?;
            Ok(ground.lab.resume(session, options).await?)
        }))
    }

    /// Runs a session in the background and waits until it has begun; whatever ends it later is reported in the log. An
    /// error for a person if it does not begin.
    pub(super) fn begin<F>(
        &self,
        what: &'static str,
        options: SessionOptions,
        run: impl FnOnce(SessionOptions) -> F,
    ) -> Result<SessionId, NotRun>
    where
        F: Future<Output = Result<SessionOutcome, NotRun>> + Send + 'static,
    {
        let (events, mut told) = mpsc::channel(16);
        let session = run(SessionOptions { events: Some(events), ..options });
        let hub = self.hub.clone();
        let running = tokio::spawn(async move {
            let error = session.await.err()?;
            hub.error("", &format!("{what}: {error}"));
            Some(error)
        });
        let began = Handle::current().block_on(async {
            while let Some(event) = told.recv().await {
                if let SessionEvent::Began(session) = event {
                    return Ok(session);
                }
            }
            Err(running.await.ok().flatten().unwrap_or(NotRun::Silent))
        });
        tokio::spawn(async move { while told.recv().await.is_some() {} });
        began
    }

    /// The devices that a person chose are devices of this lab.
    fn require_devices(&self, serials: &[String]) -> Result<(), StartFault> {
        let known: Vec<String> = self.roster.states().into_iter().map(|(serial, _)| serial).collect();
        match serials.iter().find(|serial| !known.contains(serial)) {
            None => Ok(()),
            Some(stranger) if known.is_empty() => {
                Err(format!("there is no device {stranger}: this lab has none").into())
            }
            Some(stranger) => {
                Err(format!("there is no device {stranger}; there are {}", known.join(", ")).into())
            }
        }
    }
}
