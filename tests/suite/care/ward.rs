//! A lab that follows a simulated one as a command does, with shortened times.

use std::sync::Arc;
use std::time::{Duration, Instant};

use droidmux::device::adb::Server;
use droidmux::lab::{Lab, SessionOptions, SessionOutcome, Terms, rederive, track};
use droidmux::proto::DeviceHealth;
use droidmux::record::{ScreenPolicy, SessionDefinition, SessionId, SessionRecord};
use droidmux::sim::SimLab;
use droidmux::store::{Store, StoreOptions};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::sessions::session;

/// Everything that must happen has to happen within this time.
const SOON: Duration = Duration::from_secs(90);

pub struct Ward {
    pub lab: Lab,
    _tracking: Option<DropGuard>,
    _folder: tempfile::TempDir,
}

/// Seconds become milliseconds.
pub fn brisk() -> Terms {
    Terms {
        soon: Duration::from_millis(30),
        rest: Duration::from_millis(60),
        idle: Duration::from_millis(100),
        quarantine: Duration::from_millis(200),
        longest_quarantine: Duration::from_secs(2),
        checkup: Duration::ZERO,
        renewal: Duration::from_millis(400),
        settle: Duration::from_millis(20),
        ..Terms::default()
    }
}

impl Ward {
    pub async fn new(sim: &SimLab) -> Self {
        Self::at(Server::at(sim.server_addr())).await
    }

    /// A lab on the devices of this server.
    pub async fn at(server: Server) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("store"), StoreOptions::default()).unwrap();
        let lab = Lab::with_terms("ward", store, brisk());
        let stop = CancellationToken::new();
        tokio::spawn(track(lab.roster().clone(), server, true, stop.clone()));
        Self { lab, _tracking: Some(stop.drop_guard()), _folder: folder }
    }

    /// A lab that has its devices already.
    pub fn over(lab: Lab, folder: tempfile::TempDir) -> Self {
        Self { lab, _tracking: None, _folder: folder }
    }

    /// Runs a session to its end while `meanwhile` runs beside it.
    pub async fn run(
        &self,
        definition: &SessionDefinition,
        meanwhile: impl Future<Output = ()>,
    ) -> SessionOutcome {
        let ran = self.lab.run(definition.clone(), SessionOptions::default());
        let (ended, ()) = tokio::join!(ran, meanwhile);
        ended.unwrap_or_else(|error| panic!("{error}\n{}", self.log().join("\n")))
    }

    pub fn log(&self) -> Vec<String> {
        let rows = self.lab.hub().log();
        rows.into_iter().map(|row| format!("{}: {}", row.line.source, row.line.text)).collect()
    }

    pub fn says(&self, words: &str) -> bool {
        self.log().iter().any(|line| line.contains(words))
    }

    /// Waits for a line of the log; false when it does not come within this time.
    pub async fn hears(&self, words: &str, within: Duration) -> bool {
        let began = Instant::now();
        while !self.says(words) {
            if began.elapsed() > within {
                return false;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        true
    }

    pub async fn waits_for(&self, words: &str) {
        assert!(self.hears(words, SOON).await, "`{words}` is not in\n{}", self.log().join("\n"));
    }

    pub fn health(&self, serial: &str) -> Option<DeviceHealth> {
        let view = self.lab.hub().snapshot();
        view.devices.into_iter().find(|device| device.serial == serial).map(|device| device.health)
    }

    pub async fn becomes(&self, serial: &str, wanted: impl Fn(&DeviceHealth) -> bool) {
        let began = Instant::now();
        while !self.health(serial).as_ref().is_some_and(&wanted) {
            let log = || self.log().join("\n");
            assert!(began.elapsed() < SOON, "{serial} is {:?}\n{}", self.health(serial), log());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Waits until a session has got this far.
    pub async fn steps(&self, steps: u64) {
        let began = Instant::now();
        while self.lab.hub().steps(SessionId(1)) < steps {
            assert!(began.elapsed() < SOON, "{}", self.log().join("\n"));
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// What was noted in the observations of all attempts.
    pub fn noted(&self) -> Vec<String> {
        let store = self.lab.store();
        let mut noted = Vec::new();
        for job in store.jobs(SessionId(1)) {
            let slot = job.unwrap().slot;
            for attempt in store.attempts(SessionId(1), slot).unwrap() {
                let turns = store.turns(SessionId(1), slot, attempt).unwrap();
                let seen = turns.iter().filter_map(|turn| turn.observation.seen());
                noted.extend(seen.flat_map(|seen| seen.dialogs.clone()));
            }
        }
        noted
    }

    /// Acts follow from the stored observations, whatever was done in between.
    pub fn rederives(&self) {
        let make =
            |record: &SessionRecord, id| droidmux::technique::planner(&record.definition, id, record.rng);
        let report = rederive(self.lab.store(), &make).unwrap();
        assert!(report.is_clean() && report.jobs > 0, "{report:?}");
    }
}

/// A short session without screenshots.
pub fn small(max_events: u64) -> SessionDefinition {
    let mut definition = session("diary-genie.toml");
    definition.run.max_events = max_events;
    definition.run.patience = 30;
    definition.run.dump_tries = 3;
    definition.run.screens = ScreenPolicy::Verdicts;
    definition
}

pub fn client(sim: &SimLab, serial: &str) -> Arc<droidmux::device::adb::AdbDevice> {
    Arc::new(droidmux::device::adb::AdbDevice::new(Server::at(sim.server_addr()), serial))
}
