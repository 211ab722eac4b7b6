//! `droidmux doctor` at a NATS server: the server, its hosts, and their phones.

use std::process::Command;

use droidmux::sim::LinkState;
use serde_json::Value;

use super::{HostProcess, NatsServer, Night, is_installed, odd_host};
use crate::program::keep_to_schema;

/// Its exit code and what it prints.
fn doctor(more: &[&str]) -> (i32, Value) {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_droidmux"))
        .args(["doctor", "--json", "--store", folder.path().join("store").to_str().unwrap()])
        .args(more)
        .envs(["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"].map(|name| (name, folder.path())))
        .output()
        .unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    keep_to_schema("doctor.schema.json", std::slice::from_ref(&object));
    (output.status.code().unwrap(), object)
}

/// Not on the workers: the simulated phones live on them.
async fn examined(more: &[&str]) -> (i32, Value) {
    let more: Vec<String> = more.iter().map(|&word| word.to_owned()).collect();
    let run = move || doctor(&more.iter().map(String::as_str).collect::<Vec<_>>());
    tokio::task::spawn_blocking(run).await.unwrap()
}

/// The check of a subject (`nats`, a host's name, a phone's) with this name: its verdict and its words.
fn check<'a>(object: &'a Value, of: &str, name: &str) -> (&'a str, String) {
    let is_of =
        |check: &Value| [&check["device"], &check["host"], &check["subject"]].iter().any(|is| **is == of);
    let checks = object["checks"].as_array().unwrap();
    let found = checks.iter().find(|check| check["check"] == name && is_of(check));
    let found = found.unwrap_or_else(|| panic!("no {name} of {of} in {object:#}"));
    let words = format!("{} → {}", found["said"].as_str().unwrap(), found["remedy"].as_str().unwrap());
    (found["verdict"].as_str().unwrap(), words)
}

/// The verdicts and some of the words of checks.
fn expect(object: &Value, expected: &[(&str, &str, &str, &str)]) {
    for (of, name, verdict, words) in expected {
        let (is, said) = check(object, of, name);
        assert!(is == *verdict && said.contains(words), "{of} {name}: {is} {said}\nnot {verdict} {words}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_in_order_is_good() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::start();
    let _left = HostProcess::start(&server, "left", 1, &[]).await;
    let _right = HostProcess::start(&server, "right", 1, &["--pool", "tablets", "--allow", "org.a.*"]).await;
    drop(Night::begin(&server, 2).await);
    let (code, object) = examined(&["--nats", &server.url()]).await;
    assert_eq!(code, 0, "{object:#}");
    expect(
        &object,
        &[
            ("nats", "server", "good", "answers, version 2."),
            ("nats", "jetstream", "good", ""),
            ("nats", "permissions", "good", ""),
            ("nats", "hosts", "good", "2 hosts, 2 of them usable, with 2 devices that take commands"),
            ("nats", "devices", "good", "none is at two hosts"),
            ("left", "version", "good", "as here"),
            ("left", "sign of life", "good", " s ago"),
            ("left", "requests", "good", ""),
            ("left", "devices", "good", "1 device: 1 ready"),
            ("left", "policy", "good", "labs may use all packages"),
            ("right", "policy", "good", "labs may use org.a.*; pool tablets"),
            // All that can be asked without a shell, under a lease of the doctor's own.
            ("left-1@left", "authorised", "good", ""),
            ("left-1@left", "API level", "good", ""),
            ("left-1@left", "input tap", "good", ""),
            ("left-1@left", "dumps by uiautomator", "good", ""),
            ("left-1@left", "storage", "good", ""),
        ],
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_hosts_is_told_with_what_to_do() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::start();
    let left = HostProcess::start(&server, "left", 2, &["--allow", "org.other"]).await;
    let tablets = HostProcess::start(&server, "tablets", 1, &["--pool", "tablets"]).await;
    drop(Night::begin(&server, 3).await);
    left.sim().device("left-2").unwrap().set_state(LinkState::Unauthorized);
    // The same phones once more, and a second host of the same name: the first one did not answer when it was asked.
    let again = HostProcess::at(left.sim().server_addr(), &server, "again", &[]);
    again.says("is offered").await;
    tablets.freeze(true);
    let namesake = HostProcess::at(tablets.sim().server_addr(), &server, "tablets", &[]);
    namesake.says("is offered").await;
    tablets.freeze(false);
    let _odd = odd_host(&server, left.sim().server_addr()).await;

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session.toml");
    let text = format!(
        "technique = \"monkey\"\napp = \"org.droidmux.notes\"\n[lab]\nkind = \"hosts\"\nnats = \"{}\"\n\
         hosts = [\"left\", \"again\", \"odd\", \"gone\"]\nserials = [\"left-1@left\", \"nobody@left\", \"left-2@left\"]\n",
        server.url()
    );
    std::fs::write(&file, text).unwrap();
    let (code, object) = examined(&[file.to_str().unwrap()]).await;
    assert_eq!(code, 1, "{object:#}");
    expect(
        &object,
        &[
            ("nats", "server", "good", ""),
            (
                "nats",
                "devices",
                "bad",
                "left-1@again and left-1@left are one device → let only one host have it",
            ),
            (
                "left",
                "policy",
                "bad",
                "and not org.droidmux.notes → start `droidmux host` there with `--allow",
            ),
            ("left", "devices", "good", "2 devices: 1 ready, 1 unauthorized"),
            ("gone", "sign of life", "bad", "start `droidmux host --nats"),
            ("odd", "version", "bad", "droidmux 9.9 with version 2 of the wire, this is"),
            ("tablets", "choice", "skipped", "the session does not take it"),
            ("left-1@left", "authorised", "good", ""),
            ("left-2@left", "authorised", "bad", "accept this computer's key"),
            ("nobody@left", "authorised", "bad", "no host that can be used lists it"),
        ],
    );
    // Without the session file, all hosts count.
    let (code, object) = examined(&["--nats", &server.url(), "--device", "tablets-1@tablets"]).await;
    assert_eq!(code, 1, "{object:#}");
    expect(&object, &[("tablets", "sign of life", "bad", "two hosts are called tablets")]);
}

#[test]
fn a_server_that_is_not_there_is_told() {
    let port = crate::ports::free_port();
    let (code, object) = doctor(&["--nats", &format!("nats://127.0.0.1:{port}")]);
    assert_eq!(code, 1);
    expect(
        &object,
        &[("nats", "server", "bad", "start `nats-server` there"), ("store", "database", "good", "")],
    );
    let output = Command::new(env!("CARGO_BIN_EXE_droidmux"))
        .args(["doctor", "--nats", "nats://ann:secret@127.0.0.1:1"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("--password-env"), "{said}");
    assert!(!said.contains("secret"), "{said}");
}
