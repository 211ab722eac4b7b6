//! `droidmux store` as a program.

use std::path::Path;
use std::process::{Command, Output};

use droidmux::record::{SessionId, SessionRecord};
use droidmux::store::Store;

use super::fixture::*;
use crate::program::keep_to_schema;

fn store(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
    command.arg("store").args(args).arg("--store").arg(folder).output().unwrap()
}

/// The object that a command prints with `--json`, checked against its schema; it ends with this code.
fn json(folder: &Path, args: &[&str], code: i32) -> serde_json::Value {
    let output = store(folder, &[args, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(code), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    let value = serde_json::from_slice(&output.stdout).unwrap();
    keep_to_schema(&format!("commands.schema.json#/$defs/store-{}", args[0]), std::slice::from_ref(&value));
    value
}

#[tokio::test]
async fn stats_verify_and_remove_answer_in_words_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let opened = Store::open(folder.path(), options()).unwrap();
    let begun = session();
    let version = droidmux::technique::planner(&begun.definition, SessionId(1), begun.rng).version();
    let id = opened.create_session(&SessionRecord { planner_version: version, ..begun }).unwrap();
    store_job(&opened, id, 0, &[layout("one")]).await;
    let held = store(folder.path(), &["stats"]);
    let told = String::from_utf8_lossy(&held.stderr).into_owned();
    assert_eq!(held.status.code(), Some(3));
    assert!(told.contains(&format!("in use by process {}", std::process::id())), "{told}");
    drop(opened);

    let json = |args: &[&str], code: i32| json(folder.path(), args, code);
    assert_eq!(json(&["stats"], 0)["sessions"][0]["turns"], 2);
    assert_eq!(json(&["verify"], 0)["verify"]["layouts"], 1);
    // The job of the fixture is not one that Genie would plan.
    let derived = json(&["verify", "--rederive"], 1);
    assert_eq!(
        (&derived["clean"], &derived["verify"]["problems"][0]),
        (&false.into(), &serde_json::Value::Null)
    );
    let words = store(folder.path(), &["verify"]);
    assert!(String::from_utf8_lossy(&words.stdout).contains("2 turns, 1 judgements, 0 findings, 1 layouts"));
    assert_eq!(store(folder.path(), &["remove", "s9"]).status.code(), Some(2));
    assert_eq!(json(&["remove", "s1"], 0)["removed"]["layouts"], 1);
    assert_eq!(Store::open(folder.path(), options()).unwrap().session(SessionId(1)).unwrap(), None);
}

#[test]
fn a_missing_store_is_not_made_by_looking_at_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nothing");
    let output = store(&path, &["stats"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is no droidmux store"));
    assert!(!path.exists());
}

#[tokio::test]
async fn archives_and_gc_answer_in_words_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let (from, into) = (folder.path().join("a"), folder.path().join("b"));
    let opened = Store::open(&from, options()).unwrap();
    let ended = SessionRecord { ended_ms: Some(2_000), ending: Some("done".into()), ..session() };
    let id = opened.create_session(&ended).unwrap();
    store_job(&opened, id, 0, &[layout("one")]).await;
    opened.create_session(&session()).unwrap();
    drop(opened);
    let archive = folder.path().join("out.tar.zst");
    let file = archive.to_str().unwrap();
    let run = |folder: &Path, args: &[&str], code: i32| {
        let output = store(folder, args);
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
        said
    };
    assert!(run(&from, &["export", "s2", "-o", file], 2).contains("session s2 has not ended"));
    let said = run(&from, &["export", "-o", file], 0);
    assert!(said.contains("1 session (s1), ") && said.contains("left out, because not ended: s2"), "{said}");
    assert!(run(&from, &["export", "-o", file], 3).contains("there is such a file already"));
    std::fs::write(folder.path().join("bad"), "no archive").unwrap();
    let bad = folder.path().join("bad");
    assert!(run(&into, &["import", bad.to_str().unwrap()], 2).contains("nothing was imported"));
    assert!(run(&into, &["import", file], 0).contains("imported 1 session:"));
    let there = run(&into, &["import", file], 0);
    assert!(there.contains("imported 0 sessions") && there.contains("left out 1 session, there"), "{there}");
    let there = json(&into, &["import", file], 0);
    let told = serde_json::json!([{
        "was": "s1", "is": "s1", "technique": "genie", "app": "org.example", "added": 0, "kept": 0,
    }]);
    assert_eq!((&there["present"], &there["sessions"]), (&told, &serde_json::json!([])));
    assert!(run(&into, &["import", "--copies", file], 0).contains("s2    genie org.example, was s1"));
    assert!(run(&into, &["verify"], 0).contains("clean"));

    assert!(run(&into, &["gc"], 2).contains("say what is to go"));
    assert!(run(&into, &["gc", "--keep-below", "20GB"], 2).contains("sizes look like"));
    let planned = run(&into, &["gc", "--older-than", "1d", "--dry-run"], 0);
    assert!(
        planned.contains("s1 would go: genie org.example") && planned.contains("afterwards"),
        "{planned}"
    );
    json(&into, &["gc", "s1", "--dry-run"], 0);
    let gone = json(&into, &["gc", "s1"], 0);
    assert_eq!((&gone["plan"]["go"][0]["id"], &gone["dry_run"]), (&"s1".into(), &false.into()));
    assert!(run(&into, &["gc", "--older-than", "30d"], 0).contains("s2 goes: "));
    assert!(run(&into, &["gc", "--older-than", "30d"], 0).contains("nothing goes"));
    assert!(run(&from, &["gc", "s2"], 0).contains("s2 stays: has not ended"));
    assert_eq!(json(&from, &["gc", "s2"], 0)["plan"]["stay"][0][0], "s2");
    let again = folder.path().join("again.tar.zst");
    assert_eq!(json(&from, &["export", "-o", again.to_str().unwrap()], 0)["left_out"][0], "s2");
    let taken = json(&folder.path().join("c"), &["import", again.to_str().unwrap()], 0);
    assert_eq!(taken["sessions"][0]["is"], "s1");
}

#[tokio::test]
async fn a_store_that_has_grown_too_large_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("store");
    Store::open(&at, options()).unwrap().create_session(&session()).unwrap();
    let config = folder.path().join("config/droidmux");
    std::fs::create_dir_all(&config).unwrap();
    for (limit, code, expected) in
        [("1KiB", 0, "warning: the store"), ("9TiB", 0, ""), ("9", 2, "`store-alarm`: `9` is no size")]
    {
        std::fs::write(config.join("config.toml"), format!("store-alarm = \"{limit}\"\n")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
        command.env("XDG_CONFIG_HOME", folder.path().join("config"));
        let output = command.args(["store", "stats", "--store"]).arg(&at).output().unwrap();
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(expected) && (!expected.is_empty() || !said.contains("warning")), "{said}");
    }
}
