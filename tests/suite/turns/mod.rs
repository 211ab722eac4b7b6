//! A technique that is no part of the crate, through the public table of techniques: the worked
//! example of CONTRIBUTING.md.

mod technique;

use std::collections::BTreeMap;
use std::sync::Arc;

use droidmux::cli::read_session;
use droidmux::gui::{Event, EventKind, Layout, LayoutBuilder, LayoutHash, NewWidget};
use droidmux::lab::{SessionEnd, rederive};
use droidmux::record::{
    Act, AppBuild, DeviceInfo, Job, JobRun, Layouts, Observation, Outcome, Screen, Seen, SessionRecord, Slot,
    Turn, Work,
};
use droidmux::sim::{DefectSwitches, SimOptions, apps};
use droidmux::technique::{Oracle, planner, register};

use crate::sessions::Bench;
use technique::{Stroll, TURNS, TurnsOracle};

#[tokio::test(flavor = "multi_thread")]
async fn a_technique_outside_of_the_crate_searches_finds_and_is_derived_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("turns.toml");
    let write = |events: u32| {
        let text = format!(
            "technique = \"turns\"\napp = \"org.droidmux.notes\"\n[run]\nmax-events = {events}\nscreens = \"never\"\n\
             [turns]\nstroll-events = 29\n"
        );
        std::fs::write(&file, text).unwrap();
        read_session(&file, &Default::default()).map_err(|error| error.to_string())
    };
    let unknown = write(1_200).unwrap_err();
    assert!(unknown.contains("no technique `turns`, only `genie`"), "{unknown}");
    register(&TURNS).unwrap();
    let short = write(28).unwrap_err();
    assert!(short.contains("turns.toml:4: a stroll takes 29 events"), "{short}");

    let definition = write(1_200).unwrap();
    let defects = DefectSwitches::none();
    let bench =
        Bench::new(SimOptions { devices: 2, steady: true, defects, ..SimOptions::with_apps(apps::all()) })
            .await;
    let (outcome, runs) = bench.run(&definition, 5).await;
    assert_eq!(outcome.end, SessionEnd::Complete);
    assert_eq!(outcome.progress.phase.name, "done");
    // An open menu goes when the screen is turned, as on every phone.
    let [found] = outcome.findings.as_slice() else { panic!("{:?}", outcome.findings) };
    assert_eq!((found.technique.as_str(), found.verdict.oracle.as_str()), ("turns", "turns"));
    assert!(found.verdict.title.starts_with("turning the screen loses "), "{found:?}");
    assert!(found.confirmation.is_confirmed(), "{found:?}");
    let strolls = runs.iter().filter_map(|run| run.job.work.content::<Stroll>());
    assert!(strolls.count() > 20, "{} jobs", runs.len());
    let make = |record: &SessionRecord, id| planner(&record.definition, id, record.rng);
    let report = rederive(bench.lab.store(), &make).unwrap();
    assert!(report.is_clean() && report.jobs == runs.len() as u64, "{report:?}");
}

struct Pages(BTreeMap<LayoutHash, Arc<Layout>>);

impl Layouts for Pages {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.0.get(&hash).cloned()
    }
}

#[test]
fn its_oracle_objects_to_lost_texts() {
    for (pages, key) in [
        (["draft", "draft", "draft"], ""),
        (["draft", "draft", "empty"], "\"draft\" on notes.Editor"),
        (["draft", "empty", "draft"], ""),
    ] {
        let mut known = Pages(BTreeMap::new());
        let events = [EventKind::Click, EventKind::Rotate, EventKind::Rotate];
        let acts = [Act::Reset].into_iter().chain(events.map(|kind| Act::Perform(Event::global(kind))));
        let shown = ["empty"].into_iter().chain(pages);
        let turns = acts.zip(shown).map(|(act, text)| {
            let mut builder = LayoutBuilder::new();
            builder.open(NewWidget { class: "android.widget.EditText", text, ..NewWidget::default() });
            let layout = Arc::new(builder.finish());
            let screen = Screen {
                layout: layout.hash(),
                package: "notes".into(),
                activity: "notes.Editor".into(),
                in_app: true,
                rotation: 0,
                keyboard: false,
            };
            known.0.insert(layout.hash(), layout);
            let seen = Seen {
                screen,
                settling: droidmux::record::Settling::Strict,
                dumps: 2,
                toast: None,
                hears_toasts: false,
                resolution: None,
                signals: Vec::new(),
                setup: Vec::new(),
                dialogs: Vec::new(),
                screenshot: None,
            };
            Turn { act, observation: Observation::Seen(Box::new(seen)), at_ms: 0, took_ms: 0 }
        });
        let turns = turns.collect();
        let job = Job { slot: Slot(0), rng: 1, work: Work::errand(Stroll { events: 3 }) };
        let (device, app) = (DeviceInfo::default(), AppBuild::default());
        let run = JobRun { job, attempt: 1, device, app, turns };
        let judged = TurnsOracle.judge(&run, &known).verdicts;
        let [verdict] = judged.as_slice() else { panic!("{judged:?}") };
        assert_eq!(verdict.key, key, "{pages:?}");
        assert_eq!(verdict.outcome == Outcome::Violation, !key.is_empty(), "{pages:?}");
    }
}

#[test]
fn the_guide_shows_what_is_compiled_here() {
    let guide = include_str!("../../../CONTRIBUTING.md");
    let source = include_str!("technique.rs");
    let blocks: Vec<&str> =
        guide.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 2, "{} blocks", blocks.len());
    for block in blocks {
        assert!(source.contains(block), "not in tests/suite/turns/technique.rs:\n{block}");
    }
}
