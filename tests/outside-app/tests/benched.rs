//! The app of this crate, tested and benched with what the shipped apps are tested and benched with.

use droidmux::bench::defects::{self, Apps, Figures, Plan, PlanOptions, RunOptions, Scope};
use droidmux_testutils::app::{Case, walk, walk_beside};
use outside_app::tally::{CRASH, PACKAGE, app};

const CASE: Case = Case {
    id: CRASH,
    package: PACKAGE,
    functions: &["clear", "open the overview"],
    trigger: |probe| {
        probe.tap("Clear").tap("Overview");
    },
    is_right: |probe| !probe.crashed(),
};

#[test]
fn its_case_triggers_its_defect_and_walks_find_nothing_amiss() {
    assert_eq!(CASE.check(&[app()]), Vec::<String>::new());
    for seed in 1..=3 {
        assert_eq!(walk(&[app()], PACKAGE, seed, 60).err(), None);
        assert_eq!(walk_beside(&[app()], PACKAGE, CRASH, seed, 60).err(), None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_benched_like_the_shipped_apps() {
    let options =
        PlanOptions { techniques: vec!["monkey".into()], events: 300, seeds: 2, ..PlanOptions::default() };
    let plan = Plan::new(options, &Apps::of([app()])).unwrap();
    let done = defects::run(&plan, RunOptions::default()).await.unwrap();
    assert!(done.failed.is_empty(), "{:?}", done.failed);
    let figures = Figures::of(&plan, &done.records);
    let monkey = figures.techniques[0].on(Scope::All).unwrap();
    assert_eq!((monkey.present, monkey.set_off_ever, monkey.found_ever), (1, 1, 1), "{figures:?}");
    // With its defect off nothing is reported, with either seed.
    assert_eq!(figures.correct[0].by[0].reported, [0, 0]);
}
