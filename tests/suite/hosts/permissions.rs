//! The table of permissions in docs/hosts.md: a server that allows no more has nothing to refuse.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use droidmux::device::remote::{Credentials, Way};
use droidmux::lab::SessionEnd;
use serde_json::Value;

use super::lab::on_hosts;
use super::{HostProcess, NatsServer, Night, PASSWORD, is_installed, quick};
use crate::care::ward::small;

/// How the server's log tells of what it refused.
const VIOLATION: &str = "Violation";

/// What a row of the table allows: to publish, and to subscribe.
fn allowed(row: &str) -> [Vec<String>; 2] {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/hosts.md");
    let page = std::fs::read_to_string(page).unwrap();
    let line = page.lines().find(|line| line.starts_with(&format!("| {row} |"))).expect("a row");
    let cells: Vec<Vec<String>> = line
        .split('|')
        .skip(2)
        .map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect())
        .collect();
    let [publish, subscribe, ..] = cells.as_slice() else { panic!("{line}") };
    [publish.clone(), subscribe.clone()]
}

/// Both kinds of users in an account that others may share.
fn users(lab: &[Vec<String>; 2]) -> String {
    let user = |name: &str, [publish, subscribe]: &[Vec<String>; 2]| {
        let secret = PASSWORD.1;
        format!(
            "{{ user: {name}, password: {secret}, permissions: {{ publish: {{ allow: {publish:?} }}, \
             subscribe: {{ allow: {subscribe:?} }} }} }}"
        )
    };
    let (hosts, labs) = (user("hosts", &allowed("hosts")), user("labs", lab));
    format!("accounts {{ SHARED: {{ jetstream: enabled, users: [ {hosts}, {labs} ] }} }}")
}

fn way(server: &NatsServer) -> Way {
    let credentials = Credentials::Password("labs".into(), PASSWORD.1.into());
    Way { url: server.url(), credentials, ca: None }
}

/// What the doctor says of what the lab may do, and its other words about the server.
fn doctor(server: &NatsServer) -> (String, Value) {
    let state = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_droidmux"))
        .args(["doctor", "--json", "--nats", &server.url(), "--user", "labs", "--password-env", PASSWORD.0])
        .args(["--store", state.path().join("store").to_str().unwrap()])
        .envs(["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"].map(|name| (name, state.path())))
        .env(PASSWORD.0, PASSWORD.1)
        .output()
        .unwrap();
    let object: Value = serde_json::from_slice(&output.stdout).expect("an object");
    let checks = object["checks"].as_array().unwrap();
    let check = checks.iter().find(|check| check["check"] == "permissions").expect("a check");
    (check["verdict"].as_str().unwrap().to_owned(), check.clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_permissions_in_the_documentation_suffice() {
    if !is_installed() {
        return;
    }
    let server = NatsServer::with(&users(&allowed("labs")));
    let as_host = ["--user", "hosts", "--password-env", PASSWORD.0];
    let host = HostProcess::start(&server, "left", 2, &as_host).await;
    let night = Night::of(way(&server), quick(), 2).await;
    let outcome = night.run(&on_hosts(small(50), &server.url()), async {}).await;
    assert_eq!(outcome.end, SessionEnd::Complete);
    let (verdict, check) = tokio::task::block_in_place(|| doctor(&server));
    assert_eq!(verdict, "good", "{check}");
    drop(host);
    assert!(!server.log().contains(VIOLATION), "{}", server.log());

    // It would have been told.
    let options = async_nats::ConnectOptions::with_user_and_password("labs".into(), PASSWORD.1.into());
    let client = options.connect(server.url()).await.unwrap();
    client.publish("elsewhere", "x".into()).await.unwrap();
    client.flush().await.unwrap();
    let began = Instant::now();
    while !server.log().contains(VIOLATION) {
        assert!(began.elapsed() < Duration::from_secs(30), "{}", server.log());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_tells_which_permission_is_missing() {
    if !is_installed() {
        return;
    }
    for missing in ["droidmux.host.*", "$KV.droidmux-leases.>"] {
        let [publish, subscribe] = allowed("labs");
        let some = publish.into_iter().filter(|subject| subject != missing).collect();
        let server = NatsServer::with(&users(&[some, subscribe]));
        let (verdict, check) = tokio::task::block_in_place(|| doctor(&server));
        let said = check["said"].as_str().unwrap();
        let beginning = missing.trim_end_matches(['*', '>']);
        assert!(verdict == "bad" && said.contains(beginning), "{missing}: {check}");
    }
}
