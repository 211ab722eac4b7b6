//! Whole sessions on the toy app.

use super::toy::{Session, run_session};
use crate::record::{Act, Goal, Phase, Purpose, SessionDefinition, Technique, Work};

fn definition(max_events: u64) -> SessionDefinition {
    let text = format!("{{\"technique\":\"genie\",\"app\":\"toy\",\"run\":{{\"max-events\":{max_events}}}}}");
    let mut definition: SessionDefinition = serde_json::from_str(&text).expect("definition");
    definition.technique = Technique::Genie;
    definition.genie.mine_events = 400;
    definition.genie.seeds = 10;
    definition
}

#[test]
fn finds_the_defect_and_nothing_without_it() {
    let mut found = 0;
    for rng in 0..5 {
        let with = run_session(&definition(6_000), true, rng, 1);
        found += usize::from(with.findings.iter().any(|f| f.confirmation.is_confirmed()));
        eprintln!("{rng}: {:?} {} findings", with.progress, with.findings.len());
        for f in &with.findings {
            eprintln!("   {} {:?} x{} {:?}", f.rank, f.confirmation, f.occurrences, f.verdict.title);
        }
        let without = run_session(&definition(6_000), false, rng, 1);
        for f in &without.findings {
            eprintln!(" OFF  {} {:?} x{} {:?} {:?}", f.rank, f.confirmation, f.occurrences, f.verdict.title, f.verdict.hints);
        }
    }
    assert!(found >= 4, "found in {found} of 5 sessions");
}

#[test]
fn the_order_in_which_jobs_finish_changes_nothing() {
    let first = run_session(&definition(3_000), true, 7, 1);
    for order in 2..5 {
        let other = run_session(&definition(3_000), true, 7, order);
        assert_eq!(first.jobs, other.jobs);
        assert_eq!(first, other);
    }
    assert_ne!(first.jobs, run_session(&definition(3_000), true, 8, 1).jobs, "the RNG seed matters");
}

#[test]
fn stays_within_the_budget_and_goes_through_all_phases() {
    for max_events in [1, 50, 500, 3_000] {
        let session = run_session(&definition(max_events), true, 3, 1);
        let performed = session.acts.iter().flatten().filter(|a| matches!(a, Act::Perform(_))).count() as u64;
        assert_eq!(session.progress.phase, Phase::Done);
        assert_eq!(session.progress.events, performed);
        assert!(performed <= max_events, "{performed} of {max_events}");
        if max_events == 3_000 {
            assert_eq!(works(&session), ["mine", "seed", "mutants", "confirm"]);
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
            Work::Batch(_) => "mutants",
        };
        if !works.contains(&name) {
            works.push(name);
        }
    }
    works
}
