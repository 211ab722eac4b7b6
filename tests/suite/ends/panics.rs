//! Panics in drivers, planners and oracles: a session neither hangs nor hides them.

use droidmux::technique::GenieSettings;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use droidmux::lab::{Craft, LabError, SessionEnd, SessionOptions, SessionOutcome};
use droidmux::record::{
    Act, Finding, Job, JobRun, Judgement, Layouts, MaskEdit, Observation, Outcome, Progress,
    SessionDefinition, SessionId, Slot,
};
use droidmux::sim::{SimOptions, apps};
use droidmux::technique::{self, Driver, Plan, Planner};

use crate::sessions::{Bench, session};

/// A session that is silent for this long has hung.
const PATIENCE: Duration = Duration::from_secs(120);

/// Where it panics, with the name of the place as message, and how often.
#[derive(Clone)]
struct Faulty {
    place: &'static str,
    left: Arc<AtomicU32>,
}

impl Faulty {
    fn new(place: &'static str, times: u32) -> Self {
        Self { place, left: Arc::new(AtomicU32::new(times)) }
    }

    fn comes_to(&self, place: &str) {
        let left = |left: u32| left.checked_sub(1);
        if place == self.place && self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, left).is_ok() {
            panic!("{place} is broken");
        }
    }
}

impl Craft for Faulty {
    fn planner(&self, definition: &SessionDefinition, session: SessionId, rng: u64) -> Box<dyn Planner> {
        self.comes_to("making a planner");
        Box::new(FaultyPlanner { inner: technique::planner(definition, session, rng), faulty: self.clone() })
    }

    fn judge(
        &self,
        run: &JobRun,
        definition: &SessionDefinition,
        edits: &[MaskEdit],
        layouts: &dyn Layouts,
    ) -> Judgement {
        self.comes_to("judging");
        technique::judge(run, definition, edits, layouts)
    }
}

struct FaultyPlanner {
    inner: Box<dyn Planner>,
    faulty: Faulty,
}

impl Planner for FaultyPlanner {
    fn plan(&mut self, slot: Slot) -> Plan {
        if slot == Slot(3) {
            self.faulty.comes_to("planning");
        }
        self.inner.plan(slot)
    }

    fn driver(&self, job: &Job) -> Box<dyn Driver> {
        if job.slot == Slot(2) {
            self.faulty.comes_to("making a driver");
        }
        Box::new(FaultyDriver { inner: self.inner.driver(job), acts: 0, faulty: self.faulty.clone() })
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        if run.job.slot == Slot(1) {
            self.faulty.comes_to("absorbing");
        }
        self.inner.absorb(run, judgement, layouts);
    }

    fn progress(&self) -> Progress {
        let progress = self.inner.progress();
        if progress.events > 0 {
            self.faulty.comes_to("progress");
        }
        progress
    }

    fn findings(&self) -> Vec<Finding> {
        self.inner.findings()
    }

    fn version(&self) -> u32 {
        self.inner.version()
    }
}

struct FaultyDriver {
    inner: Box<dyn Driver>,
    acts: u32,
    faulty: Faulty,
}

impl Driver for FaultyDriver {
    fn next(&mut self, observation: &Observation, layouts: &dyn Layouts) -> Act {
        self.acts += 1;
        if self.acts == 4 {
            self.faulty.comes_to("driving");
        }
        self.inner.next(observation, layouts)
    }

    fn fresh(&self) -> Box<dyn Driver> {
        self.faulty.comes_to("copying a driver");
        Box::new(FaultyDriver { inner: self.inner.fresh(), acts: self.acts, faulty: self.faulty.clone() })
    }
}

fn short() -> SessionDefinition {
    let mut definition = session("notes-monkey.toml");
    definition.run.max_events = 120;
    definition.settings.change(|genie: &mut GenieSettings| genie.episode_events = 10);
    definition.run.patience = 5;
    definition
}

/// Runs a session that panics this many times at this place; it must come to an end.
async fn run(place: &'static str, times: u32, devices: u16) -> (Bench, Result<SessionOutcome, LabError>) {
    let mut bench =
        Bench::new(SimOptions { devices, steady: true, ..SimOptions::with_apps(apps::all()) }).await;
    bench.lab = bench.lab.clone().with_craft(Arc::new(Faulty::new(place, times)));
    let ran = tokio::time::timeout(PATIENCE, bench.lab.run(short(), SessionOptions::default())).await;
    let ended = ran.unwrap_or_else(|_| panic!("{place}: hangs with {devices} devices"));
    (bench, ended)
}

fn log(bench: &Bench) -> String {
    bench.lab.hub().log().into_iter().map(|row| format!("{}: {}\n", row.line.source, row.line.text)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_driver_that_always_panics_ends_its_session_with_the_message() {
    for devices in [1, 4] {
        let (bench, ended) = run("driving", u32::MAX, devices).await;
        let Err(error) = ended else { panic!("it ran through") };
        assert!(matches!(error, LabError::JobFailed { attempts: 3, .. }), "{devices} devices: {error}");
        assert!(error.to_string().contains("the driver panicked: driving is broken"), "{error}");
        assert!(log(&bench).contains("the driver panicked: driving is broken"), "{}", log(&bench));
        // It gave its devices back as they were.
        for device in bench.sim.devices() {
            assert_eq!(device.file("/data/local/tmp/droidmux.lease"), None);
            assert_eq!(device.file("/data/local/tmp/droidmux-settings"), None);
        }
        let record = bench.lab.store().session(SessionId(1)).unwrap().unwrap();
        assert!(record.ended_ms.is_some() && !record.over, "it can go on");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_whose_driver_panicked_is_tried_again() {
    for devices in [1, 4] {
        let (bench, ended) = run("driving", 2, devices).await;
        let outcome = ended.unwrap_or_else(|error| panic!("{error}\n{}", log(&bench)));
        assert_eq!(outcome.end, SessionEnd::Complete);
        let tries = bench.lab.store().runs(outcome.session).map(|run| run.unwrap().attempt - 1);
        assert_eq!(tries.sum::<u32>(), 2, "with {devices} devices");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_planner_that_panics_ends_its_session_with_the_message() {
    let cases = [
        ("making a planner", "the planner"),
        ("planning", "the planner"),
        ("making a driver", "the planner"),
        ("absorbing", "the planner"),
        ("progress", "the planner"),
        ("copying a driver", "a driver"),
    ];
    for (place, who) in cases {
        let (bench, ended) = run(place, u32::MAX, 2).await;
        let Err(error) = ended else { panic!("{place}: it ran through") };
        let expected = format!("{who} panicked: {place} is broken; this is a bug in droidmux");
        assert!(error.to_string().contains(&expected), "{place}: {error}");
        for (_, record) in bench.lab.store().sessions().unwrap() {
            assert!(record.ending.is_some_and(|ending| ending.contains(&expected)), "{place}");
        }
        assert!(bench.lab.unended().unwrap().is_empty(), "{place}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_goes_on_where_its_planner_panicked_once() {
    let (mut bench, ended) = run("absorbing", u32::MAX, 2).await;
    assert!(ended.is_err());
    bench.lab = bench.lab.clone().with_craft(Arc::new(Faulty::new("nowhere", 0)));
    let outcome = bench.lab.resume(SessionId(1), SessionOptions::default()).await.unwrap();
    assert_eq!(outcome.end, SessionEnd::Complete);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_oracle_panics_at_is_inconclusive() {
    let (bench, ended) = run("judging", 2, 2).await;
    let outcome = ended.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(outcome.end, SessionEnd::Complete);
    let store = bench.lab.store();
    let jobs = store.jobs(outcome.session).map(|job| job.unwrap().slot);
    let verdicts = jobs.flat_map(|slot| store.judgement(outcome.session, slot).unwrap().unwrap().verdicts);
    let reasons: Vec<String> = verdicts
        .filter_map(|verdict| match verdict.outcome {
            Outcome::Inconclusive(why) => Some(why),
            Outcome::Pass | Outcome::Violation => None,
        })
        .collect();
    let expected = "the oracle panicked: judging is broken; this is a bug in droidmux";
    assert_eq!(reasons, [expected, expected]);
    assert!(log(&bench).contains(expected), "{}", log(&bench));
}
