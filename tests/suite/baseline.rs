//! The baselines on the simulated lab: they find what random events can, and nothing else.

use droidmux::lab::rederive;
use droidmux::record::{Evidence, SessionRecord};
use droidmux::sim::{DefectSwitches, SimOptions, apps};
use droidmux::technique;

use crate::sessions::{Bench, session};

#[tokio::test(flavor = "multi_thread")]
async fn monkey_finds_crashes_only() {
    for (defects, crashes) in [(DefectSwitches::all(), true), (DefectSwitches::none(), false)] {
        let bench = Bench::new(SimOptions {
            devices: 2,
            steady: true,
            defects,
            ..SimOptions::with_apps(apps::all())
        })
        .await;
        let mut definition = session("notes-monkey.toml");
        definition.run.max_events = 500;
        let (outcome, runs) = bench.run(&definition, 3).await;
        let confirmed = outcome.findings.iter().filter(|f| f.confirmation.is_confirmed()).count();
        assert_eq!(confirmed > 0, crashes, "{:?}", outcome.findings);
        for finding in &outcome.findings {
            assert!(matches!(finding.verdict.evidence, Evidence::Signal { .. }), "{finding:?}");
        }
        let performed: u64 = runs.iter().map(|run| run.events()).sum();
        assert!((250..=500).contains(&performed), "{performed}");
        let make = |record: &SessionRecord, id| technique::planner(&record.definition, id, record.rng);
        let report = rederive(bench.lab.store(), &make).unwrap();
        assert!(report.is_clean(), "{report:?}");
    }
}
