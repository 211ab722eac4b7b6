//! Whole sessions on the simulated lab, through the ADB server door.

use droidmux::technique::GenieSettings;
use std::path::Path;
use std::sync::Arc;

use droidmux::device::Patience;
use droidmux::device::adb::Server;
use droidmux::lab::{Lab, SessionEnd, SessionEvent, SessionOptions, SessionOutcome, take_in};
use droidmux::proto::{LogLens, Request};
use droidmux::record::{Act, JobRun, ScreenPolicy, SessionDefinition};
use droidmux::sim::{SimLab, SimOptions, apps};
use droidmux::store::{Store, StoreOptions};
use tokio::sync::mpsc;

/// A lab on a simulated one, with a store in a temporary folder.
pub struct Bench {
    pub lab: Lab,
    pub sim: SimLab,
    _folder: tempfile::TempDir,
}

impl Bench {
    pub async fn new(options: SimOptions) -> Self {
        Self::with_disk(options, StoreOptions::default()).await
    }

    pub async fn with_disk(options: SimOptions, store: StoreOptions) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("store"), store).unwrap();
        let sim = SimLab::start(SimOptions { strict: true, ..options }).await.unwrap();
        let lab = Lab::new("test", store);
        let bench = Self { lab, sim, _folder: folder };
        bench.take_in().await;
        bench
    }

    /// Tells the roster what the server lists now, as tracking does.
    pub async fn take_in(&self) {
        let server = Server::at(self.sim.server_addr());
        let entries = server.devices(&Patience::default()).await.unwrap();
        take_in(self.lab.roster(), &server, &entries);
    }

    pub async fn run(&self, definition: &SessionDefinition, rng: u64) -> (SessionOutcome, Vec<Arc<JobRun>>) {
        let (events, mut listener) = mpsc::channel(64);
        let options = SessionOptions { rng, events: Some(events), ..SessionOptions::default() };
        let runs = tokio::spawn(async move {
            let mut runs = Vec::new();
            while let Some(event) = listener.recv().await {
                if let SessionEvent::Absorbed { run, .. } = event {
                    runs.push(run);
                }
            }
            runs
        });
        let outcome = self.lab.run(definition.clone(), options).await.unwrap();
        (outcome, runs.await.unwrap())
    }
}

/// A ready-made session. Pictures, which a debug build draws slowly, are taken only in sessions that want one of every
/// screen.
pub fn session(name: &str) -> SessionDefinition {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions").join(name);
    let mut definition = droidmux::cli::read_session(&path, &Default::default()).unwrap();
    if definition.run.screens == ScreenPolicy::Verdicts {
        definition.run.screens = ScreenPolicy::Never;
    }
    definition
}

/// What was done in each job.
pub fn acts(runs: &[Arc<JobRun>]) -> Vec<(u64, Vec<Act>)> {
    runs.iter().map(|run| (run.job.slot.0, run.turns.iter().map(|turn| turn.act.clone()).collect())).collect()
}

/// A short session: enough for every phase.
fn short(name: &str) -> SessionDefinition {
    let mut definition = session(name);
    definition.run.max_events = 900;
    definition.settings.change(|genie: &mut GenieSettings| genie.mine_events = 250);
    definition.settings.change(|genie: &mut GenieSettings| genie.seeds = 4);
    definition
}

#[tokio::test(flavor = "multi_thread")]
async fn one_device_and_four_give_the_same_jobs_and_acts() {
    let mut told = Vec::new();
    for devices in [1, 4] {
        let bench =
            Bench::new(SimOptions { devices, steady: true, ..SimOptions::with_apps(apps::all()) }).await;
        let (outcome, runs) = bench.run(&short("diary-genie.toml"), 5).await;
        assert_eq!(outcome.end, SessionEnd::Complete);
        assert!(runs.len() > 10, "{} jobs", runs.len());
        told.push((acts(&runs), outcome.progress.funnel));
    }
    let four = told.pop().unwrap();
    let one = told.pop().unwrap();
    for (a, b) in one.0.iter().zip(&four.0) {
        assert_eq!(a, b, "job {}", a.0);
    }
    assert_eq!(one.0.len(), four.0.len());
    assert_eq!(one.1, four.1);
}

#[tokio::test(flavor = "multi_thread")]
async fn queues_tell_how_much_waited_in_them() {
    let bench =
        Bench::new(SimOptions { devices: 2, steady: true, ..SimOptions::with_apps(apps::all()) }).await;
    let definition = short("notes-monkey.toml");
    let mut viewer = bench.lab.viewer();
    viewer.requests.send(Request::Log { lens: LogLens::default(), from: 0, limit: 0 }).await.unwrap();
    viewer.replies.recv().await.unwrap();
    bench.run(&definition, 3).await;
    let marks = bench.lab.hub().queue_marks();
    let window = u64::from(definition.run.window);
    let cases = [
        (marks.planned, window),
        (marks.unabsorbed, window),
        (marks.reports, 64),
        (marks.judged, 64),
        (marks.requests, 1),
    ];
    for (number, (most, limit)) in cases.into_iter().enumerate() {
        assert!((1..=limit).contains(&most), "case {number}: {marks:?}");
    }
    assert!(marks.replies <= 1, "it asked once: {marks:?}");
}
