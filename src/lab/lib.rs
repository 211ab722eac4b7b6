//! The lab: devices leased to sessions, episodes run on them, everything recorded.
//!
//! In: session definitions, an ADB server's devices, viewers' requests. Out: jobs, turns,
//! judgements and findings in the store; views for whoever watches.
//!
//! Invariants: the lab decides nothing a technique could decide; an act begins only after the turn before it is
//! durable; a planner is asked for slot n when exactly the jobs up to n − W are absorbed ([`Schedule`]); a job that
//! loses its device is rerun in full; nothing here waits for a viewer.

#![cfg_attr(
    test,
    allow(
        clippy::cast_lossless,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::missing_errors_doc
    )
)]

mod again;
mod agreement;
mod at_desk;
mod bookmarks;
mod builds;
mod bygone;
mod care;
mod craft;
mod crew;
mod desk;
mod dialog;
mod digest;
pub mod doctor;
mod episode;
mod error;
mod exchange_view;
mod gate;
mod handling;
mod hooks;
mod host;
mod hosts;
mod hub;
mod inputs;
mod installation;
mod journal;
mod lacking;
mod log_rows;
mod map;
mod order;
mod pace;
mod panics;
mod patient_writer;
mod question_view;
mod queues;
mod recheck;
pub mod recorder;
mod recount;
mod rederive;
mod retrace;
mod roster;
pub mod rule_watch;
mod schedule;
pub mod server;
mod session;
mod setup;
pub mod standing;
mod starting;
mod step_view;
pub mod stepper;
mod traces;
mod tracking;
pub mod triage;
mod viewer;
mod worker;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use again::{AgainError, ROUNDS as AGAIN_ROUNDS, Recorded, TIMES as AGAIN_TIMES};
pub use agreement::Agreement;
pub use care::Terms;
pub use craft::Craft;
pub use error::LabError;
pub use gate::{Gate, Mode};
pub use hooks::Hooks;
pub use host::HostDoor;
pub use hub::Hub;
pub use installation::{AppPackages, InstallError, Installed, named};
pub use map::map;
pub use panics::Panic;
pub use queues::QueueMarks;
pub use recheck::StoredSession;
pub use recount::{Uncounted, recount};
pub use rederive::{MakePlanner, RederiveReport, rederive};
pub use roster::{Lease, Roster};
pub use schedule::{Next, Schedule};
pub use session::{SessionEnd, SessionEvent, SessionOptions, SessionOutcome};
pub use starting::{Ground, NoGround, Starter};
pub use tracking::{look, take_in, track};

use care::tenure::Identity;
use craft::Techniques;

use droidmux_device_remote::Hosts;
use droidmux_llm::{Endpoints, Sandbox};
use droidmux_proto::{Link, ViewerEnd};
use droidmux_record::{IncidentKind, SessionDefinition, SessionId, SessionRecord};
use droidmux_store::{Store, StoreError};

/// A store, a roster of devices and the sessions that run on them. Clones share everything.
#[derive(Clone)]
pub struct Lab {
    store: Store,
    roster: Roster,
    hub: Arc<Hub>,
    /// Sessions under way.
    sessions: TaskTracker,
    /// The language models that its sessions ask.
    endpoints: Arc<Endpoints>,
    /// Where generated code runs.
    sandbox: Sandbox,
    /// Where planners and oracles come from.
    craft: Arc<dyn Craft>,
    /// Sessions are to stop where they are and go on when the lab starts again.
    halting: CancellationToken,
    closing: CancellationToken,
    /// Hooks that are followed, until the token is cancelled.
    hooks: (TaskTracker, CancellationToken),
    /// What viewers look at of single tests and devices.
    traces: Arc<traces::Traces>,
    /// What a person records.
    studio: recorder::Studio,
    /// Held while the handling of sessions is written down.
    handling: Arc<Mutex<()>>,
    /// Who reads session files and finds devices for them.
    starter: Arc<OnceLock<Arc<dyn Starter>>>,
    /// Sessions that are being rechecked.
    rechecked: Arc<Mutex<BTreeSet<SessionId>>>,
    /// The phones of other hosts, by how they are reached.
    hosts: Arc<tokio::sync::Mutex<BTreeMap<String, Roster>>>,
}

impl Lab {
    /// A lab without devices; `name` is what viewers show.
    pub fn new(name: &str, store: Store) -> Self {
        Self::with_terms(name, store, Terms::default())
    }

    /// A lab that cares for its devices on other terms.
    pub fn with_terms(name: &str, store: Store, terms: Terms) -> Self {
        let hub = Arc::new(Hub::new(name));
        let roster = Roster::new(hub.clone(), Identity::of(store.folder()), terms);
        let closing = CancellationToken::new();
        tokio::spawn(hub::publish(hub.clone(), closing.clone()));
        tokio::spawn(care::attendant::attend(roster.clone(), closing.clone()));
        tokio::spawn(digest::keep(store.clone(), hub.incidents(), hub.queues.clone()));
        hub.happened("", IncidentKind::Began);
        Self {
            studio: recorder::Studio::new(hub.clone()),
            endpoints: Arc::new(Endpoints::default().with_people(hub.people.clone())),
            store,
            roster,
            hub,
            sessions: TaskTracker::new(),
            sandbox: Sandbox::default(),
            craft: Arc::new(Techniques),
            halting: CancellationToken::new(),
            closing,
            hooks: Default::default(),
            traces: Arc::default(),
            handling: Arc::default(),
            starter: Arc::default(),
            rechecked: Arc::default(),
            hosts: Arc::default(),
        }
    }

    /// The same lab with devices of its own.
    pub fn with_own_devices(&self) -> Self {
        let (identity, terms) = (self.roster.identity().clone(), *self.roster.terms());
        let roster = Roster::new(self.hub.clone(), identity, terms);
        tokio::spawn(care::attendant::attend(roster.clone(), self.closing.clone()));
        Self { roster, ..self.clone() }
    }

    /// Which lab this is: the same after a restart, another one for every store.
    pub fn identity(&self) -> &str {
        &self.roster.identity().lab
    }

    /// The same lab with the phones of a NATS server's hosts. All sessions of the lab share them, whichever of them they
    /// choose; `connect` is called for the first.
    ///
    /// # Errors
    /// What `connect` says.
    pub async fn with_hosts<E>(
        &self,
        way: &str,
        connect: impl AsyncFnOnce(&str) -> Result<Hosts, E>,
    ) -> Result<Self, E> {
        let mut known = self.hosts.lock().await;
        if let Some(roster) = known.get(way) {
            return Ok(Self { roster: roster.clone(), ..self.clone() });
        }
        let hosts = connect(self.identity()).await?;
        let lab = self.with_own_devices();
        hosts::track_hosts(lab.roster.clone(), hosts, self.closing.clone());
        known.insert(way.to_owned(), lab.roster.clone());
        Ok(lab)
    }

    /// The same lab with another sandbox for generated code.
    #[must_use]
    pub fn with_sandbox(self, sandbox: Sandbox) -> Self {
        Self { sandbox, ..self }
    }

    /// The same lab with other planners and oracles than those of this crate.
    #[must_use]
    pub fn with_craft(self, craft: Arc<dyn Craft>) -> Self {
        Self { craft, ..self }
    }

    /// Runs commands of the user when something happens from now on.
    pub fn follow_hooks(&self, hooks: Hooks) {
        if !hooks.is_empty() {
            let (tasks, closing) = &self.hooks;
            let (store, hub) = (self.store.clone(), self.hub.clone());
            tasks.spawn(hooks::follow(hooks, store, hub, self.hub.incidents(), closing.clone()));
        }
    }

    /// Runs the hooks that wait, for a few seconds at most, and then follows no more of them.
    pub async fn end_hooks(&self) {
        let (tasks, closing) = &self.hooks;
        closing.cancel();
        tasks.close();
        tasks.wait().await;
    }

    /// The devices, with who leases which.
    pub fn roster(&self) -> &Roster {
        &self.roster
    }

    /// What viewers are shown; lines for the log go here.
    pub fn hub(&self) -> &Arc<Hub> {
        &self.hub
    }

    /// Where all that the lab runs is recorded.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Connects a viewer in this process.
    pub fn viewer(&self) -> ViewerEnd {
        let link = Link::new(self.hub.subscribe());
        tokio::spawn(viewer::serve(self.clone(), link.lab));
        link.viewer
    }

    /// Runs a session to its end. The outcome says how it ended; errors of single devices are in
    /// the lab's log, and only what ends the session is an error here.
    ///
    /// # Errors
    /// Before anything is run: `TooFewEvents`, `Input`; then whatever ends a session before its end.
    pub async fn run(
        &self,
        definition: SessionDefinition,
        options: SessionOptions,
    ) -> Result<SessionOutcome, LabError> {
        let stop = options.stop.clone();
        self.until_halted(stop, session::run(self, definition, options)).await
    }

    /// Stops every session where it is, so that it goes on when it is resumed, and gives the devices back. Takes
    /// `within` at most; false if a session had not come to its end by then.
    pub async fn halt(&self, within: Duration) -> bool {
        self.halting.cancel();
        self.sessions.close();
        tokio::time::timeout(within, self.sessions.wait()).await.is_ok()
    }

    /// Goes on with a session of the store that was interrupted, up to its end: one that was killed,
    /// stopped by a person or ended by an error. What is not given in `options` is as it was before.
    ///
    /// # Errors
    /// Before anything is run: `Over`, `Running`, `OtherPlanner`, `Strayed`; then those of
    /// [`Lab::run`], and `OtherApp` when the app was updated meanwhile.
    pub async fn resume(
        &self,
        session: SessionId,
        options: SessionOptions,
    ) -> Result<SessionOutcome, LabError> {
        let stop = options.stop.clone();
        self.until_halted(stop, session::resume(self, session, options)).await
    }

    /// The sessions of the store that have not ended and are not running in this lab, oldest first: the process that
    /// ran them was killed.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn unended(&self) -> Result<Vec<(SessionId, SessionRecord)>, StoreError> {
        let mut sessions = session::unended(&self.store)?;
        sessions.retain(|(id, _)| !self.hub.is_running(*id));
        Ok(sessions)
    }

    /// Whether a session of the store runs in this lab at this moment.
    pub fn is_running(&self, session: SessionId) -> bool {
        self.hub.is_running(session)
    }

    /// Sessions of the store were removed: viewers no longer see them.
    pub fn removed(&self, sessions: &BTreeSet<SessionId>) {
        self.hub.forget(sessions);
    }

    /// Ends the background tasks. Sessions must have ended before.
    pub fn close(&self) {
        self.closing.cancel();
    }

    async fn until_halted<T>(&self, stop: CancellationToken, session: impl Future<Output = T>) -> T {
        let _running = self.sessions.token();
        tokio::pin!(session);
        tokio::select! {
            outcome = &mut session => return outcome,
            () = self.halting.cancelled() => stop.cancel(),
        }
        session.await
    }
}
