//! PBFDroid on the simulated lab: defects of the apps are breaches of their specifications, and
//! without defects there are none.

use droidmux::lab::rederive;
use droidmux::record::{Evidence, Role, ScreenPolicy, SessionRecord, Work};
use droidmux::sim::{DefectSwitches, SimOptions, apps};
use droidmux::technique::Configuration;
use droidmux::technique::PbfdroidSettings;
use droidmux::technique::pbfdroid::PropertyTest;
use droidmux::technique::{self, recipe};

use crate::sessions::{Bench, session};

async fn bench(defects: DefectSwitches) -> Bench {
    Bench::new(SimOptions { devices: 2, steady: true, defects, ..SimOptions::with_apps(apps::all()) }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn defects_are_breaches_and_correct_apps_keep_to_their_properties() {
    // app, the defect that is on, and the function whose property it breaks
    for (app, defect, function) in [
        ("todo", Some("todo.search-again"), "search task"),
        ("todo", Some("todo.date-filter"), "find task due today"),
        ("todo", None, ""),
    ] {
        let bench = bench(DefectSwitches::only(defect, &apps::all()).expect("defects")).await;
        let mut definition = session(&format!("{app}-pbfdroid.toml"));
        definition.run.max_events = 1_500;
        definition.run.screens = ScreenPolicy::Never;
        let (outcome, runs) = bench.run(&definition, 1).await;
        let functions: Vec<&str> = outcome
            .findings
            .iter()
            .map(|finding| match &finding.verdict.evidence {
                Evidence::Breach(breach) if finding.confirmation.is_confirmed() => breach.dmf.as_str(),
                other => panic!("{app}: {} {other:?}", finding.verdict.title),
            })
            .collect();
        assert_eq!(functions.contains(&function), defect.is_some(), "{app}: {functions:?}");
        let counts = outcome.progress.dmf;
        assert!(counts.checked > 50 && counts.partial * 4 < counts.completed, "{app}: {counts:?}");

        for finding in &outcome.findings {
            let run = runs.iter().find(|run| run.job.slot == finding.verdict.slot).expect("its job");
            let tests = recipe(run, &finding.verdict);
            let [test] = tests.as_slice() else { panic!("{} tests", tests.len()) };
            let Role::Property(calls) = &test.role else { panic!("{:?}", test.role) };
            let last = calls.last().and_then(|call| call.steps.last()).expect("a step");
            assert_eq!(usize::from(last.at) + 1, test.events.len(), "the recipe ends with the breach");
        }
        let make = |record: &SessionRecord, id| technique::planner(&record.definition, id, record.rng);
        let report = rederive(bench.lab.store(), &make).unwrap();
        assert!(report.is_clean(), "{report:?}");
        assert!(bench.lab.store().verify().unwrap().is_clean());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn configurations_carry_out_what_they_say() {
    for (configuration, random, one) in
        [(Configuration::A, false, true), (Configuration::B, true, true), (Configuration::Full, true, false)]
    {
        let bench = bench(DefectSwitches::none()).await;
        let mut definition = session("notes-pbfdroid.toml");
        definition.settings.change(|pbfdroid: &mut PbfdroidSettings| pbfdroid.configuration = configuration);
        definition.run.max_events = 600;
        definition.run.screens = ScreenPolicy::Never;
        let (outcome, runs) = bench.run(&definition, 2).await;
        let counts = outcome.progress.dmf;
        assert!(counts.completed > 0 && counts.reached > 1, "{configuration:?}: {counts:?}");
        assert_eq!(counts.random > 0, random, "{configuration:?}: {counts:?}");
        let of_one =
            |work: &Work| work.content::<PropertyTest>().is_some_and(|test| test.only.is_some() == one);
        assert!(runs.iter().all(|run| of_one(&run.job.work)), "{configuration:?}");
        assert!(outcome.findings.is_empty(), "{:?}", outcome.findings);
    }
}
