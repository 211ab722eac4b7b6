//! Sessions that did nothing: not a success, and the reason is reported.

use droidmux::technique::GenieSettings;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use droidmux::lab::{LabError, SessionEnd, SessionOptions};
use droidmux::proto::SessionState;
use droidmux::record::{DumpChoice, SessionDefinition};
use droidmux::sim::{SimOptions, apps};
use droidmux::store::StoreOptions;

use crate::sessions::{Bench, session};

fn droidmux(home: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
    command.args(arguments);
    for name in ["HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
        command.env(name, home);
    }
    command.output().unwrap()
}

fn file(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions").join(name).display().to_string()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

async fn bench() -> Bench {
    let sim =
        SimOptions { devices: 1, steady: true, adb_keyboard: true, ..SimOptions::with_apps(apps::all()) };
    Bench::with_disk(sim, StoreOptions::default()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_too_low_for_one_test_is_refused_with_the_least_that_works() {
    for (name, max_events) in [
        ("notes-monkey.toml", 30),
        ("notes-monkey.toml", 1),
        ("notes-pbfdroid.toml", 30),
        ("notes-pbfdroid.toml", 200),
    ] {
        let bench = bench().await;
        let limited = |max_events| {
            let mut definition = session(name);
            definition.run.max_events = max_events;
            definition
        };
        let refused = bench.lab.run(limited(max_events), SessionOptions::default()).await;
        let Err(LabError::TooFewEvents { given, least }) = refused else { panic!("{name}: {refused:?}") };
        assert_eq!(given, max_events);
        assert!(least > max_events, "{name}: {least}");
        let refused = bench.lab.run(limited(least - 1), SessionOptions::default()).await;
        assert!(matches!(refused, Err(LabError::TooFewEvents { .. })), "{name}: {least} is not the least");
        assert!(bench.lab.store().sessions().unwrap().is_empty(), "{name}: nothing is left of it");
        if name.contains("monkey") {
            let outcome = bench.lab.run(limited(least), SessionOptions::default()).await.unwrap();
            assert_eq!((outcome.end, outcome.vain), (SessionEnd::Complete, None), "{name}: {least}");
        }
    }
}

#[test]
fn a_limit_too_low_is_a_mistake_of_the_caller() {
    let home = tempfile::tempdir().unwrap();
    for view in ["--headless", "--json"] {
        let output = droidmux(home.path(), &["run", &file("notes-monkey.toml"), view, "--max-events", "30"]);
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains("`max-events` = 30 is too little"), "{}", said(&output));
    }
}

#[test]
fn a_model_that_never_answers_is_told_and_ends_with_code_3() {
    let home = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(file("calc-inputblaster.toml")).unwrap();
    // Nobody listens there.
    let llm =
        "\n[llm]\nprovider = \"openai\"\nbase-url = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\nretries = 0\n";
    let path = home.path().join("session.toml");
    std::fs::write(&path, text.replace("explore-events = 1000", "explore-events = 100") + llm).unwrap();
    for view in ["--headless", "--json"] {
        let arguments =
            ["run", &path.display().to_string(), view, "--steady", "--seed", "1", "--max-events", "600"];
        let output = droidmux(home.path(), &arguments);
        let words = said(&output);
        assert_eq!(output.status.code(), Some(3), "{words}");
        assert!(words.contains("was in vain: the language model answered none of"), "{words}");
        let out = String::from_utf8_lossy(&output.stdout).into_owned();
        match view {
            "--json" => {
                let lines = crate::program::json_lines(&out);
                let vain = lines.last().and_then(|line| line["vain"].as_str()).unwrap_or_default();
                assert!(vain.contains("the language model answered none of"), "{vain}");
            }
            _ => assert!(out.contains("in vain: the language model answered none of"), "{out}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_is_on_no_device_is_told() {
    let bench = bench().await;
    let mut definition: SessionDefinition = session("notes-monkey.toml");
    definition.run.max_events = 60;
    definition.settings.change(|genie: &mut GenieSettings| genie.episode_events = 10);
    definition.lab.dumps = DumpChoice::Agent;
    let (outcome, _) = bench.run(&definition, 1).await;
    let vain = outcome.vain.unwrap_or_default();
    assert_eq!(vain, "the resident agent was on no device: sim-1: no agent is named");
    let record = bench.lab.store().session(outcome.session).unwrap().unwrap();
    assert_eq!(record.ending, Some(format!("in vain: {vain}")));
    // Nevertheless it came to its end: viewers are not told that it could be continued.
    let mut viewer = bench.lab.viewer();
    let ended = viewer.view.wait_for(|view| view.sessions.iter().any(|session| session.state.is_over()));
    let view = tokio::time::timeout(Duration::from_secs(60), ended).await.expect("in time").unwrap().clone();
    assert!(matches!(view.sessions[0].state, SessionState::Failed(_)) && !view.sessions[0].resumable);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_judged_is_in_vain_and_a_session_that_judged_is_not() {
    for (max_events, expected) in [(20, "there was nothing to judge"), (600, "")] {
        let bench = bench().await;
        let mut definition = session("diary-genie.toml");
        definition.run.max_events = max_events;
        definition.settings.change(|genie: &mut GenieSettings| genie.mine_events = 150);
        definition.settings.change(|genie: &mut GenieSettings| genie.seeds = 3);
        let (outcome, _) = bench.run(&definition, 5).await;
        let vain = outcome.vain.unwrap_or_default();
        assert!(vain.contains(expected) && vain.is_empty() == expected.is_empty(), "{max_events}: {vain}");
    }
}
