//! Sessions on phones of two hosts.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use droidmux::device::{Device, Fixtures, Gesture, Key, Manner, Patience};
use droidmux::lab::SessionEnd;
use droidmux::record::{JobRun, SessionDefinition, SessionId, Technique};
use droidmux::sim::{SimLab, SimOptions, apps};
use droidmux::technique::GenieSettings;
use serde_json::Value;

use super::lab::on_hosts;
use super::{HostProcess, NatsServer, Night, is_installed};
use crate::care::ward::{Ward, client, small};
use crate::ports::free_address;
use crate::program::keep_to_schema;
use crate::sessions::acts;

#[tokio::test(flavor = "multi_thread")]
async fn two_hosts_do_what_one_does() {
    if !is_installed() {
        return;
    }
    let options = SimOptions {
        devices: 8,
        steady: true,
        strict: true,
        adbd: false,
        ..SimOptions::with_apps(apps::all())
    };
    let sim = SimLab::start(options).await.unwrap();
    let ward = Ward::new(&sim).await;
    let definition = small(300);
    let alone = ward.run(&definition, async {}).await;

    let server = NatsServer::start();
    let _hosts = [
        HostProcess::start(&server, "left", 4, &[]).await,
        HostProcess::start(&server, "right", 4, &["--pool", "tablets"]).await,
    ];
    let night = Night::begin(&server, 8).await;
    let together = night.run(&on_hosts(definition, &server.url()), async {}).await;
    assert_eq!((alone.end, together.end), (SessionEnd::Complete, SessionEnd::Complete));
    let runs = |store: &droidmux::store::Store| -> Vec<Arc<JobRun>> {
        store.runs(SessionId(1)).map(|run| Arc::new(run.unwrap())).collect()
    };
    assert_eq!(acts(&runs(night.lab.store())), acts(&runs(ward.lab.store())));
    assert_eq!(together.progress.funnel, alone.progress.funnel);
    // Jobs for all at once: whichever is ready first, none gets a second one before each has one.
    let mut many = SessionDefinition::new(Technique::Monkey, "org.droidmux.notes");
    many.run = small(400).run;
    many.settings.change(|genie: &mut GenieSettings| genie.episode_events = 20);
    night.run(&on_hosts(many, &server.url()), night.all_at_work(SessionId(2), 8)).await;
    let all = ["left", "right"].iter().flat_map(|host| (1..=4).map(move |n| format!("{host}-{n}@{host}")));
    assert_eq!(night.used(SessionId(2)), all.collect::<Vec<_>>(), "{}", night.log().join("\n"));
    night.rederives();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_takes_the_phones_that_it_chooses() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::start();
    let _hosts = [
        HostProcess::start(&server, "left", 2, &[]).await,
        HostProcess::start(&server, "right", 2, &["--pool", "tablets"]).await,
    ];
    let night = Night::begin(&server, 4).await;
    let mut definition = on_hosts(small(60), &server.url());
    definition.lab.hosts.pool = "tablets".into();
    night.run(&definition, async {}).await;
    let used = night.used(SessionId(1));
    assert!(!used.is_empty() && used.iter().all(|serial| serial.ends_with("@right")), "{used:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_seen_and_sent_arrives_whole() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::start();
    let host = HostProcess::start(&server, "left", 1, &[]).await;
    let night = Night::begin(&server, 1).await;
    let (far, near) = (night.hosts.device("left-1@left"), client(host.sim(), "left-1"));
    let patience = Patience::of(Duration::from_secs(30));
    far.start("org.droidmux.notes", &patience).await.unwrap();
    far.perform_before(&Gesture::Key(Key::Back), &Manner::Strict, 5, &patience).await.unwrap();
    let seen = far.observe(&Manner::Strict, 5, &patience).await.unwrap();
    let same = near.observe(&Manner::Strict, 5, &patience).await.unwrap();
    assert_eq!(seen.settled.layout.hash(), same.settled.layout.hash());
    assert_eq!(seen.foreground, same.foreground);
    let picture = far.screenshot(&patience).await.unwrap().into_png().unwrap();
    assert!(picture.starts_with(b"\x89PNG"), "{} bytes", picture.len());
    // More than a message may have.
    let content: Vec<u8> = (0..3_000_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let mut fixtures = Fixtures::default();
    fixtures.files.insert("Download/large.bin".into(), content.clone());
    far.furnish(&fixtures, &patience).await.unwrap();
    let there = near.pull("/sdcard/Download/large.bin", content.len(), &patience).await.unwrap();
    assert!(there == content, "{} bytes", there.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_knows_hosts() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::start();
    let host = HostProcess::start(&server, "left", 2, &["--pool", "tablets"]).await;
    // Nothing listens where its ADB server should be.
    let bare = HostProcess::at(free_address(), &server, "bare", &[]);
    bare.says("is offered").await;
    let _night = Night::begin(&server, 2).await;
    let run = |args: Vec<String>| {
        let state = tempfile::tempdir().unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_droidmux"))
            .args(args)
            .env("XDG_STATE_HOME", state.path())
            .env("XDG_CONFIG_HOME", state.path())
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let (code, lines, error) = run(words(&["devices", "--nats", &server.url(), "--json"]));
    assert_eq!(code, Some(0), "{error}");
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    keep_to_schema("commands.schema.json#/$defs/devices-nats", &lines);
    let told = |line: &Value| format!("{} {} {}", line["serial"], line["host"], line["api"].is_u64());
    let expected = [r#""left-1@left" "left" true"#, r#""left-2@left" "left" true"#, r#""" "bare" false"#];
    assert_eq!(lines.iter().map(told).collect::<Vec<_>>(), expected);
    let (code, table, error) = run(words(&["devices", "--nats", &server.url()]));
    assert_eq!(code, Some(0), "{error}");
    let expected = ["SERIAL", "left-1@left", "left-2@left", "tablets", " s ago", "device"];
    assert!(expected.iter().all(|words| table.contains(words)), "{table}");

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session.toml");
    let text = format!(
        "technique = \"monkey\"\napp = \"org.droidmux.notes\"\n[lab]\nkind = \"hosts\"\nnats = \"{}\"\ndevices = 1\n[run]\nmax-events = 60\n",
        server.url()
    );
    std::fs::write(&file, text).unwrap();
    let store = folder.path().join("store");
    let session =
        ["run", file.to_str().unwrap(), "--store", store.to_str().unwrap(), "--json", "--seed", "7"];
    let (code, lines, error) = run(words(&session));
    assert!(matches!(code, Some(0 | 1)), "{code:?} {error}\n{}", host.said());
    assert!(lines.contains("-1@left\"") || lines.contains("-2@left\""), "{lines}");
}
