//! `--for` and `--until`: at the limit no test begins, and those under way end soon.

use droidmux::technique::GenieSettings;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use droidmux::gui::{Event, EventKind};
use droidmux::lab::{SessionEnd, SessionEvent, SessionOptions, SessionOutcome};
use droidmux::record::{
    Act, FindingId, ReplaySettings, Role, ScreenPolicy, SessionDefinition, SessionId, Slot, Test, Turn,
};
use droidmux::sim::{Latency, SimOptions, apps};
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::sessions::{Bench, session};

/// The time given to each session.
const GIVEN: Duration = Duration::from_secs(4);

/// This many tests with this many events on two devices, all in one job per device.
fn tests(tests: usize, events: usize, grace: u32) -> SessionDefinition {
    let mut definition = session("notes-monkey.toml");
    let test = Test { role: Role::Seed, events: vec![Event::global(EventKind::Rotate); events] };
    let finding = FindingId { session: SessionId(1), key: 0 };
    definition.replay =
        Some(ReplaySettings { finding, key: String::new(), times: 8, tests: vec![test; tests] });
    definition.run.screens = ScreenPolicy::Never;
    definition.run.grace = grace;
    definition
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    u64::try_from(since.as_millis()).unwrap()
}

struct Ran {
    outcome: SessionOutcome,
    said: Vec<String>,
    attempts: Vec<Vec<Turn>>,
    /// When the time was over, in milliseconds since the Unix epoch.
    until_ms: u64,
    /// How much longer than the given time it took.
    over: Duration,
}

async fn run(definition: SessionDefinition) -> Ran {
    let latency = Latency { command: Duration::from_millis(25), ..Latency::ZERO };
    let bench =
        Bench::new(SimOptions { devices: 2, steady: true, latency, ..SimOptions::with_apps(apps::all()) })
            .await;
    let (events, mut listener) = mpsc::channel(64);
    let until = Instant::now() + GIVEN;
    let until_ms = now_ms() + u64::try_from(GIVEN.as_millis()).unwrap();
    let options = SessionOptions { until: Some(until), events: Some(events), ..SessionOptions::default() };
    let heard = async {
        let mut said = Vec::new();
        while let Some(event) = listener.recv().await {
            if let SessionEvent::Said(words) = event {
                said.push(words);
            }
        }
        said
    };
    let (outcome, said) = tokio::join!(bench.lab.run(definition, options), heard);
    let (outcome, over) = (outcome.unwrap(), until.elapsed());
    let store = bench.lab.store();
    let slots: Vec<Slot> = store.jobs(outcome.session).map(|job| job.unwrap().slot).collect();
    let mut attempts = Vec::new();
    for slot in slots {
        for attempt in store.attempts(outcome.session, slot).unwrap() {
            attempts.push(store.turns(outcome.session, slot, attempt).unwrap());
        }
    }
    Ran { outcome, said, attempts, until_ms, over }
}

/// Tests that began after the limit, except the one that was just about to.
fn late(ran: &Ran) -> usize {
    let began = |turn: &&Turn| turn.act == Act::Reset && turn.at_ms > ran.until_ms + 2_000;
    ran.attempts.iter().flatten().filter(began).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_test_begins_at_the_limit_not_even_in_a_batch() {
    // Far more tests than fit, each of them short.
    let ran = run(tests(2_000, 3, 60)).await;
    assert_eq!(ran.outcome.end, SessionEnd::OutOfTime);
    assert!(ran.over < Duration::from_secs(20), "{:?} over", ran.over);
    assert_eq!(late(&ran), 0);
    let resets = ran.attempts.iter().flatten().filter(|turn| turn.act == Act::Reset).count();
    assert!(resets >= 2, "{resets} tests");
    // The tests that had begun were allowed to finish.
    for turns in ran.attempts.iter().filter(|turns| !turns.is_empty()) {
        assert_eq!(turns.len() % 4, 0, "a reset and three events each");
    }
    assert!(ran.outcome.cut >= 2, "both jobs were cut: {}", ran.outcome.cut);
    let [said] = ran.said.as_slice() else { panic!("{:?}", ran.said) };
    let words = ["the time given is over: no further test begins", "under way ha", " 60 s to end"];
    assert!(words.iter().all(|words| said.contains(words)), "{said}");
    let vain = ran.outcome.vain.unwrap_or_default();
    assert!(vain.contains("no test came to its end"), "{vain}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_that_takes_longer_than_the_grace_is_cut() {
    let ran = run(tests(1, 5_000, 1)).await;
    assert_eq!(ran.outcome.end, SessionEnd::OutOfTime);
    assert!((1..20).contains(&ran.over.as_secs()), "{:?} over", ran.over);
    let [_, said] = ran.said.as_slice() else { panic!("{:?}", ran.said) };
    assert!(said.starts_with("the grace is over: ") && said.ends_with("cut in the middle"), "{said}");
    assert!(ran.attempts.iter().flatten().all(|turn| !matches!(turn.act, Act::Finish(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_ends_in_its_grace_counts() {
    let mut definition = session("notes-monkey.toml");
    definition.run.screens = ScreenPolicy::Never;
    definition.settings.change(|genie: &mut GenieSettings| genie.episode_events = 20);
    definition.run.grace = 60;
    let ran = run(definition).await;
    assert_eq!(ran.outcome.end, SessionEnd::OutOfTime);
    assert!(ran.over < Duration::from_secs(30), "{:?} over", ran.over);
    assert_eq!(late(&ran), 0);
    let begun = ran.attempts.iter().filter(|turns| turns.len() > 1).count();
    let ended = |turns: &&Vec<Turn>| turns.last().is_some_and(|turn| matches!(turn.act, Act::Finish(_)));
    assert_eq!(ran.attempts.iter().filter(ended).count(), begun, "each that began came to its end");
    assert!(begun > 0 && ran.outcome.vain.is_none(), "{:?}", ran.outcome.vain);
}
