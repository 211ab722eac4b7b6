//! `droidmux masks` as a program.

use std::path::Path;
use std::process::Command;

use droidmux::record::{MaskEdit, SessionId, SessionRecord};
use droidmux::store::Store;
use serde_json::Value;

use crate::oracle::masked_run;
use crate::store::fixture::{append, finished, options, session};

const PATH: &str = "FrameLayout/LinearLayout/TextView#clock";

/// A store with one session of one judged job: its clock is masked, nothing else differs.
async fn store_with_a_mask(folder: &Path) -> SessionId {
    let (run, layouts, judgement, definition) = masked_run();
    let store = Store::open(folder, options()).unwrap();
    let id = store.create_session(&SessionRecord { definition, ..session() }).unwrap();
    store.put_job(id, &run.job).unwrap();
    let mut turns = append(id, run.job.slot.0, 0, run.turns.clone());
    turns.layouts = layouts;
    store.append(turns).await.unwrap();
    store.finish_job(id, &finished(&run)).unwrap();
    store.put_judgement(id, run.job.slot, &judgement).unwrap();
    id
}

fn masks(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_droidmux"));
    let output = command.arg("masks").args(arguments).arg("--store").arg(folder).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let (code, out, said) = masks(folder, &[arguments, &["--json"]].concat());
    assert_eq!(code, 0, "{arguments:?} said {said}");
    serde_json::from_str(&out).unwrap()
}

/// State, resource id and path of each mask.
fn listed(value: &Value) -> Vec<[String; 3]> {
    let text = |mask: &Value, field: &str| mask[field].as_str().unwrap().to_owned();
    let all = value["masks"].as_array().unwrap();
    all.iter().map(|m| ["state", "resource_id", "path"].map(|field| text(m, field))).collect()
}

fn edits(folder: &Path, id: SessionId) -> Vec<MaskEdit> {
    Store::open(folder, options()).unwrap().mask_edits(id).unwrap()
}

#[tokio::test]
async fn masks_are_listed_taken_away_and_put_back() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let id = store_with_a_mask(folder).await;
    let clock = "org.notes:id/clock".to_owned();
    let found = ["found".to_owned(), clock.clone(), PATH.to_owned()];
    let first = json(folder, &["s1", "--judge"]);
    assert_eq!(listed(&first), std::slice::from_ref(&found));
    assert_eq!((&first["masks"][0]["jobs"], &first["judged_again"]["now"]), (&1.into(), &0.into()));
    let name = first["masks"][0]["id"].as_str().unwrap().to_owned();
    let (_, words, _) = masks(folder, &["s1"]);
    assert!(words.contains(&format!("{name}  found in 1 job")) && words.contains(PATH), "{words}");

    let lifted = json(folder, &["s1", "--remove", &name, "--judge"]);
    assert_eq!(listed(&lifted), [["removed".to_owned(), clock.clone(), PATH.to_owned()]]);
    assert_eq!(edits(folder, id).len(), 1);
    let again = &lifted["judged_again"];
    assert_eq!(
        (&again["violations"], &again["now"], &again["come"][0]["test"]),
        (&0.into(), &1.into(), &1.into())
    );
    let (_, words, _) = masks(folder, &["s1", "--judge"]);
    assert!(
        words.contains("taken away by hand") && words.contains("judged again: 0 violations, 1 with"),
        "{words}"
    );

    assert_eq!(listed(&json(folder, &["s1", "--add", &name])), [found]);
    assert_eq!(edits(folder, id), []);
}

#[tokio::test]
async fn masks_are_added_by_path_and_by_fields_and_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let id = store_with_a_mask(folder).await;
    let title = "FrameLayout/LinearLayout/TextView#title";
    let added = json(
        folder,
        &["s1", "--add", title, "--add", "resource-id=org.notes:id/state,activity=org.notes.Main"],
    );
    let states: Vec<[String; 3]> = listed(&added).into_iter().filter(|mask| mask[0] == "added").collect();
    let expected = [["added", "", title], ["added", "org.notes:id/state", ""]];
    assert_eq!(states, expected.map(|mask| mask.map(str::to_owned)));
    assert_eq!(
        edits(folder, id).iter().map(|edit| edit.mask.example.0.as_str()).collect::<Vec<_>>(),
        ["Notes", "idle"]
    );
    let kept = json(folder, &["s1", "--remove", title]);
    assert_eq!(listed(&kept).len(), 2);
    assert_eq!(
        edits(folder, id).len(),
        1,
        "a mask of one's own is forgotten, not taken away from the oracle"
    );
}

#[tokio::test]
async fn what_is_not_there_is_refused_and_nothing_is_changed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let id = store_with_a_mask(folder).await;
    let cases: [(&[&str], i32, &str); 7] = [
        (&["s9"], 2, "there is no session s9 in this store"),
        (&["soon"], 2, "`soon` is no session id"),
        (
            &["s1", "--add", "FrameLayout/Clock"],
            2,
            "no widget on the screens of s1 has the path `FrameLayout/Clock`",
        ),
        (
            &["s1", "--add", "resource-id=clock,activity=x"],
            2,
            "no widget on the screens of s1 has all these fields",
        ),
        (&["s1", "--add", "colour=red"], 2, "`colour` is no field"),
        (&["s1", "--remove", "m00000000"], 2, "no mask of s1 has the id or path `m00000000`"),
        (
            &["s1", "--add", PATH, "--remove", "FrameLayout"],
            2,
            "no mask of s1 has the id or path `FrameLayout`",
        ),
    ];
    for (arguments, code, words) in cases {
        let (told, _, said) = masks(folder, arguments);
        assert_eq!(told, code, "{arguments:?} said {said}");
        assert!(said.contains(words), "{arguments:?} said {said}");
    }
    assert_eq!(edits(folder, id), []);
}
