//! A session that ends keeps its findings as its planner sees them then, not as the last violation left them.

use std::sync::Arc;

use droidmux::lab::{Craft, SessionEnd, SessionOptions};
use droidmux::record::{
    Finding, Job, JobRun, Judgement, Layouts, MaskEdit, Progress, SessionDefinition, SessionId, Slot,
};
use droidmux::sim::{SimOptions, apps};
use droidmux::technique::{self, Driver, Plan, Planner};

use crate::sessions::{Bench, session};
use crate::store::fixture;

/// Its planner has a finding that rests on no violation.
struct Counting;

impl Craft for Counting {
    fn planner(&self, definition: &SessionDefinition, session: SessionId, rng: u64) -> Box<dyn Planner> {
        let finding = fixture::finding(session, 0, "counted", 0);
        Box::new(CountingPlanner { inner: technique::planner(definition, session, rng), finding })
    }

    fn judge(&self, _: &JobRun, _: &SessionDefinition, _: &[MaskEdit], _: &dyn Layouts) -> Judgement {
        Judgement::default()
    }
}

struct CountingPlanner {
    inner: Box<dyn Planner>,
    finding: Finding,
}

impl Planner for CountingPlanner {
    fn plan(&mut self, slot: Slot) -> Plan {
        self.inner.plan(slot)
    }

    fn driver(&self, job: &Job) -> Box<dyn Driver> {
        self.inner.driver(job)
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        self.finding.occurrences += 1;
        self.inner.absorb(run, judgement, layouts);
    }

    fn progress(&self) -> Progress {
        self.inner.progress()
    }

    fn findings(&self) -> Vec<Finding> {
        vec![self.finding.clone()]
    }

    fn version(&self) -> u32 {
        self.inner.version()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_counted_without_a_violation_is_kept_at_the_end() {
    let mut bench = Bench::new(SimOptions { steady: true, ..SimOptions::with_apps(apps::all()) }).await;
    bench.lab = bench.lab.clone().with_craft(Arc::new(Counting));
    let mut definition = session("notes-monkey.toml");
    definition.run.max_events = 60;
    let outcome = bench.lab.run(definition, SessionOptions::default()).await.expect("it runs through");
    assert_eq!(outcome.end, SessionEnd::Complete);
    let store = bench.lab.store();
    let runs = store.runs(outcome.session).count();
    let kept = store.findings(Some(outcome.session)).unwrap();
    let [finding] = kept.as_slice() else { panic!("{} findings are kept", kept.len()) };
    assert_eq!(finding.occurrences, 1 + u64::try_from(runs).unwrap(), "the last run is counted, too");
}
