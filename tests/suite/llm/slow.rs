//! A model that takes its time.

use droidmux::technique::VisiondroidSettings;
use std::time::Duration;

use droidmux::lab::SessionEnd;
use droidmux::llm::rules;
use droidmux::record::{Failure, Observation, ScreenPolicy};
use droidmux::sim::{SimOptions, apps};

use super::server::{Script, ScriptedServer};
use super::settings;
use crate::sessions::{Bench, session};

/// Waiting for a model does not count towards a test's time: a job whose questions take longer than `test-timeout` is
/// not run again, since that would ask, and pay for, all of them twice.
#[tokio::test(flavor = "multi_thread")]
async fn a_test_may_wait_for_a_model_longer_than_it_may_take() {
    let wait = Duration::from_millis(2_500);
    let server = ScriptedServer::start(move |asked| {
        std::thread::sleep(wait);
        Script::streamed(&rules::answer(&asked.question()))
    })
    .await;
    let mut definition = session("diary-visiondroid.toml");
    definition.run.screens = ScreenPolicy::Never;
    definition.run.test_timeout = 8;
    definition.settings.change(|visiondroid: &mut VisiondroidSettings| visiondroid.test_events = 3);
    definition.llm = settings(&server.base_url());
    (definition.llm.timeout, definition.llm.budget.calls) = (60, 5);
    let bench =
        Bench::new(SimOptions { devices: 1, steady: true, ..SimOptions::with_apps(apps::all()) }).await;
    let (outcome, runs) = bench.run(&definition, 1).await;
    assert_eq!(outcome.end, SessionEnd::Complete);
    assert_eq!(server.asked().len(), 5, "each question was asked once");
    let first = runs.first().expect("a run");
    assert!(first.turns.len() > 5 && wait * 5 > Duration::from_secs(8), "{} turns", first.turns.len());
    for run in &runs {
        assert_eq!(run.attempt, 1, "{}", run.job.slot);
        let late = run.turns.iter().find(|turn| turn.observation == Observation::Failed(Failure::TimedOut));
        assert!(late.is_none(), "{}: {late:?}", run.job.slot);
    }
}
