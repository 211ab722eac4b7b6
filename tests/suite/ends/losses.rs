//! Devices and ADB servers that go away: none of this counts against the job that was under way.

use std::sync::Arc;
use std::time::Duration;

use droidmux::device::adb::{AdbDevice, Server};
use droidmux::device::{Device, LeaseNote, Patience};
use droidmux::lab::{LabError, SessionEnd, SessionOptions};
use droidmux::record::SessionId;
use droidmux::sim::{SimLab, SimOptions, apps};

use crate::adb_genuine::{Adb, is_installed};
use crate::care::ward::{Ward, small};
use crate::ports::free_port;

/// More often than a job may fail.
const RESTARTS: u64 = 7;

async fn sim(devices: u16, adbd: bool) -> SimLab {
    let options =
        SimOptions { devices, adbd, steady: true, strict: true, ..SimOptions::with_apps(apps::all()) };
    SimLab::start(options).await.unwrap()
}

/// How often the job that was tried most was tried.
fn most_attempts(ward: &Ward) -> u32 {
    let store = ward.lab.store();
    store.runs(SessionId(1)).map(|run| run.unwrap().attempt).max().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn restarts_of_the_server_do_not_count_whatever_the_window() {
    for (window, devices) in [(1, 8), (8, 4)] {
        let sim = sim(devices, false).await;
        let ward = Ward::new(&sim).await;
        let restarts = async {
            for _ in 0..RESTARTS {
                // Too short for any job to finish in between.
                let steps = ward.lab.hub().steps(SessionId(1));
                ward.steps(steps + 2).await;
                sim.restart_server(Duration::from_millis(100));
            }
        };
        let mut definition = small(200);
        definition.run.window = window;
        let outcome = ward.run(&definition, restarts).await;
        assert_eq!(outcome.end, SessionEnd::Complete, "window {window}");
        assert!(!ward.says("quarantined"), "{}", ward.log().join("\n"));
        if window == 1 {
            assert!(most_attempts(&ward) > 6, "{} attempts", most_attempts(&ward));
        }
        ward.rederives();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stays_away_ends_the_session_after_its_patience() {
    let sim = sim(2, false).await;
    let ward = Ward::new(&sim).await;
    let mut definition = small(200);
    definition.run.patience = 2;
    let (ended, ()) = tokio::join!(ward.lab.run(definition, SessionOptions::default()), async {
        ward.steps(10).await;
        sim.restart_server(Duration::from_secs(3_600));
    });
    let Err(error) = ended else { panic!("it went on without a server") };
    assert!(matches!(error, LabError::NoDevice { waited: 2, .. }), "{error}");
    assert!(error.to_string().contains("the ADB server does not answer"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_genuine_server_that_is_killed_does_not_count_either() {
    if !is_installed() {
        return;
    }
    let sim = sim(3, true).await;
    let addresses: Vec<String> = sim.adbd_addrs().iter().map(ToString::to_string).collect();
    let port = free_port();
    let adb = Arc::new(Adb::new(port, true));
    let start = move |adb: Arc<Adb>| {
        let addresses = addresses.clone();
        tokio::task::spawn_blocking(move || {
            adb.start_server();
            for address in &addresses {
                adb.connect(address);
            }
        })
    };
    start(adb.clone()).await.unwrap();
    let ward = Ward::at(Server::at(([127, 0, 0, 1], port).into())).await;
    let kills = async {
        for _ in 0..RESTARTS {
            let steps = ward.lab.hub().steps(SessionId(1));
            ward.steps(steps + 2).await;
            let killer = adb.clone();
            tokio::task::spawn_blocking(move || killer.ok(&["kill-server"])).await.unwrap();
            start(adb.clone()).await.unwrap();
        }
    };
    let mut definition = small(120);
    definition.run.window = 1;
    definition.run.patience = 60;
    let outcome = ward.run(&definition, kills).await;
    assert_eq!(outcome.end, SessionEnd::Complete);
    assert!(!ward.says("quarantined"), "{}", ward.log().join("\n"));
    assert!(most_attempts(&ward) > 6, "{} attempts", most_attempts(&ward));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_the_device_and_since_when_is_in_the_message() {
    let sim = sim(1, false).await;
    let device = AdbDevice::new(Server::at(sim.server_addr()), "sim-1");
    let patience = Patience::of(Duration::from_secs(20));
    let clock = device.noted(&patience).await.unwrap().clock;
    let note = LeaseNote {
        owner: "ann@far".into(),
        lab: "theirs".into(),
        session: "s9".into(),
        taken: clock - 300,
        expires: clock + 3_000,
        token: "t".into(),
        ..LeaseNote::default()
    };
    device.exchange_note(None, &note.line(), Duration::ZERO, &patience).await.unwrap();
    let ward = Ward::new(&sim).await;
    let mut definition = small(40);
    definition.run.patience = 2;
    let ended = ward.lab.run(definition, SessionOptions::default()).await;
    let said = ended.err().map(|error| error.to_string()).unwrap_or_default();
    let words = ["no device is left", "sim-1 is leased by ann@far, s9 since ", " UTC (5 min)"];
    assert!(words.iter().all(|words| said.contains(words)), "{said}");
}
