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
mod care;
mod crew;
mod dialog;
mod episode;
mod error;
mod gate;
mod hub;
mod inputs;
mod journal;
mod rederive;
mod room;
mod roster;
mod rule_watch;
mod schedule;
mod session;
mod setup;
mod step_view;
mod tracking;
mod viewer;
mod worker;

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

pub use agreement::Agreement;
pub use care::Terms;
pub use error::LabError;
pub use gate::{Gate, Mode};
pub use hub::Hub;
pub use rederive::{MakePlanner, RederiveReport, rederive};
pub use roster::{Lease, Roster};
pub use schedule::{Next, Schedule};
pub use session::{SessionEnd, SessionEvent, SessionOptions, SessionOutcome};
pub use tracking::{take_in, track};

use care::claim::Identity;

use crate::proto::{Link, ViewerEnd};
use crate::record::SessionDefinition;
use crate::store::Store;

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
        Self::with_terms(name, store, Terms::default())
    }

    /// A lab that cares for its devices in other terms.
    pub fn with_terms(name: &str, store: Store, terms: Terms) -> Self {
        let hub = Arc::new(Hub::new(name));
        let roster = Roster::new(hub.clone(), Identity::of(store.folder()), terms);
        let closing = CancellationToken::new();
        tokio::spawn(hub::publish(hub.clone(), closing.clone()));
        tokio::spawn(care::attendant::attend(roster.clone(), closing.clone()));
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

    /// Ends the background tasks. Sessions must have ended before.
    pub fn close(&self) {
        self.closing.cancel();
    }
}
