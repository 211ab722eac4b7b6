//! Leases as labs of other users and hosts see them.

use std::process::Command;
use std::time::Duration;

use droidmux::device::{Device, LeaseNote, Patience};
use droidmux::lab::SessionEnd;
use droidmux::proto::DeviceHealth;
use droidmux::sim::{SimLab, SimOptions, apps};
use serde_json::Value;

use super::ward::{Ward, client, small};

const FILE: &str = "/data/local/tmp/droidmux.lease";

async fn sim() -> SimLab {
    SimLab::start(SimOptions { steady: true, strict: true, ..SimOptions::with_apps(apps::all()) })
        .await
        .unwrap()
}

fn note(owner: &str, expires: u64, token: &str) -> String {
    let note = LeaseNote {
        owner: owner.into(),
        lab: owner.into(),
        session: "s9".into(),
        taken: expires.saturating_sub(100),
        expires,
        token: token.into(),
        ..LeaseNote::default()
    };
    note.line()
}

/// What `droidmux devices` prints.
async fn devices(sim: &SimLab, arguments: &'static [&'static str]) -> String {
    let server = format!("tcp:{}", sim.server_addr());
    let listed = tokio::task::spawn_blocking(move || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
        command.arg("devices").args(arguments).env("ADB_SERVER_SOCKET", server).output()
    });
    String::from_utf8(listed.await.unwrap().unwrap().stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_in_use_is_left_alone_by_another_lab() {
    let sim = sim().await;
    let (first, second) = (Ward::new(&sim).await, Ward::new(&sim).await);
    let other_lab = async {
        first.steps(15).await;
        second.becomes("sim-1", |health| matches!(health, DeviceHealth::Elsewhere { .. })).await;
        let whose = second.lab.hub().snapshot().devices[0].lease.clone().unwrap_or_default();
        assert!(whose.contains('@') && whose.contains("s1"), "{whose}");
        let line: Value = serde_json::from_str(devices(&sim, &["--json"]).await.trim()).unwrap();
        let lease = &line["lease"];
        assert!(lease["owner"].as_str().unwrap().contains('@') && lease["session"] == "s1", "{line}");
        assert!(lease["age_s"].is_u64() && lease["expired"].is_boolean(), "{line}");
        let table = devices(&sim, &[]).await;
        assert!(table.contains("LEASE") && table.contains(", s1"), "{table}");
        // It waits for its turn and gets it; according to its log, never while the first one is working.
        let outcome = second.run(&small(40), async {}).await;
        assert_eq!(outcome.end, SessionEnd::Complete);
    };
    let mut definition = small(150);
    definition.run.patience = 60;
    first.run(&definition, other_lab).await;
    // The clock of a simulated phone jumps ahead, so the lease may look expired while it is renewed.
    let left_alone = second.says("left alone until it is given back") || second.says("watching whether");
    assert!(left_alone && !second.says("taken over"), "{}", second.log().join("\n"));
    assert!(!first.says("taken over by"), "{}", first.log().join("\n"));
    assert_eq!(sim.devices()[0].file(FILE), None, "given back");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_left_behind_runs_out_and_is_taken_over() {
    let sim = sim().await;
    let device = client(&sim, "sim-1");
    let clock = device.noted(&Patience::default()).await.unwrap().clock;
    let gone = note("ann@far", clock - 7, "t1");
    device.exchange_note(None, &gone, Duration::ZERO, &Patience::default()).await.unwrap();
    let ward = Ward::new(&sim).await;
    ward.run(&small(20), async {}).await;
    let log = ward.log().join("\n");
    assert!(log.contains("the lease of ann@far, s9 ran out; watching"), "{log}");
    assert!(log.contains("taken over from ann@far, s9, whose lease ran out"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_that_is_renewed_stands_whatever_the_clock_says() {
    let sim = sim().await;
    let device = client(&sim, "sim-1");
    let patience = Patience::default();
    let clock = device.noted(&patience).await.unwrap().clock;
    let mut seen = note("ann@far", clock - 51, "t1");
    device.exchange_note(None, &seen, Duration::ZERO, &patience).await.unwrap();
    let ward = Ward::new(&sim).await;
    for round in 0..16 {
        // Expired, and yet a new one is written each time.
        let next = note("ann@far", clock - 50 + round, "t1");
        seen = device.exchange_note(Some(&seen), &next, Duration::ZERO, &patience).await.unwrap().text;
        assert_eq!(seen, next, "nobody came between");
        tokio::time::sleep(Duration::from_millis(80)).await;
        assert!(
            !matches!(ward.health("sim-1"), Some(DeviceHealth::Idle | DeviceHealth::Busy)),
            "round {round}"
        );
    }
    // It is given back.
    device.exchange_note(Some(&seen), "", Duration::ZERO, &patience).await.unwrap();
    ward.becomes("sim-1", |health| *health == DeviceHealth::Idle).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_notes_are_worth_nothing() {
    let far = note("ann@far", u64::MAX, "t");
    let old = note("ann@far", 5, "t");
    let hostile = [
        "x".repeat(1 << 20).into_bytes(),
        "\u{1b}[2J'; reboot; '".into(),
        "{\"owner\":\"$(reboot)`reboot`\",\"expires\":1e300}".into(),
        far.into_bytes(),
        // Notes that ran out, written as the shell cannot say again.
        format!(" \n\t{old}\r\n\n").into_bytes(),
        old.replace("ann@far", "a\\u0000n'$(reboot)").into_bytes(),
        [b"\xff\xfe".as_slice(), old.as_bytes()].concat(),
        old.replace("ann", "")
            .into_bytes()
            .iter()
            .flat_map(|byte| if *byte == b'@' { vec![0xff, b'@'] } else { vec![*byte] })
            .collect(),
        [old.as_bytes(), b"\0\0"].concat(),
        "[".repeat(900).into_bytes(),
        format!(
            "{{\"owner\":\"a@b\",\"token\":\"t\",\"taken\":{0},\"expires\":{0},\"pid\":4294967295}}",
            u64::MAX
        )
        .into_bytes(),
    ];
    for text in hostile {
        let sim = sim().await;
        let device = client(&sim, "sim-1");
        device.push(FILE, 0o666, 0, &text, &Patience::default()).await.unwrap();
        let ward = Ward::new(&sim).await;
        let outcome = ward.run(&small(20), async {}).await;
        assert_eq!(outcome.end, SessionEnd::Complete);
        let shown = String::from_utf8_lossy(text.get(..80).unwrap_or(&text)).into_owned();
        assert_eq!(sim.devices()[0].file(FILE), None, "given back: {shown:?}");
        assert!(!ward.log().join("").contains(char::is_control), "{shown:?}\n{}", ward.log().join("\n"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_that_write_at_once_one_wins() {
    let sim = sim().await;
    let patience = Patience::default();
    let settle = Duration::from_secs(2);
    for round in 0..4 {
        let (a, b) = (client(&sim, "sim-1"), client(&sim, "sim-1"));
        let (ours, theirs) = (note("a@x", 9, &format!("a{round}")), note("b@y", 9, &format!("b{round}")));
        let seen = a.noted(&patience).await.unwrap().text;
        let (first, second) = tokio::join!(
            a.exchange_note(Some(&seen), &ours, settle, &patience),
            b.exchange_note(Some(&seen), &theirs, settle, &patience),
        );
        let (first, second) = (first.unwrap().text, second.unwrap().text);
        assert_eq!(first, second, "both see the same winner");
        assert!(first == ours || first == theirs, "{first}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lab_that_lost_its_lease_runs_the_job_again() {
    let sim = sim().await;
    let ward = Ward::new(&sim).await;
    let device = client(&sim, "sim-1");
    let robbed = async {
        ward.steps(15).await;
        let patience = Patience::default();
        let clock = device.noted(&patience).await.unwrap().clock;
        let theirs = note("bob@near", clock + 3_000, "t2");
        device.exchange_note(None, &theirs, Duration::ZERO, &patience).await.unwrap();
        ward.waits_for("taken over by bob@near").await;
        ward.becomes("sim-1", |health| matches!(health, DeviceHealth::Elsewhere { .. })).await;
        device.exchange_note(None, "", Duration::ZERO, &patience).await.unwrap();
    };
    let outcome = ward.run(&small(300), robbed).await;
    assert_eq!(outcome.end, SessionEnd::Complete);
    ward.rederives();
}
