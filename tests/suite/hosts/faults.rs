//! What goes wrong between a lab and its hosts: nothing stored is lost, and jobs under way run again elsewhere.

use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use droidmux::device::remote::{Choice, Hosts, Way};
use droidmux::device::{Device, Patience};
use droidmux::lab::SessionEnd;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::lab::on_hosts;
use super::{HostProcess, NatsServer, Night, hasty, is_installed, quick};
use crate::care::ward::small;

async fn two(server: &NatsServer) -> [HostProcess; 2] {
    [HostProcess::start(server, "left", 2, &[]).await, HostProcess::start(server, "right", 2, &[]).await]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_is_killed_costs_no_step() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::start();
    let [mut left, _right] = two(&server).await;
    let night = Night::begin(&server, 4).await;
    let faults = async {
        for round in 0..3 {
            night.steps(40 * (round + 1)).await;
            left.kill();
            let steps = night.lab.hub().steps(droidmux::record::SessionId(1));
            // It goes on without it.
            night.steps(steps + 20).await;
            left.begin();
        }
    };
    let outcome = night.run(&on_hosts(small(400), &server.url()), faults).await;
    assert_eq!(outcome.end, SessionEnd::Complete);
    assert!(night.says("host left"), "{}", night.log().join("\n"));
    assert!(!night.says("quarantined"), "{}", night.log().join("\n"));
    night.rederives();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_is_cut_off_is_missed_and_comes_back() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::start();
    let [left, _right] = two(&server).await;
    let night = Night::begin(&server, 4).await;
    let faults = async {
        night.steps(40).await;
        left.freeze(true);
        night.waits_for("left: away: no word from host left").await;
        left.freeze(false);
        night.waits_for("left: reachable again after").await;
    };
    let outcome = night.run(&on_hosts(small(300), &server.url()), faults).await;
    assert_eq!(outcome.end, SessionEnd::Complete);
    assert!(!night.says("quarantined"), "{}", night.log().join("\n"));
    night.rederives();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_nats_server_may_die_with_and_without_its_files() {
    if !is_installed() {
        return;
    }
    let mut server = NatsServer::start();
    let _hosts = two(&server).await;
    let night = Night::begin(&server, 4).await;
    let url = server.url();
    let faults = async {
        for (round, keeps_files) in [(1, true), (2, false), (3, true), (4, false)] {
            night.steps(30 * round).await;
            server.kill();
            tokio::time::sleep(Duration::from_millis(300 * round)).await;
            server.again(keeps_files);
        }
    };
    let outcome = night.run(&on_hosts(small(400), &url), faults).await;
    assert_eq!(outcome.end, SessionEnd::Complete);
    assert!(!night.says("quarantined"), "{}", night.log().join("\n"));
    night.rederives();
    // The buckets were made again.
    assert_eq!(night.hosts.seen().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lab_that_dies_gets_its_phones_back_and_another_one_waits() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::start();
    let host = HostProcess::start(&server, "left", 1, &[]).await;
    let first = Night::begin(&server, 1).await;
    let second = Night::begin(&server, 1).await;
    let definition = on_hosts(small(120), &server.url());
    let others = on_hosts(small(40), &server.url());
    let (ended, other) = tokio::join!(first.run(&definition, async {}), async {
        first.steps(20).await;
        // Both want the phone: this one waits until the other is done.
        let outcome = second.run(&others, async {}).await;
        assert!(second.says("leased by"), "{}", second.log().join("\n"));
        outcome
    });
    assert_eq!((ended.end, other.end), (SessionEnd::Complete, SessionEnd::Complete));
    // What lies on the phone is what a third lab sees over plain ADB.
    let device = crate::care::ward::client(host.sim(), "left-1");
    let noted = device.noted(&Patience::default()).await.unwrap();
    assert_eq!(noted.text, "", "the note was taken away");
    first.rederives();
    second.rederives();
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_faults_in_a_night_cost_nothing() {
    const FAULTS: u32 = 50;
    if !is_installed() {
        return;
    }
    let mut server = NatsServer::start();
    let [mut left, mut right] = two(&server).await;
    let way = Way { url: server.url(), ..Way::default() };
    let night = Night::of(way, hasty(), 4).await;
    let (url, done) = (server.url(), AtomicU32::new(0));
    let faults = async {
        let mut rng = StdRng::seed_from_u64(20_261_127);
        while done.load(Ordering::Relaxed) < FAULTS {
            // In the middle of work, wherever there is any.
            let (began, goal) = (Instant::now(), night.all_steps() + rng.random_range(1..15));
            while night.all_steps() < goal && began.elapsed() < Duration::from_secs(2) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            let host = if rng.random() { &mut left } else { &mut right };
            // Shorter and longer than a lab waits before it gives a host up.
            let away = Duration::from_millis(rng.random_range(0..1_500));
            match rng.random_range(0..10) {
                0..4 => {
                    host.kill();
                    tokio::time::sleep(away / 2).await;
                    host.begin();
                }
                4..8 => {
                    host.freeze(true);
                    tokio::time::sleep(away).await;
                    host.freeze(false);
                }
                kind => {
                    server.kill();
                    tokio::time::sleep(away / 2).await;
                    server.again(kind == 8);
                }
            }
            done.fetch_add(1, Ordering::Relaxed);
        }
    };
    let sessions = async {
        let mut definition = on_hosts(small(300), &url);
        definition.run.patience = 90;
        while done.load(Ordering::Relaxed) < FAULTS {
            let outcome = night.run(&definition, async {}).await;
            assert_eq!(outcome.end, SessionEnd::Complete, "{}", night.log().join("\n"));
        }
    };
    tokio::join!(faults, sessions);
    night.rederives();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_registry_that_is_written_all_the_time_is_read_to_its_end() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::start();
    // Each message takes the place of the one before it, also of one that a reader has still to get.
    let client = async_nats::connect(server.url()).await.unwrap();
    let writer = tokio::spawn(async move {
        loop {
            client.publish("$KV.droidmux-hosts.busy", "no words".into()).await.unwrap();
            client.flush().await.unwrap();
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    });
    let way = Way { url: server.url(), ..Way::default() };
    for _ in 0..2 {
        let connects = (0..40).map(|_| Hosts::connect(&way, Choice::default(), None, "0", quick()));
        let connected = futures_util::future::try_join_all(connects);
        let labs = tokio::time::timeout(Duration::from_secs(30), connected).await.expect("it ends").unwrap();
        labs.iter().for_each(Hosts::close);
    }
    writer.abort();
}

/// `droidmux run` as a process that can be killed.
fn run(arguments: &[&str], state: &std::path::Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_droidmux"))
        .arg("run")
        .args(arguments)
        .env("XDG_STATE_HOME", state)
        .env("XDG_CONFIG_HOME", state)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lab_that_is_killed_goes_on_with_the_same_phones() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::start();
    let host = HostProcess::start(&server, "left", 1, &[]).await;
    drop(Night::begin(&server, 1).await);
    let folder = tempfile::tempdir().unwrap();
    let (file, store) = (folder.path().join("session.toml"), folder.path().join("store"));
    let text = format!(
        "technique = \"monkey\"\napp = \"org.droidmux.notes\"\n[lab]\nkind = \"hosts\"\nnats = \"{}\"\n[run]\nmax-events = 300\n",
        server.url()
    );
    std::fs::write(&file, text).unwrap();
    let store = store.to_str().unwrap();
    let mut first = run(&[file.to_str().unwrap(), "--store", store, "--json", "--seed", "7"], folder.path());
    // Its lease is on the phone once it works there.
    let device = crate::care::ward::client(host.sim(), "left-1");
    let began = Instant::now();
    while device.noted(&Patience::default()).await.unwrap().text.is_empty() {
        assert!(began.elapsed() < Duration::from_secs(60), "{}", host.said());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(!device.noted(&Patience::default()).await.unwrap().text.is_empty());
    let second = run(&["--resume", "s1", "--store", store, "--json"], folder.path());
    let output = tokio::task::spawn_blocking(move || second.wait_with_output()).await.unwrap().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}\n{}", host.said());
    assert_eq!(device.noted(&Patience::default()).await.unwrap().text, "", "the note was taken away");
}
