//! Odin on the simulated lab: what it builds on, and that its sessions can be rederived.

use droidmux::technique::OdinSettings;
use std::fs;

use droidmux::lab::rederive;
use droidmux::record::{RecordedFolder, RecordingFormat, SessionDefinition, SessionRecord};
use droidmux::sim::{SimOptions, apps};
use droidmux::store::StoreError;
use droidmux::technique;

use crate::sessions::{Bench, session};

fn odin(max_events: u64) -> SessionDefinition {
    let mut definition = session("diary-odin.toml");
    definition.run.max_events = max_events;
    definition.settings.change(|odin: &mut OdinSettings| odin.explore_events = 200);
    definition
}

async fn bench() -> Bench {
    Bench::new(SimOptions { devices: 2, steady: true, ..SimOptions::with_apps(apps::all()) }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn builds_on_other_sessions_and_is_derived_again() {
    let bench = bench().await;
    let mut genie = session("diary-genie.toml");
    genie.run.max_events = 200;
    let (first, runs) = bench.run(&genie, 1).await;

    let mut definition = odin(400);
    definition.settings.change(|odin: &mut OdinSettings| odin.from = vec![first.session.to_string()]);
    definition.settings.change(|odin: &mut OdinSettings| odin.explore_events = 0);
    let (outcome, _) = bench.run(&definition, 2).await;
    let traces: usize = runs.iter().map(|run| run.traces().len()).sum();
    let tally = outcome.progress.tally;
    assert_eq!((tally.imported, tally.explored), (traces as u64, 0));
    assert!(tally.calibrated > 0 && tally.pairs > 0, "{tally:?}");

    let store = bench.lab.store();
    let record = store.session(outcome.session).unwrap().unwrap();
    assert_eq!(record.inputs.len(), runs.len());
    let make = |record: &SessionRecord, id| technique::planner(&record.definition, id, record.rng);
    let report = rederive(store, &make).unwrap();
    assert!(report.is_clean() && report.skipped.is_empty(), "{report:?}");
    assert!(store.verify().unwrap().is_clean());

    let remove = |id| tokio::task::block_in_place(|| store.remove_session(id));
    let refused = remove(first.session);
    assert!(matches!(refused, Err(StoreError::Needed { by, .. }) if by == outcome.session), "{refused:?}");
    remove(outcome.session).unwrap();
    remove(first.session).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn builds_on_a_recorded_folder() {
    let bench = bench().await;
    let folder = tempfile::tempdir().unwrap();
    let dump = |text: &str| {
        format!(
            "<?xml version='1.0' encoding='UTF-8'?><hierarchy rotation='0'><node index='0' text='{text}' \
             resource-id='org.droidmux.diary:id/any' class='android.widget.Button' \
             package='org.droidmux.diary' content-desc='' clickable='true' enabled='true' \
             bounds='[0,0][100,100]' /></hierarchy>"
        )
    };
    for (number, text) in ["one", "two", "three"].iter().enumerate() {
        fs::write(folder.path().join(format!("{number}.xml")), dump(text)).unwrap();
    }
    let events = r#"{"app": "org.droidmux.diary", "events": [
        {"event": "click", "widget": 0}, {"event": "click", "widget": 0}]}"#;
    fs::write(folder.path().join("events.json"), events).unwrap();

    let mut definition = odin(150);
    let path = folder.path().display().to_string();
    let recorded = RecordedFolder { path, format: RecordingFormat::Uiautomator };
    definition.settings.change(|odin: &mut OdinSettings| odin.folders = vec![recorded]);
    let (outcome, _) = bench.run(&definition, 2).await;
    assert_eq!(outcome.progress.tally.imported, 1);

    // The folder is no longer needed.
    drop(folder);
    let store = bench.lab.store();
    let record = store.session(outcome.session).unwrap().unwrap();
    let imported = store.session(record.inputs[0].session).unwrap().unwrap();
    assert!(imported.ending.is_some_and(|ending| ending.starts_with("imported from ")));
    assert!(store.verify().unwrap().is_clean());
    let make = |record: &SessionRecord, id| technique::planner(&record.definition, id, record.rng);
    let report = rederive(store, &make).unwrap();
    assert!(report.is_clean(), "{report:?}");
    assert_eq!((report.sessions, report.skipped.len()), (2, 1), "the imported one has no planner");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_built_on_is_said() {
    let bench = bench().await;
    let mut genie = session("notes-genie.toml");
    genie.run.max_events = 20;
    let (other, _) = bench.run(&genie, 1).await;
    let folder = RecordedFolder { path: "/nowhere".into(), format: RecordingFormat::Genie };
    for (from, folders, expected) in [
        (vec!["s9".to_owned()], Vec::new(), "there is no session s9 in this store"),
        (
            vec![other.session.to_string()],
            Vec::new(),
            "s1 is of org.droidmux.notes, not of org.droidmux.diary",
        ),
        (Vec::new(), vec![folder], "folder /nowhere: "),
    ] {
        let mut definition = odin(50);
        definition.settings.change(|odin: &mut OdinSettings| (odin.from, odin.folders) = (from, folders));
        let error = bench.lab.run(definition, droidmux::lab::SessionOptions::default()).await.err();
        let said = error.map(|error| error.to_string()).unwrap_or_default();
        assert!(said.contains(expected), "{said}\n not {expected}");
    }
}
