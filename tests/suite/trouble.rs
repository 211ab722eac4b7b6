//! What goes wrong in labs: each case with a clear end, and no recorded step lost.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use droidmux::lab::{LabError, SessionEnd, SessionOptions};
use droidmux::record::{ScreenPolicy, SessionDefinition, SessionId};
use droidmux::sim::{Fault, SimOptions, apps};
use droidmux::store::{Disk, RealDisk, StoreOptions};

use crate::sessions::{Bench, session};

/// A session of one device's few minutes, without screenshots.
fn small(max_events: u64) -> SessionDefinition {
    let mut definition = session("diary-genie.toml");
    definition.run.max_events = max_events;
    definition.run.patience = 1;
    definition.run.screens = ScreenPolicy::Verdicts;
    definition
}

fn steady(devices: u16) -> SimOptions {
    SimOptions { devices, steady: true, ..SimOptions::with_apps(apps::all()) }
}

/// Turns in the store for all attempts at a session's jobs.
fn stored_turns(bench: &Bench, session: SessionId) -> u64 {
    let store = bench.lab.store();
    let mut turns = 0;
    for job in store.jobs(session) {
        let slot = job.unwrap().slot;
        for attempt in store.attempts(session, slot).unwrap() {
            turns += store.turns(session, slot, attempt).unwrap().len() as u64;
        }
    }
    turns
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_pulled_out_leaves_its_job_to_another() {
    let bench = Arc::new(Bench::new(steady(2)).await);
    let pulled = bench.clone();
    tokio::spawn(async move {
        while pulled.lab.hub().steps(SessionId(1)) < 20 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        pulled.sim.devices()[0].unplug();
        pulled.take_in().await;
    });
    let mut definition = small(200);
    // The other device may take its time where the machine is busy.
    definition.run.patience = 60;
    let (outcome, _) = bench.run(&definition, 1).await;
    assert_eq!(outcome.end, SessionEnd::Complete);
    // Every step shown is in the store; the last turn of each finished job is not a step.
    assert!(stored_turns(&bench, outcome.session) >= outcome.steps);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_device_gone_ends_the_session_with_a_reason() {
    let bench = Arc::new(Bench::new(steady(1)).await);
    let pulled = bench.clone();
    tokio::spawn(async move {
        while pulled.lab.hub().steps(SessionId(1)) < 20 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        pulled.sim.devices()[0].unplug();
        pulled.take_in().await;
    });
    let ended = bench.lab.run(small(500), SessionOptions::default()).await;
    let Err(error) = ended else { panic!("the session went on without a device") };
    assert!(matches!(error, LabError::NoDevice { .. }), "{error}");
    assert!(error.to_string().contains("sim-1"), "{error}");
    assert!(stored_turns(&bench, SessionId(1)) >= 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn dumps_that_never_settle_are_recorded_as_such() {
    let bench = Bench::new(steady(1)).await;
    bench.sim.devices()[0].inject(Fault::DumpNeverSettles, None);
    let (outcome, runs) = bench.run(&small(40), 1).await;
    assert_eq!(outcome.end, SessionEnd::Complete);
    let seen = runs.iter().flat_map(|run| &run.turns).filter_map(|turn| turn.observation.seen());
    let (settled, unsettled): (Vec<_>, Vec<_>) = seen.partition(|seen| seen.is_settled());
    assert!(settled.is_empty() && !unsettled.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn dumps_that_fail_now_and_then_cost_nothing_but_time() {
    let bench = Arc::new(Bench::new(steady(1)).await);
    let troubled = bench.clone();
    tokio::spawn(async move {
        // Before that, the lab itself checks whether the device dumps.
        while troubled.lab.hub().steps(SessionId(1)) < 5 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        for fault in [Fault::DumpNullRoot, Fault::DumpNoIdle, Fault::DumpKilled, Fault::DumpWithoutFile] {
            troubled.sim.devices()[0].inject(fault, Some(1));
        }
    });
    let (outcome, runs) = bench.run(&small(80), 1).await;
    assert_eq!(bench.sim.struck(0).len(), 4);
    assert_eq!(outcome.end, SessionEnd::Complete);
    assert!(runs.iter().all(|run| run.attempt == 1), "no job was begun again");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_that_is_not_installed_is_named() {
    let bench = Bench::new(steady(2)).await;
    let definition = SessionDefinition { app: "org.nowhere.app".into(), ..small(40) };
    let ended = bench.lab.run(definition, SessionOptions::default()).await;
    let Err(error) = ended else { panic!("a session ran without its app") };
    let said = error.to_string();
    assert!(said.contains("org.nowhere.app") && said.contains("sim-1, sim-2"), "{said}");
}

/// A disk that can be made full.
#[derive(Debug, Default)]
struct Small {
    full: AtomicBool,
}

impl Disk for Small {
    fn sync(&self, file: &File, path: &Path) -> io::Result<()> {
        RealDisk.sync(file, path)
    }

    fn free(&self, path: &Path) -> io::Result<u64> {
        if self.full.load(Ordering::Relaxed) { Ok(0) } else { RealDisk.free(path) }
    }

    fn admit(&self, path: &Path) -> io::Result<()> {
        RealDisk.admit(path)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_pauses_the_session_and_going_on_loses_nothing() {
    let disk = Arc::new(Small::default());
    let bench = Arc::new(
        Bench::with_disk(steady(1), StoreOptions { disk: disk.clone(), ..StoreOptions::default() }).await,
    );
    let filled = bench.clone();
    let filling = tokio::spawn(async move {
        let hub = filled.lab.hub();
        while hub.steps(SessionId(1)) < 20 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        disk.full.store(true, Ordering::Relaxed);
        while !format!("{:?}", hub.snapshot().sessions[0].state).contains("Paused") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let paused_at = hub.steps(SessionId(1));
        tokio::time::sleep(Duration::from_millis(200)).await;
        let still_at = hub.steps(SessionId(1));
        disk.full.store(false, Ordering::Relaxed);
        (paused_at, still_at)
    });
    let mut definition = small(100);
    definition.run.patience = 60;
    let (outcome, _) = bench.run(&definition, 1).await;
    let (paused_at, still_at) = filling.await.unwrap();
    assert_eq!(paused_at, still_at, "no step while the disk is full");
    assert_eq!(outcome.end, SessionEnd::Complete);
    assert!(stored_turns(&bench, outcome.session) >= outcome.steps);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_stays_full_ends_the_session_with_a_reason() {
    let disk = Arc::new(Small::default());
    let bench = Arc::new(
        Bench::with_disk(steady(1), StoreOptions { disk: disk.clone(), ..StoreOptions::default() }).await,
    );
    let filled = bench.clone();
    tokio::spawn(async move {
        while filled.lab.hub().steps(SessionId(1)) < 20 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        disk.full.store(true, Ordering::Relaxed);
    });
    let ended = bench.lab.run(small(500), SessionOptions::default()).await;
    let Err(error) = ended else { panic!("the session recorded on a full disk") };
    assert!(error.to_string().contains("free"), "{error}");
    assert!(stored_turns(&bench, SessionId(1)) >= 20, "what was recorded is still there");
}
