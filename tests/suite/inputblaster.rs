//! InputBlaster with the fixed rules, on the simulated apps.

use droidmux::technique::{GenieSettings, InputblasterSettings};
use std::collections::BTreeSet;
use std::sync::Arc;

use droidmux::gui::{EventKind, text_of_units};
use droidmux::lab::rederive;
use droidmux::llm::Sandbox;
use droidmux::proto::{Reply, Request};
use droidmux::record::{
    Act, Answer, JobRun, ScreenPolicy, SessionDefinition, SessionId, SessionRecord, Technique, TextSource,
    TurnPlace,
};
use droidmux::sim::{DefectSwitches, SimOptions, apps};
use droidmux::technique;

use crate::handset::{self, Renaming};
use crate::sessions::{Bench, session};

/// What counts is what fields do with texts, not what an app calls them: the same defects are found when all words and
/// ids of the app are replaced, and nothing is found in the app without them.
#[test]
fn planted_defects_are_found_whatever_the_app_calls_things() {
    let cases: [(&str, &[&str]); 3] = [
        ("org.droidmux.calc", &["calc.brackets"]),
        ("org.droidmux.health", &["health.leading-zero"]),
        ("org.droidmux.calc", &[]),
    ];
    for (app, defects) in cases {
        let mut definition = SessionDefinition::new(Technique::Inputblaster, app);
        definition
            .settings
            .change(|inputblaster: &mut InputblasterSettings| inputblaster.explore_events = 500);
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

/// As the source of texts for other techniques: forms get valid texts and texts from generators instead of the
/// techniques' own, and the session can be rederived from what is stored.
#[tokio::test(flavor = "multi_thread")]
async fn other_techniques_type_texts_of_generators() {
    let options = SimOptions {
        devices: 2,
        steady: true,
        adb_keyboard: true,
        defects: DefectSwitches::none(),
        ..SimOptions::with_apps(apps::all())
    };
    let mut bench = Bench::new(options).await;
    bench.lab = bench.lab.clone().with_sandbox(Sandbox::at(env!("CARGO_BIN_EXE_droidmux")));
    for file in ["notes-monkey.toml", "notes-genie.toml"] {
        let mut definition = session(file);
        definition.app = "org.droidmux.calc".into();
        definition.run.text = TextSource::Inputblaster;
        definition.run.screens = ScreenPolicy::Never;
        definition.run.max_events = 400;
        definition.settings.change(|genie: &mut GenieSettings| (genie.mine_events, genie.seeds) = (250, 2));
        let (outcome, runs) = bench.run(&definition, 1).await;
        exchanges_lead_to_steps(&bench, outcome.session, &runs).await;
        let (mut generated, mut typed) = (BTreeSet::new(), BTreeSet::new());
        for turn in runs.iter().flat_map(|run| &run.turns) {
            if let Some(inputs) = turn.observation.answer().and_then(Answer::generated) {
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

/// What each exchange leads to is the first act after it in its job.
async fn exchanges_lead_to_steps(bench: &Bench, session: SessionId, runs: &[Arc<JobRun>]) {
    let mut viewer = bench.lab.viewer();
    let mut ask = async |request| {
        viewer.requests.send(request).await.unwrap();
        viewer.replies.recv().await.unwrap()
    };
    let (agent, from, limit) = (None, 0, 3);
    let Reply::Exchanges { exchanges, .. } = ask(Request::Exchanges { session, agent, from, limit }).await
    else {
        panic!("exchanges")
    };
    assert_eq!(exchanges.len(), 3);
    for exchange in exchanges {
        let run = runs.iter().find(|run| run.job.slot == exchange.slot).unwrap();
        let is_step = |turn: &u32| matches!(run.turns[*turn as usize].act, Act::Reset | Act::Perform(_));
        let expected = (exchange.turn..run.turns.len() as u32).find(is_step);
        let place = TurnPlace { slot: exchange.slot, turn: exchange.turn };
        let Reply::FoundStep { row, .. } = ask(Request::FindStep { session, place }).await else {
            panic!("a row")
        };
        let Some(from) = row else { panic!("{exchange:?} leads nowhere") };
        let Reply::Steps { steps, .. } = ask(Request::Steps { session, from, limit: 1 }).await else {
            panic!("a step")
        };
        assert_eq!((steps[0].slot, Some(steps[0].turn)), (exchange.slot, expected));
    }
}
