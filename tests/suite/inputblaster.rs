//! InputBlaster with the fixed rules, on the simulated apps.

use std::collections::BTreeSet;

use droidmux::gui::{EventKind, text_of_units};
use droidmux::lab::rederive;
use droidmux::llm::Sandbox;
use droidmux::record::{Act, Answer, ScreenPolicy, SessionDefinition, SessionRecord, Technique, TextSource};
use droidmux::sim::{DefectSwitches, SimApp, SimOptions, apps};
use droidmux::technique;

use crate::handset::{self, Renaming};
use crate::sessions::{Bench, session};

/// What fields do with texts decides, not what an app calls them: the same defects are found when all
/// words and ids of the app are replaced, and nothing is found in the app without them.
#[test]
fn planted_defects_are_found_whatever_the_app_calls_things() {
    let cases: [(&str, &[&str]); 3] = [
        ("org.droidmux.calc", &["calc.brackets"]),
        ("org.droidmux.health", &["health.leading-zero"]),
        ("org.droidmux.calc", &[]),
    ];
    for (app, defects) in cases {
        let mut definition = SessionDefinition::new(Technique::Inputblaster, app);
        definition.inputblaster.explore_events = 500;
        for renaming in [Renaming::default(), Renaming::random()] {
            let session = handset::run(&definition, defects, renaming.clone(), 1);
            let form = session.progress.form;
            assert!(form.passed > 0 && form.inputs > 20, "{app} {renaming:?}: {form:?}");
            let confirmed = session.findings.iter().filter(|finding| finding.confirmation.is_confirmed());
            let titles: Vec<&str> = confirmed.map(|finding| finding.verdict.title.as_str()).collect();
            assert_eq!(titles.is_empty(), defects.is_empty(), "{app} {defects:?} {renaming:?}: {titles:?}");
        }
    }
}

/// As the source of texts of other techniques: forms get valid texts and texts of generators in place of
/// the techniques' own, and the session can be derived again from what is stored.
#[tokio::test(flavor = "multi_thread")]
async fn other_techniques_type_texts_of_generators() {
    let options = SimOptions {
        devices: 2,
        steady: true,
        adb_keyboard: true,
        defects: DefectSwitches::none(),
        ..SimOptions::default()
    };
    let mut bench = Bench::new(options).await;
    bench.lab = bench.lab.clone().with_sandbox(Sandbox::at(env!("CARGO_BIN_EXE_droidmux")));
    for file in ["notes-monkey.toml", "notes-genie.toml"] {
        let mut definition = session(file);
        definition.app = "org.droidmux.calc".into();
        definition.run.text = TextSource::Inputblaster;
        definition.run.screens = ScreenPolicy::Never;
        definition.run.max_events = 400;
        (definition.genie.mine_events, definition.genie.seeds) = (250, 2);
        let (_, runs) = bench.run(&definition, 1).await;
        let (mut generated, mut typed) = (BTreeSet::new(), BTreeSet::new());
        for turn in runs.iter().flat_map(|run| &run.turns) {
            if let Some(Answer::Inputs(inputs)) = turn.observation.answer() {
                generated.extend(inputs.inputs.iter().map(|units| text_of_units(units)));
            }
            if let Act::Perform(event) = &turn.act
                && event.kind == EventKind::Edit
                && turn.observation.seen().is_some()
            {
                typed.extend(event.data.clone());
            }
        }
        let (unusual, others): (Vec<_>, Vec<_>) = typed.iter().partition(|text| generated.contains(*text));
        assert!(unusual.len() > 1 && !others.is_empty(), "{file}: of {generated:?} {typed:?} were typed");
    }
    let make = |record: &SessionRecord, id| technique::planner(&record.definition, id, record.rng);
    let report = rederive(bench.lab.store(), &make).unwrap();
    assert!(report.is_clean(), "{report:?}");
}

/// What the rules find with all defects on, for people: in the apps whose last names `APPS` lists, for each
/// of `SEEDS` RNG seeds, with `BATCH` inputs of a generator, `ATTEMPTS` a page and `TRIES` for its valid texts.
#[test]
#[ignore = "a measurement"]
fn measure() {
    let number =
        |name: &str, usual: u32| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let only = std::env::var("APPS").unwrap_or_default();
    let wanted = |app: &SimApp| only.is_empty() || only.split(',').any(|name| app.package().ends_with(name));
    for app in apps::forms().iter().filter(|app| wanted(app)) {
        let defects: Vec<&str> = app.defects().iter().map(|defect| defect.id).collect();
        for rng in 1..=u64::from(number("SEEDS", 3)) {
            let mut definition = SessionDefinition::new(Technique::Inputblaster, app.package());
            let settings = &mut definition.inputblaster;
            settings.batch = u16::try_from(number("BATCH", settings.batch.into())).expect("small");
            settings.attempts = number("ATTEMPTS", settings.attempts);
            settings.valid_tries = number("TRIES", settings.valid_tries);
            let session = handset::run(&definition, &defects, Renaming::default(), rng);
            let (form, events) = (session.progress.form, session.progress.events);
            println!("== {} seed {rng}: {events} events, {form:?}", app.package());
            for finding in session.findings.iter().filter(|finding| finding.confirmation.is_confirmed()) {
                println!("   {}", finding.verdict.title);
            }
        }
    }
}
