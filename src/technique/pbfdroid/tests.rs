//! Whole sessions on the toy list of notes.

use super::errand::PropertyTest;
use super::format::read_dmfs;
use crate::Configuration;
use crate::PbfdroidSettings;
use crate::toy::{Session, run_session, shows};
use crate::{Driver, pbfdroid::PropertyDriver};
use droidmux_record::{
    Act, Evidence, Finding, KeyView, Observation, Phase, SessionDefinition, Specification,
};

/// The functions of the notes: add, rename, delete, search.
const NOTES: &str = include_str!("tests/notes.json");

fn definition(max_events: u64) -> SessionDefinition {
    let text = format!(
        "{{\"technique\":\"pbfdroid\",\"app\":\"toy.notes\",\"run\":{{\"max-events\":{max_events}}}}}"
    );
    let mut definition: SessionDefinition = serde_json::from_str(&text).expect("definition");
    let id = |id: &str| KeyView { resource_id: Some(id.into()), ..KeyView::default() };
    definition.settings.change(|pbfdroid: &mut PbfdroidSettings| pbfdroid.test_events = 60);
    definition.settings.change(|pbfdroid: &mut PbfdroidSettings| {
        pbfdroid.specification = Some(Specification {
            dmfs: read_dmfs("notes.json", NOTES).expect("specification"),
            key_views: ["save", "delete"].map(id).to_vec(),
        })
    });
    definition
}

fn with(configuration: Configuration, max_events: u64) -> SessionDefinition {
    let mut definition = definition(max_events);
    definition.settings.change(|pbfdroid: &mut PbfdroidSettings| pbfdroid.configuration = configuration);
    definition
}

fn keys(session: &Session) -> Vec<&str> {
    session.findings.iter().map(|finding| finding.verdict.key.as_str()).collect()
}

#[test]
fn the_defect_is_found_and_nothing_else() {
    // Found by a search after renaming, which only the interleaving of functions comes to.
    for (configuration, finds) in
        [(Configuration::Full, true), (Configuration::A, false), (Configuration::B, false)]
    {
        let definition = with(configuration, 4_000);
        for rng in 0..3 {
            let clean = run_session(&definition, false, rng, 1);
            assert_eq!(keys(&clean), [""; 0], "{configuration:?}: false alarms");
            assert!(clean.progress.dmf.checked > 30, "{:?}", clean.progress.dmf);
            let mut found = run_session(&definition, true, rng, 1);
            // The relations see it without a specification, too.
            found.findings.retain(|finding| finding.verdict.oracle == "pbfdroid");
            assert_eq!(!found.findings.is_empty(), finds, "{configuration:?}: {:?}", keys(&found));
            for finding in &found.findings {
                assert!(finding.confirmation.is_confirmed());
                assert!(shows(finding, &found, &definition, true));
                assert!(!shows(finding, &found, &definition, false));
            }
        }
    }
}

#[test]
fn a_violation_is_told_with_data_model_and_functions() {
    let session = run_session(&definition(4_000), true, 1, 1);
    let own = |finding: &&Finding| finding.verdict.oracle == "pbfdroid";
    let finding = session.findings.iter().find(own).expect("a finding");
    let Evidence::Breach(breach) = &finding.verdict.evidence else { panic!("{:?}", finding.verdict) };
    assert_eq!(breach.dmf, "search note");
    let object = breach.object.clone().expect("an object");
    assert!(breach.before.contains(&object) && breach.after == breach.before, "{breach:?}");
    assert_eq!(breach.calls.last().map(|call| call.dmf.as_str()), Some("search note"));
    let renamed = format!("+ {object:?}");
    assert!(breach.calls.iter().any(|call| call.dmf == "rename note" && call.impacts.contains(&renamed)));
    assert!(finding.verdict.key.contains("edit search"), "the object's past: {}", finding.verdict.key);
}

#[test]
fn stored_observations_give_the_acts_again() {
    let definition = definition(1_500);
    let session = run_session(&definition, true, 5, 1);
    let settings = std::sync::Arc::new(definition.settings.of());
    let mut compared = 0;
    for run in &session.runs {
        let Some(test) = run.job.work.content::<PropertyTest>() else { continue };
        let mut driver = PropertyDriver::new(&run.job, &test, "toy.notes", &settings);
        let mut observation = &Observation::Started;
        for turn in &run.turns {
            assert_eq!(driver.next(observation, &session.shown), turn.act, "slot {}", run.job.slot.0);
            observation = &turn.observation;
            compared += 1;
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn the_order_in_which_jobs_finish_changes_nothing() {
    let first = run_session(&definition(1_500), true, 7, 1);
    for order in 2..4 {
        assert_eq!(run_session(&definition(1_500), true, 7, order), first);
    }
    assert_ne!(first.jobs, run_session(&definition(1_500), true, 8, 1).jobs, "the RNG seed matters");
}

#[test]
fn functions_out_of_reach_are_given_up() {
    let mut definition = with(Configuration::A, 500);
    // Nothing adds a note any more, so nothing can be done with one.
    definition.settings.change(|pbfdroid: &mut PbfdroidSettings| {
        let specification = pbfdroid.specification.as_mut().expect("specification");
        specification.dmfs.retain(|dmf| dmf.name != "add note");
    });
    let session = run_session(&definition, false, 1, 1);
    assert_eq!(session.progress.phase, Phase::DONE);
    assert!((20..40).contains(&session.runs.len()), "three functions, {} tests", session.runs.len());
    assert_eq!((session.progress.events, session.progress.dmf.reached), (0, 0));
}

#[test]
fn budgets_and_phases() {
    for max_events in [1, 70, 1_000] {
        let session = run_session(&definition(max_events), true, 3, 1);
        let performed = session.acts.iter().flatten().filter(|a| matches!(a, Act::Perform(_))).count() as u64;
        assert_eq!((session.progress.phase, session.progress.events), (Phase::DONE, performed));
        assert!(performed <= max_events, "{performed} of {max_events}");
    }
}
