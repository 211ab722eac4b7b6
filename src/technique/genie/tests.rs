//! Whole sessions on the toy app.

use crate::GenieSettings;
use crate::toy::{Session, run_session, shows};
use droidmux_record::{Act, Goal, Phase, Purpose, SessionDefinition, Technique, Work};

fn definition(max_events: u64) -> SessionDefinition {
    let text = format!("{{\"technique\":\"genie\",\"app\":\"toy\",\"run\":{{\"max-events\":{max_events}}}}}");
    let mut definition: SessionDefinition = serde_json::from_str(&text).expect("definition");
    definition.technique = Technique::Genie;
    definition.settings.change(|genie: &mut GenieSettings| genie.mine_events = 400);
    definition.settings.change(|genie: &mut GenieSettings| genie.seeds = 10);
    definition
}

/// Findings that are confirmed, show again with the defect, and do not show without it.
fn caused_by_the_defect(session: &Session, definition: &SessionDefinition) -> usize {
    let caused = session.findings.iter().filter(|finding| {
        finding.confirmation.is_confirmed()
            && shows(finding, session, definition, true)
            && !shows(finding, session, definition, false)
    });
    caused.count()
}

#[test]
fn finds_the_defect() {
    let definition = definition(12_000);
    assert_found(&definition, 3);
}

#[test]
fn finds_the_defect_where_pictures_come_from_another_app() {
    let definition = SessionDefinition { app: "toy.camera".into(), ..definition(12_000) };
    assert_found(&definition, 3);
    let session = run_session(&definition, true, 0, 1);
    let camera = session.findings.iter().find(|finding| finding.verdict.key.contains("maker.camera"));
    assert!(camera.is_none(), "nobody tests the camera: {camera:?}");
}

#[test]
fn finds_the_defect_behind_a_drawer_that_opens_over_many_variants_of_a_page() {
    // What throws the app out where the newest entry has no picture makes it harder.
    assert_found(&SessionDefinition { app: "toy.drawer".into(), ..definition(12_000) }, 2);
}

/// Of four seeds, at least so many find it.
fn assert_found(definition: &SessionDefinition, least: usize) {
    let found: Vec<usize> =
        (0..4).map(|rng| caused_by_the_defect(&run_session(definition, true, rng, 1), definition)).collect();
    assert!(found.iter().filter(|&&n| n > 0).count() >= least, "findings caused by the defect: {found:?}");
}

#[test]
fn the_order_in_which_jobs_finish_changes_nothing() {
    let first = run_session(&definition(2_000), true, 7, 1);
    for order in 2..4 {
        let other = run_session(&definition(2_000), true, 7, order);
        assert_eq!(first.jobs, other.jobs);
        assert_eq!(first, other);
    }
    assert_ne!(first.jobs, run_session(&definition(2_000), true, 8, 1).jobs, "the RNG seed matters");
}

#[test]
fn stays_within_the_budget_and_goes_through_all_phases() {
    for max_events in [1, 50, 500, 3_000] {
        let session = run_session(&definition(max_events), true, 3, 1);
        let performed = session.acts.iter().flatten().filter(|a| matches!(a, Act::Perform(_))).count() as u64;
        assert_eq!(session.progress.phase, Phase::DONE);
        assert_eq!(session.progress.events, performed);
        assert!(performed <= max_events, "{performed} of {max_events}");
        if max_events == 3_000 {
            // What is found on the way is confirmed at once.
            let (confirms, phases): (Vec<_>, Vec<_>) =
                works(&session).into_iter().partition(|work| *work == "confirm");
            assert_eq!(phases, ["mine", "seed", "mutants"]);
            assert_eq!(confirms.len(), 1);
            assert!(performed > 2_000, "{performed}");
        }
    }
}

/// The kinds of work in the order of their first job.
fn works(session: &Session) -> Vec<&'static str> {
    let mut works = Vec::new();
    for job in &session.jobs {
        let name = match &job.work {
            Work::Explore(explore) if explore.goal == Goal::Mine => "mine",
            Work::Explore(_) => "seed",
            Work::Batch(batch) if matches!(batch.purpose, Purpose::Confirm { .. }) => "confirm",
            Work::Batch(_) | Work::Errand(_) => "mutants",
        };
        if !works.contains(&name) {
            works.push(name);
        }
    }
    works
}
