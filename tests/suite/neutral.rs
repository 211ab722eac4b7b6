//! Neutral insertions on the simulated lab: apps without defects are not accused, and sessions can be rederived.

use droidmux::technique::{GenieSettings, NeutralSettings};
use std::collections::BTreeSet;

use droidmux::gui::EventKind;
use droidmux::lab::rederive;
use droidmux::record::{Act, Goal, NeutralInsertion, SessionRecord, Tier, Work};
use droidmux::sim::{DefectSwitches, SimOptions, apps};
use droidmux::technique;

use crate::sessions::{Bench, session};

#[tokio::test(flavor = "multi_thread")]
async fn an_app_without_defects_is_not_accused_and_the_session_is_derived_again() {
    let options = SimOptions {
        devices: 2,
        steady: true,
        defects: DefectSwitches::none(),
        ..SimOptions::with_apps(apps::all())
    };
    let bench = Bench::new(options).await;
    let mut definition = session("notes-neutral.toml");
    definition.run.max_events = 1_500;
    definition.run.revisit_share = 50;
    definition.settings.change(|genie: &mut GenieSettings| genie.mine_events = 300);
    definition.settings.change(|genie: &mut GenieSettings| genie.seeds = 5);
    let insertions = vec![NeutralInsertion::Rotate, NeutralInsertion::Home, NeutralInsertion::Page];
    definition.settings.change(|neutral: &mut NeutralSettings| neutral.insertions = insertions);
    let (outcome, runs) = bench.run(&definition, 3).await;
    assert!(outcome.vain.is_none(), "{:?}", outcome.vain);
    let reported: Vec<&str> = outcome
        .findings
        .iter()
        .filter(|finding| finding.tier == Tier::Reported && finding.verdict.oracle == "neutral")
        .map(|finding| finding.verdict.title.as_str())
        .collect();
    assert!(reported.is_empty(), "{reported:#?}");
    assert!(outcome.progress.funnel.executed > 20, "{:?}", outcome.progress.funnel);

    let mut goals = BTreeSet::new();
    let mut relaunches = 0;
    for run in &runs {
        if let Work::Explore(explore) = &run.job.work {
            goals.insert(match explore.goal {
                Goal::Mine => "mine",
                Goal::Seed => "seed",
                Goal::Roam => "roam",
            });
            let starts_again =
                |act: &Act| matches!(act, Act::Perform(event) if event.kind == EventKind::Relaunch);
            relaunches += run.turns.iter().filter(|turn| starts_again(&turn.act)).count();
        }
    }
    assert_eq!(goals, BTreeSet::from(["mine", "roam", "seed"]));
    assert!(relaunches > 0, "no exploration ended with a visit");
    let performed: u64 = runs.iter().map(|run| run.events()).sum();
    assert!(performed <= definition.run.max_events, "{performed}");

    let make = |record: &SessionRecord, id| technique::planner(&record.definition, id, record.rng);
    let report = rederive(bench.lab.store(), &make).unwrap();
    assert!(report.is_clean(), "{report:?}");
}
