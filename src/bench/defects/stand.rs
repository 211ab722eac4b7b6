//! The stand of a trial: a lab with a store of its own, and simulated phones with selected defects on them.
//!
//! Sessions see phones on an ADB server and nothing else. Which defects a phone has, and how often they were triggered,
//! is known here and nowhere behind that socket.
//!
//! Invariants: all phones of a trial begin alike, at the same time of day with the same seed for volatile content, and
//! their clocks move only through what is done to them. So what sessions on a fresh phone do and find depends on
//! nothing that was done on others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::apps::installed_with;
use super::{BenchError, Trial};
use droidmux_device::adb::{AdbDevice, Server};
use droidmux_file::Temporary;
use droidmux_lab::{Lab, SessionEnd, SessionEvent, SessionOptions, SessionOutcome, Terms};
use droidmux_record::{Finding, SessionDefinition, Test};
use droidmux_sim::{DefectSwitches, Latency, SimApp, SimLab, SimOptions};
use droidmux_store::{Store, StoreOptions};
use droidmux_technique::{recipe, uses};

/// The name of the phone on the ADB server of a simulated lab with one phone.
const SERIAL: &str = "sim-1";

pub(super) struct Stand {
    lab: Lab,
    app: SimApp,
    /// Whether phones have a keyboard for texts that no key has.
    adb_keyboard: bool,
    latency: Latency,
    /// The phone that sessions run on.
    phone: Option<Phone>,
    /// Phones started so far.
    started: u64,
    stop: CancellationToken,
    // Dropped last: it contains the store.
    _folder: Temporary,
}

/// A simulated phone, and its name on the stand.
struct Phone {
    name: String,
    /// The phone ends when this is dropped.
    sim: SimLab,
}

impl Stand {
    /// A stand without phones, for the sessions of this trial. `stop` ends every session on it.
    pub(super) async fn new(trial: &Trial, stop: CancellationToken) -> Result<Self, BenchError> {
        let folder = Temporary::new("bench").map_err(|source| BenchError::Io {
            what: "cannot make a folder in",
            path: std::env::temp_dir(),
            source,
        })?;
        let path = folder.path().join("store");
        let store = tokio::task::spawn_blocking(move || {
            // Nothing here is valuable enough to reserve room against a full disk.
            Store::open(&path, StoreOptions { ballast: 0, ..StoreOptions::default() })
        })
        .await
        .map_err(|error| BenchError::Task(error.to_string()))??;
        // Nobody else can reach these devices.
        let lab = Lab::with_terms("bench", store, Terms { settle: Duration::ZERO, ..Terms::default() });
        let (app, adb_keyboard) = (trial.app.clone(), uses(&trial.definition).unusual_texts);
        let latency = trial.latency;
        Ok(Self { lab, app, adb_keyboard, latency, phone: None, started: 0, stop, _folder: folder })
    }

    /// Runs a session on the phone of [`Stand::set_up`], to its end; `listen` receives everything that happens in it,
    /// in slot order.
    ///
    /// # Errors
    /// `Interrupted` when the session was stopped.
    pub(super) async fn run(
        &mut self,
        mut definition: SessionDefinition,
        rng: u64,
        mut listen: impl FnMut(SessionEvent) + Send,
    ) -> Result<SessionOutcome, BenchError> {
        definition.lab.serials = self.phone.iter().map(|phone| phone.name.clone()).collect();
        let (events, mut listener) = mpsc::channel(64);
        let options = SessionOptions {
            rng,
            most_devices: 1,
            stop: self.stop.child_token(),
            events: Some(events),
            ..SessionOptions::default()
        };
        let listening = async {
            while let Some(event) = listener.recv().await {
                listen(event);
            }
        };
        let (outcome, ()) = tokio::join!(self.lab.run(definition, options), listening);
        let outcome = outcome?;
        match outcome.end {
            SessionEnd::Stopped => Err(BenchError::Interrupted),
            SessionEnd::Complete | SessionEnd::OutOfTime => Ok(outcome),
        }
    }

    /// What to run to reproduce a finding of an earlier session; empty when nothing is known.
    pub(super) async fn recipe(&self, finding: &Finding) -> Result<Vec<Test>, BenchError> {
        let store = self.lab.store().clone();
        let (session, verdict) = (finding.id.session, finding.verdict.clone());
        let read = move || -> Result<Vec<Test>, BenchError> {
            let run = store.run(session, verdict.slot)?;
            Ok(run.map(|run| recipe(&run, &verdict)).unwrap_or_default())
        };
        tokio::task::spawn_blocking(read).await.map_err(|error| BenchError::Task(error.to_string()))?
    }

    /// Replaces the last phone by a fresh one, with these defects of the app on and no others.
    pub(super) async fn set_up(&mut self, on: &BTreeSet<String>) -> Result<(), BenchError> {
        let ids = on.iter().map(String::as_str);
        let defects = DefectSwitches::only(ids, std::slice::from_ref(&self.app))?;
        // Otherwise as `droidmux run` starts it, so that a trial can be reproduced with that command.
        let apps = installed_with(&self.app);
        let (adb_keyboard, latency) = (self.adb_keyboard, self.latency);
        let options = SimOptions { apps, defects, adb_keyboard, latency, ..SimOptions::default() };
        let sim = SimLab::start(options).await?;
        self.started += 1;
        let name = format!("phone-{}", self.started);
        let server = Server::at(sim.server_addr());
        let listed = [(name.clone(), "device".to_owned())];
        self.lab.roster().update(&listed, |_| Arc::new(AdbDevice::new(server.clone(), SERIAL)));
        self.lab.roster().forget_gone();
        self.phone = Some(Phone { name, sim });
        Ok(())
    }

    /// How many events triggered each defect of the app on the phone of [`Stand::set_up`].
    pub(super) fn set_off(&self) -> BTreeMap<String, u64> {
        let devices = self.phone.iter().flat_map(|phone| phone.sim.devices());
        devices.flat_map(|device| device.with_phone(|phone| phone.set_off(self.app.package()))).collect()
    }
}

impl Drop for Stand {
    fn drop(&mut self) {
        self.lab.close();
    }
}
