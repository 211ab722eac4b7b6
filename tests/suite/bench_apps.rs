//! The bench of real apps, from the APK to the tables: on an app as a build tool makes it.
//!
//! Runs if `tests/small-app/build` has made the app and the framework lab is built, and reports otherwise that it was
//! skipped.

use std::path::Path;

use droidmux::bench::apps::{Choice, ChoiceOptions, Woven, choose};
use droidmux::bench::defects::{self, Apps, Figures, Folder, Plan, PlanOptions, Ruling, RunOptions};
use droidmux::record::LlmSettings;
use droidmux::sim::{Confinement, Translator};
use tokio_util::sync::CancellationToken;

use crate::framework::{framework, host};

const PACKAGE: &str = "org.droidmux.ledger";

/// The app with its mutants, if it is there.
fn woven(home: &Path) -> Option<Woven> {
    let apk = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/small-app/ledger.apk");
    if !apk.is_file() {
        println!("skipped: no {}; tests/small-app/build", apk.display());
        return None;
    }
    let host = host()?;
    let confinement = Confinement::by(env!("CARGO_BIN_EXE_droidmux").into(), false);
    let translator = Translator::new(host.clone(), home.join("apks"), confinement).with_mutants();
    let made = translator.translate(&[apk], &CancellationToken::new()).expect("translated");
    assert_eq!(made.app.package, PACKAGE);
    Some(Woven::new(("ledger", PACKAGE), "k".into(), made.mutants, framework(&host, &made.folder)))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_machine_put_in_is_chosen_set_off_and_ruled_on() {
    let home = tempfile::tempdir().expect("a folder");
    let Some(app) = woven(home.path()) else { return };
    let options = ChoiceOptions { events: 80, most: 4, ..ChoiceOptions::default() };
    let choice = choose(&app, options, CancellationToken::new()).await.expect("chosen");
    assert!((1..=4).contains(&choice.chosen.len()), "{}", choice.told());
    assert!(choice.chosen.iter().all(|chosen| chosen.set_off > 0), "{choice:?}");
    choice.write(home.path()).expect("written");
    let kept = Choice::read(home.path(), "ledger").expect("read").expect("there");
    assert!(kept == choice && app.is_of(&kept, options));

    let planned = PlanOptions {
        techniques: vec!["monkey".into()],
        apps: Vec::new(),
        events: 80,
        seeds: 1,
        llm: LlmSettings::default(),
        recordings: None,
        planted_only: false,
        ..PlanOptions::default()
    };
    let plan = |app| Plan::new(planned.clone(), &Apps::real(vec![app])).expect("a plan");
    let records = home.path();
    let run = |plan: Plan| async move {
        let folder = Some(Folder::open(records).expect("a folder"));
        let done = defects::run(&plan, RunOptions { folder, ..RunOptions::default() }).await.expect("run");
        assert!(done.failed.is_empty(), "{:?}", done.failed);
        (Figures::of(&plan, &done.records), done.records)
    };
    let (figures, records) = run(plan(kept.subject(10, Some(app.options.clone())))).await;
    let [planted, correct] = records.as_slice() else { panic!("{}", records.len()) };
    assert!(correct.identity.correct && correct.set_off.is_empty());
    // The same random events as those by which they were chosen.
    assert!(!planted.set_off.is_empty(), "{planted:?}");
    let chosen: Vec<&str> = choice.chosen.iter().map(|chosen| chosen.id.as_str()).collect();
    for finding in &planted.findings {
        if let Ruling::True { defects } = &finding.ruling {
            assert!(defects.iter().all(|id| planted.set_off.contains_key(id)), "{finding:?}");
        }
    }
    assert!(planted.set_off.keys().all(|id| chosen.contains(&id.as_str())));
    assert_eq!(figures.kinds.iter().map(|kind| kind.present).sum::<u64>(), chosen.len() as u64);

    // What is kept is told where the APK is not.
    let (again, _) = run(plan(kept.subject(10, None))).await;
    assert_eq!(defects::tables(&again), defects::tables(&figures));
}
