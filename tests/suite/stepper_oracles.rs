//! Findings of every technique stepped through to where they show, over the wire: the oracle that reported them says
//! whether they show again.

use droidmux::technique::InputblasterSettings;
use std::time::Duration;

use droidmux::device::adb::Server;
use droidmux::lab::{Lab, SessionEvent, SessionOptions, stepper, track};
use droidmux::proto::{Shows, StepperView};
use droidmux::record::{
    Batch, Finding, FindingId, Insertion, Judgement, Outcome, Purpose, Role, RunSettings, SessionDefinition,
    SessionId, StepOrder, Technique, Test, Verdict, Work,
};
use droidmux::sim::{DefectSwitches, SimLab, SimOptions, apps};
use droidmux::store::Store;
use droidmux::technique::findings::Findings;
use tokio::sync::mpsc;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::by_hand::{events, keep, run};
use crate::care::ward::brisk;
use crate::handset::{self, Renaming};
use crate::sessions::{Bench, session};

/// What a person orders, and whether the reported violation then shows.
type Case = (&'static [StepOrder], fn(Option<&Shows>) -> bool);

const TO_VIOLATION: Case = (&[StepOrder::RunToViolation], |shows| shows == Some(&Shows::Again));

/// A lab on this store, with a device on which only these defects are on.
async fn stage(store: Store, defects: &[&str]) -> (Lab, SimLab, DropGuard) {
    let sim = SimLab::start(options(defects)).await.unwrap();
    let lab = Lab::with_terms("stage", store, brisk());
    let stop = CancellationToken::new();
    tokio::spawn(track(lab.roster().clone(), Server::at(sim.server_addr()), true, stop.clone()));
    (lab, sim, stop.drop_guard())
}

fn options(defects: &[&str]) -> SimOptions {
    let defects = DefectSwitches::only(defects.iter().copied(), &apps::all()).expect("known defects");
    SimOptions {
        devices: 1,
        steady: true,
        strict: true,
        adb_keyboard: true,
        defects,
        ..SimOptions::with_apps(apps::all())
    }
}

/// Leads a finding's test, once for each case.
async fn step(lab: &Lab, finding: &FindingId, cases: &[Case]) {
    for (orders, expected) in cases {
        let definition = stepper::open(lab.store(), finding, None, false).unwrap();
        let (events, mut told) = mpsc::channel(64);
        let options = SessionOptions { most_devices: 1, events: Some(events), ..SessionOptions::default() };
        let (again, running) = (lab.clone(), definition.clone());
        let running = tokio::spawn(async move { again.run(running, options).await });
        let Some(SessionEvent::Began(session)) = told.recv().await else { panic!("it did not begin") };
        tokio::spawn(async move { while told.recv().await.is_some() {} });
        for order in *orders {
            asked(lab, session).await;
            assert!(lab.order(session, order.clone()));
        }
        asked(lab, session).await;
        let StepperView { violation, rows, trouble, .. } = lab.stepper(session).unwrap().expect("it is led");
        let shows = violation.shows.as_ref();
        let technique = definition.technique.name();
        assert!(expected(shows), "{technique} {orders:?}: {shows:?} {trouble} {rows:#?}");
        assert!(lab.order(session, StepOrder::Leave));
        running.await.unwrap().unwrap();
    }
}

async fn asked(lab: &Lab, session: SessionId) {
    let asked = tokio::time::timeout(Duration::from_secs(120), lab.asked(session)).await;
    asked.expect("it asks in time").expect("it is not over");
}

/// A finding of a session on a phone of this process, stepped through on the lab.
async fn found_and_stepped(
    definition: SessionDefinition,
    oracle: &str,
    defects: &'static [&'static str],
    cases: &[Case],
) {
    let folder = tempfile::tempdir().unwrap();
    let made = definition.clone();
    let session = tokio::task::spawn_blocking(move || handset::run(&made, defects, Renaming::default(), 1));
    let handset::Session { findings, runs, layouts, .. } = session.await.unwrap();
    let own = |finding: &&Finding| finding.verdict.oracle == oracle && finding.confirmation.is_confirmed();
    let finding = findings.iter().find(own).unwrap_or_else(|| panic!("{oracle} found {findings:#?}")).clone();
    let slots: Vec<u64> = runs.iter().map(|run| run.job.slot.0).collect();
    assert_eq!(slots, (0..runs.len() as u64).collect::<Vec<_>>(), "jobs keep their places in the store");
    let kept = runs.into_iter().map(|run| {
        let is_its = run.job.slot == finding.verdict.slot;
        let verdicts = if is_its { vec![finding.verdict.clone()] } else { Vec::new() };
        let work = run.job.work.clone();
        (run, work, Judgement { verdicts, ..Judgement::default() })
    });
    let (store, _) = keep(&folder.path().join("store"), &definition, kept.collect(), &layouts).await;
    store.put_findings(std::slice::from_ref(&finding)).unwrap();
    let (lab, _sim, _tracking) = stage(store, defects).await;
    step(&lab, &finding.id, cases).await;
}

/// The same, with the session on the lab as well.
async fn run_and_stepped(definition: SessionDefinition, oracle: &str, defects: &[&str], cases: &[Case]) {
    let bench = Bench::new(options(defects)).await;
    let (outcome, _) = bench.run(&definition, 1).await;
    let own = |finding: &&Finding| finding.verdict.oracle == oracle && finding.confirmation.is_confirmed();
    let finding = outcome.findings.iter().find(own);
    let finding = finding.unwrap_or_else(|| panic!("{oracle} found {:#?}", outcome.findings));
    step(&bench.lab, &finding.id, cases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_breach_is_told() {
    let mut definition = session("todo-pbfdroid.toml");
    definition.run.max_events = 800;
    let skipped: Case = (&[StepOrder::Skip, StepOrder::RunToViolation], |shows| shows != Some(&Shows::Again));
    run_and_stepped(definition, "pbfdroid", &["todo.date-filter"], &[TO_VIOLATION, skipped]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mistreated_text_is_told() {
    let mut definition = SessionDefinition::new(Technique::Inputblaster, "org.droidmux.health");
    definition.settings.change(|inputblaster: &mut InputblasterSettings| inputblaster.explore_events = 500);
    found_and_stepped(definition, "inputblaster", &["health.leading-zero"], &[TO_VIOLATION]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mismatch_is_told_by_its_screens() {
    let run = RunSettings { max_events: 6_000, ..RunSettings::default() };
    let definition =
        SessionDefinition { run, ..SessionDefinition::new(Technique::Visiondroid, "org.droidmux.diary") };
    found_and_stepped(definition, "visiondroid", &["diary.wrong-picture"], &[TO_VIOLATION]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deviation_is_told() {
    let mut definition = session("diary-odin.toml");
    definition.run.max_events = 1_500;
    run_and_stepped(definition, "odin", &["diary.wrong-picture"], &[TO_VIOLATION]).await;
}

/// A folder that is left when the screen is turned. Without the turns nothing is lost.
#[tokio::test(flavor = "multi_thread")]
async fn a_neutral_insertion_is_told() {
    const DEFECT: &[&str] = &["files.turn-folder"];
    let folder = tempfile::tempdir().unwrap();
    let bench = Bench::new(options(DEFECT)).await;
    let definition = session("files-neutral.toml");
    let whole = events(&bench, &definition.app, "Music, rotate, rotate, back").await;
    let seed = Test { role: Role::Seed, events: [&whole[..1], &whole[3..]].concat() };
    let role = Role::Mutant(Insertion { pivot: 2, length: 2 });
    let tests = vec![seed.clone(), Test { role, events: whole }, seed];
    let (run, judgement) = run(&bench, &definition, tests.clone()).await;
    let found = |verdict: &&Verdict| verdict.outcome == Outcome::Violation && verdict.oracle == "neutral";
    let verdict = judgement.verdicts.iter().find(found).unwrap_or_else(|| panic!("{judgement:#?}")).clone();
    let work = Work::Batch(Batch { purpose: Purpose::Mutants { seed: 0 }, tests });
    let runs = vec![(run, work, judgement)];
    let (store, id) = keep(&folder.path().join("store"), &definition, runs, bench.lab.store()).await;
    let mut findings = Findings::new(id, "neutral", &definition.app, 2, 3);
    let finding = findings.add(verdict.slot, &verdict).unwrap();
    store.put_findings(&findings.ranked()).unwrap();
    let skipped: Case =
        (&[StepOrder::Skip, StepOrder::Skip, StepOrder::RunToViolation], |shows| shows == Some(&Shows::Not));
    let (lab, _sim, _tracking) = stage(store, DEFECT).await;
    step(&lab, &finding, &[TO_VIOLATION, skipped]).await;
}
