//! `droidmux store` as a program.

use std::path::Path;
use std::process::{Command, Output};

use droidmux::record::SessionId;
use droidmux::store::Store;

use super::fixture::*;

fn store(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
    command.arg("store").args(args).arg("--store").arg(folder).output().unwrap()
}

#[tokio::test]
async fn stats_verify_and_remove_answer_in_words_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let opened = Store::open(folder.path(), options()).unwrap();
    let id = opened.create_session(&session()).unwrap();
    store_job(&opened, id, 0, &[layout("one")]).await;
    let held = store(folder.path(), &["stats"]);
    let told = String::from_utf8_lossy(&held.stderr).into_owned();
    assert_eq!(held.status.code(), Some(3));
    assert!(told.contains(&format!("in use by process {}", std::process::id())), "{told}");
    drop(opened);

    let json = |args: &[&str], code: i32| -> serde_json::Value {
        let output = store(folder.path(), args);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    assert_eq!(json(&["stats", "--json"], 0)["sessions"][0]["turns"], 2);
    assert_eq!(json(&["verify", "--json"], 0)["verify"]["layouts"], 1);
    // The job of the fixture is not one that Genie would plan.
    let derived = json(&["verify", "--rederive", "--json"], 1);
    assert_eq!(
        (&derived["clean"], &derived["verify"]["problems"][0]),
        (&false.into(), &serde_json::Value::Null)
    );
    let words = store(folder.path(), &["verify"]);
    assert!(String::from_utf8_lossy(&words.stdout).contains("2 turns, 1 judgements, 0 findings, 1 layouts"));
    assert_eq!(store(folder.path(), &["remove", "s9"]).status.code(), Some(2));
    assert_eq!(json(&["remove", "s1", "--json"], 0)["removed"]["layouts"], 1);
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
