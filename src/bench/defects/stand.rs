//! The stand of a trial: a lab with a store of its own, and simulated phones with selected defects on them.
//!
//! Sessions see phones on an ADB server and nothing else. Which defects a phone has, and how often they were triggered,
//! is known here and nowhere behind that socket.
//!
//! Invariants: all phones of a trial begin alike, at the same time of day with the same seed for volatile content, and
//! their clocks move only through what is done to them. So what sessions on a fresh phone do and find depends on
//! nothing that was done on others. A real app has one host for all its sessions: its process, its data and the clock that
//! it sees begin anew with each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::apps::installed_with;
use super::subject::Place;
use super::{BenchError, Subject};
use droidmux_device::adb::{AdbDevice, Server};
use droidmux_file::Temporary;
use droidmux_lab::{Lab, SessionEnd, SessionEvent, SessionOptions, SessionOutcome, Terms};
use droidmux_record::{Finding, SessionDefinition, Test};
use droidmux_sim::{
    DefectSwitches, FrameworkOptions, Latency, MutantCounts, SimApp, SimDevice, SimLab, SimOptions,
};
use droidmux_store::{Store, StoreOptions};
use droidmux_technique::{recipe, uses};

/// The name of the phone on the ADB server of a simulated lab with one phone.
const SERIAL: &str = "sim-1";

pub(crate) struct Stand {
    lab: Lab,
    app: Subject,
    /// Whether phones have a keyboard for texts that no key has.
    adb_keyboard: bool,
    latency: Latency,
    /// The phone that sessions run on.
    phone: Option<Phone>,
    /// Phones started so far.
    started: u64,
    stop: CancellationToken,
    // Dropped last: it contains the store.
    folder: Option<Temporary>,
}

/// A simulated phone, and its name on the stand.
struct Phone {
    name: String,
    /// The phone ends when this is dropped.
    sim: SimLab,
}

impl Stand {
    /// A stand without phones. `stop` ends every session on it.
    pub(crate) async fn new(
        app: &Subject,
        definition: &SessionDefinition,
        stop: CancellationToken,
    ) -> Result<Self, BenchError> {
        let folder = Temporary::new("bench").map_err(|source| BenchError::Io {
            what: "cannot make a folder in",
            path: std::env::temp_dir(),
            source,
        })?;
        let mut stand = Self::keeping(folder.path().join("store"), app, definition, stop).await?;
        stand.folder = Some(folder);
        Ok(stand)
    }

    /// The same with a store that stays when the stand goes, created when it is missing.
    pub(super) async fn keeping(
        path: PathBuf,
        app: &Subject,
        definition: &SessionDefinition,
        stop: CancellationToken,
    ) -> Result<Self, BenchError> {
        let store = tokio::task::spawn_blocking(move || {
            // Nothing here is valuable enough to reserve room against a full disk.
            Store::open(&path, StoreOptions { ballast: 0, ..StoreOptions::default() })
        })
        .await
        .map_err(|error| BenchError::Task(error.to_string()))??;
        // Nobody else can reach these devices.
        let lab = Lab::with_terms("bench", store, Terms { settle: Duration::ZERO, ..Terms::default() });
        let (app, adb_keyboard) = (app.clone(), uses(definition).unusual_texts);
        let latency = Latency::ZERO;
        Ok(Self { lab, app, adb_keyboard, latency, phone: None, started: 0, stop, folder: None })
    }

    /// The same with simulated phones that take so long over things.
    pub(super) fn with_latency(mut self, latency: Latency) -> Self {
        self.latency = latency;
        self
    }

    /// Runs a session on the phone of [`Stand::set_up`], to its end; `listen` receives everything that happens in it,
    /// in slot order.
    ///
    /// # Errors
    /// `Interrupted` when the session was stopped.
    pub(crate) async fn run(
        &mut self,
        definition: SessionDefinition,
        rng: u64,
        listen: impl FnMut(SessionEvent) + Send,
    ) -> Result<SessionOutcome, BenchError> {
        let outcome = self.run_until(&self.enough(), definition, rng, listen).await?;
        match outcome.end {
            SessionEnd::Stopped => Err(BenchError::Interrupted),
            SessionEnd::Complete | SessionEnd::OutOfTime => Ok(outcome),
        }
    }

    /// Runs a session on the phone of [`Stand::set_up`], to its end or until `enough` is cancelled.
    ///
    /// # Errors
    /// `Interrupted` when the stand was stopped.
    pub(crate) async fn run_until(
        &self,
        enough: &CancellationToken,
        mut definition: SessionDefinition,
        rng: u64,
        mut listen: impl FnMut(SessionEvent) + Send,
    ) -> Result<SessionOutcome, BenchError> {
        definition.lab.serials = self.phone.iter().map(|phone| phone.name.clone()).collect();
        let (events, mut listener) = mpsc::channel(64);
        let options = SessionOptions {
            rng,
            most_devices: 1,
            stop: enough.clone(),
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
        if self.stop.is_cancelled() { Err(BenchError::Interrupted) } else { Ok(outcome) }
    }

    /// A token that is cancelled with the stand, for [`Stand::run_until`].
    pub(crate) fn enough(&self) -> CancellationToken {
        self.stop.child_token()
    }

    /// What its sessions have stored.
    pub(crate) fn store(&self) -> &Store {
        self.lab.store()
    }

    /// What to run to reproduce a finding of an earlier session; empty when nothing is known.
    pub(super) async fn recipe(&self, finding: &Finding) -> Result<Vec<Test>, BenchError> {
        let store = self.store().clone();
        let (session, verdict) = (finding.id.session, finding.verdict.clone());
        let read = move || -> Result<Vec<Test>, BenchError> {
            let run = store.run(session, verdict.slot)?;
            Ok(run.map(|run| recipe(&run, &verdict)).unwrap_or_default())
        };
        tokio::task::spawn_blocking(read).await.map_err(|error| BenchError::Task(error.to_string()))?
    }

    /// Takes a phone as good as fresh, with these defects of the app on and no others.
    pub(crate) async fn set_up(&mut self, on: &BTreeSet<String>) -> Result<(), BenchError> {
        match self.app.place().clone() {
            Place::Simulated(app) => self.replace_phone(&app, on).await,
            Place::Translated(Some(options)) => self.switch_host(options, on).await,
            Place::Translated(None) => Err(BenchError::NoApk(self.app.name().to_owned())),
        }
    }

    /// A host takes seconds to start. What is left of a session when its app's data is cleared and its process has ended is
    /// left between two tests of a session as well, so one host does for all.
    async fn switch_host(
        &mut self,
        options: FrameworkOptions,
        on: &BTreeSet<String>,
    ) -> Result<(), BenchError> {
        if self.phone.is_none() {
            let adb_keyboard = self.adb_keyboard;
            let framework = Some(options);
            let sim = SimLab::start(SimOptions { framework, adb_keyboard, ..SimOptions::default() }).await?;
            self.connect(sim);
        }
        let Some(switches) = self.device().and_then(|device| device.mutants().cloned()) else {
            return Ok(());
        };
        let on = on.clone();
        let chosen = tokio::task::spawn_blocking(move || switches.choose(&on)).await;
        Ok(chosen.map_err(|error| BenchError::Task(error.to_string()))??)
    }

    async fn replace_phone(&mut self, app: &SimApp, on: &BTreeSet<String>) -> Result<(), BenchError> {
        let ids = on.iter().map(String::as_str);
        let defects = DefectSwitches::only(ids, std::slice::from_ref(app))?;
        // Otherwise as `droidmux run` starts it, so that a trial can be reproduced with that command.
        let apps = installed_with(app);
        let (adb_keyboard, latency) = (self.adb_keyboard, self.latency);
        let options = SimOptions { apps, defects, adb_keyboard, latency, ..SimOptions::default() };
        self.connect(SimLab::start(options).await?);
        Ok(())
    }

    /// The phone of this simulated lab is the one that sessions run on.
    fn connect(&mut self, sim: SimLab) {
        self.started += 1;
        let name = format!("phone-{}", self.started);
        let server = Server::at(sim.server_addr());
        let listed = [(name.clone(), "device".to_owned())];
        self.lab.roster().update(&listed, |_| Arc::new(AdbDevice::new(server.clone(), SERIAL)));
        self.lab.roster().forget_gone();
        self.phone = Some(Phone { name, sim });
    }

    fn device(&self) -> Option<&Arc<SimDevice>> {
        self.phone.as_ref().and_then(|phone| phone.sim.devices().first())
    }

    /// What requests reached the mutants of a real app since [`Stand::set_up`].
    pub(crate) async fn mutants(&self) -> Result<MutantCounts, BenchError> {
        let Some(switches) = self.device().and_then(|device| device.mutants().cloned()) else {
            return Ok(MutantCounts::default());
        };
        let counts = tokio::task::spawn_blocking(move || switches.counts()).await;
        counts.map_err(|error| BenchError::Task(error.to_string()))
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
