//! The lab: devices leased to sessions, episodes run on them, everything recorded.
//!
//! In: session definitions, an ADB server's devices, viewers' requests. Out: jobs, turns,
//! judgements and findings in the store; views for whoever watches.
//!
//! Invariants: the lab decides nothing a technique could decide; an act begins only after the
//! turn before it is durable; a planner is asked for slot n when exactly the jobs up to n − W are
//! absorbed ([`Schedule`]); a job that loses its device is run again whole; nothing here waits
//! for a viewer.

mod agreement;
mod builds;
mod crew;
mod dialog;
mod episode;
mod error;
mod gate;
mod hub;
mod inputs;
mod journal;
mod rederive;
mod retrace;
mod room;
mod roster;
mod rule_watch;
mod schedule;
mod session;
mod setup;
mod step_view;
mod viewer;
mod worker;

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

pub use agreement::Agreement;
pub use error::LabError;
pub use gate::{Gate, Mode};
pub use hub::Hub;
pub use rederive::{MakePlanner, RederiveReport, rederive};
pub use roster::{Lease, Roster};
pub use schedule::{Next, Schedule};
pub use session::{SessionEnd, SessionEvent, SessionOptions, SessionOutcome};

use crate::proto::{Link, ViewerEnd};
use crate::record::{SessionDefinition, SessionId, SessionRecord};
use crate::store::{Store, StoreError};

/// A store, a roster of devices and the sessions that run on them.
#[derive(Clone)]
pub struct Lab {
    store: Store,
    roster: Roster,
    hub: Arc<Hub>,
    closing: CancellationToken,
}

impl Lab {
    /// A lab without devices; `name` is what viewers show.
    pub fn new(name: &str, store: Store) -> Self {
        let hub = Arc::new(Hub::new(name));
        let roster = Roster::new(hub.clone());
        let closing = CancellationToken::new();
        tokio::spawn(hub::publish(hub.clone(), closing.clone()));
        Self { store, roster, hub, closing }
    }

    pub fn roster(&self) -> &Roster {
        &self.roster
    }

    pub fn hub(&self) -> &Arc<Hub> {
        &self.hub
    }

    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Connects a viewer in this process.
    pub fn viewer(&self) -> ViewerEnd {
        let link = Link::new(self.hub.subscribe());
        tokio::spawn(viewer::serve(self.store.clone(), self.hub.clone(), link.lab, self.closing.clone()));
        link.viewer
    }

    /// Runs a session to its end. The outcome says how it ended; errors of single devices are in
    /// the lab's log, and only what ends the session is an error here.
    pub async fn run(
        &self,
        definition: SessionDefinition,
        options: SessionOptions,
    ) -> Result<SessionOutcome, LabError> {
        session::run(self, definition, options).await
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
        session::resume(self, session, options).await
    }

    /// The sessions of the store that have not ended and do not run in this lab, oldest first: whoever
    /// ran them was killed.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn unended(&self) -> Result<Vec<(SessionId, SessionRecord)>, StoreError> {
        let mut sessions = session::unended(&self.store)?;
        sessions.retain(|(id, _)| !self.hub.is_running(*id));
        Ok(sessions)
    }

    /// Ends the background tasks. Sessions must have ended before.
    pub fn close(&self) {
        self.closing.cancel();
    }
}
