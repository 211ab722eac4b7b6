//! Clustering and weighing on made-up behaviours, and whole sessions on the toy app.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::cluster::{Clustering, Pair, Scales};
use super::weighing::{Behaviour, Weighing};
use crate::OdinSettings;
use crate::judge;
use crate::toy::{Session, run_session};
use droidmux_gui::{Bounds, Event, EventKind, Flags, Layout, LayoutBuilder, LayoutHash, NewWidget, StateId};
use droidmux_record::{
    Abstraction, Act, AppBuild, DeviceInfo, Evidence, FrontLayout, Handled, IgnoreRule, Job, JobRun, Layouts,
    Outcome, Phase, Purpose, SessionDefinition, SessionId, Slot, Source, Verdict, Work,
};

#[derive(Default)]
struct Shelf(BTreeMap<LayoutHash, Arc<Layout>>);

impl Layouts for Shelf {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.0.get(&hash).cloned()
    }
}

impl Shelf {
    /// A page with a bar of one button and a list with these rows; `*` after a name marks the row.
    fn view(&mut self, rows: &[&str]) -> FrontLayout {
        let mut builder = LayoutBuilder::new();
        let bounds = |n: i32| Bounds::new(0, n * 10, 100, n * 10 + 10);
        let clickable = Flags::ENABLED.with(Flags::CLICKABLE, true);
        builder.open(NewWidget { class: "Frame", ..NewWidget::default() });
        builder.open(NewWidget {
            class: "Button",
            resource_id: "add",
            flags: clickable,
            bounds: bounds(0),
            ..NewWidget::default()
        });
        builder.close();
        builder.open(NewWidget { class: "List", ..NewWidget::default() });
        for (n, row) in (1..).zip(rows) {
            builder.open(NewWidget {
                class: "Row",
                flags: clickable,
                bounds: bounds(n),
                ..NewWidget::default()
            });
            let text = row.trim_end_matches('*');
            builder.open(NewWidget { class: "Text", text, bounds: bounds(n), ..NewWidget::default() });
            builder.close();
            if row.ends_with('*') {
                builder.open(NewWidget { class: "Star", bounds: bounds(n), ..NewWidget::default() });
                builder.close();
            }
            builder.close();
        }
        let layout = Arc::new(builder.finish());
        let hash = layout.hash();
        self.0.insert(hash, layout);
        FrontLayout { layout: hash, activity: "a.Main".into(), in_app: true }
    }

    /// Pages before and after, written `a b > a b c`; `>` with nothing behind leaves the app.
    fn pair(&mut self, text: &str) -> Pair {
        let (before, after) = text.split_once('>').expect("two pages");
        let rows = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let mut view = |rows: &[String]| self.view(&rows.iter().map(String::as_str).collect::<Vec<_>>());
        let (old, new) = (view(&rows(before)), view(&rows(after)));
        let in_app = !after.trim().is_empty();
        Pair { before: old, after: FrontLayout { in_app, ..new } }
    }
}

fn cluster(shelf: &Shelf, pairs: &[Pair], settings: &OdinSettings) -> Clustering {
    Scales { settings, ignored: &[], layouts: shelf }.cluster(pairs)
}

/// `rules: sizes, anomalous sizes`.
fn told(clustering: &Clustering) -> String {
    let rules: Vec<String> = clustering.rules.iter().map(|rule| format!("{rule:?}").to_lowercase()).collect();
    let sizes: Vec<String> = clustering.clusters.iter().map(|c| c.size.to_string()).collect();
    let anomalies: Vec<String> = clustering.anomalies().map(|c| c.size.to_string()).collect();
    format!("{}: {}; {}", rules.join(" "), sizes.join(" "), anomalies.join(" "))
}

#[test]
fn clusters_by_what_happens() {
    let names = ["p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z", "o", "n", "m"];
    let all = |pattern: &str| names.iter().map(|name| pattern.replace('#', name)).collect::<Vec<_>>();
    for (what, usual, odd, expected) in [
        ("a row is added, once it is not", all("# > # b"), vec!["c > c"], "values: 14 1; 1"),
        ("where it is added does not matter", all("# c > # b c"), vec!["c > c"], "values: 14 1; 1"),
        ("the app is left", all("# > # b"), vec!["c >"], "values: 14 1; 1"),
        ("always the same", vec!["a > b".to_owned(); 14], vec![], ": 14; "),
        // Rows with other names: equal without values only, and by then every row is like another.
        ("what merges least comes first", all("a > a #"), vec!["a b > a b"], "duplicates values: 15; "),
        ("a row goes, or two", all("# b > #"), vec!["a b b > a"], "values: 14 1; 1"),
    ] {
        let mut shelf = Shelf::default();
        let texts = usual.iter().map(String::as_str).chain(odd);
        let pairs: Vec<Pair> = texts.map(|text| shelf.pair(text)).collect();
        let clustering = cluster(&shelf, &pairs, &OdinSettings::default());
        assert_eq!(told(&clustering), expected, "{what}");
    }
}

#[test]
fn only_the_rules_of_the_settings() {
    let mut shelf = Shelf::default();
    let pairs: Vec<Pair> = ["a > a b", "a > a c"].iter().map(|text| shelf.pair(text)).collect();
    for (rules, expected) in [
        (vec![Abstraction::Duplicates], "duplicates: 1 1; "),
        (vec![Abstraction::Values], "values: 2; "),
        (vec![Abstraction::Eventless, Abstraction::Duplicates], "duplicates eventless: 2; "),
    ] {
        let settings = OdinSettings { rules, ..OdinSettings::default() };
        assert_eq!(told(&cluster(&shelf, &pairs, &settings)), expected);
    }
}

#[test]
fn ignored_widgets_make_no_difference_and_lost_layouts_are_counted() {
    let mut shelf = Shelf::default();
    let pairs: Vec<Pair> = ["a > b", "c > d*", "e > f"].iter().map(|text| shelf.pair(text)).collect();
    let settings = OdinSettings { rules: vec![Abstraction::Values], ..OdinSettings::default() };
    assert_eq!(told(&cluster(&shelf, &pairs, &settings)), "values: 2 1; ");
    let star = IgnoreRule { class: "Star".into(), ..IgnoreRule::default() };
    let scales = Scales { settings: &settings, ignored: &[star], layouts: &shelf };
    assert_eq!(told(&scales.cluster(&pairs)), "values: 3; ");
    let lost = pairs[2].after.layout;
    shelf.0.remove(&lost);
    let clustering = cluster(&shelf, &pairs, &settings);
    assert_eq!((told(&clustering).as_str(), clustering.lost), ("values: 1 1; ", 1));
}

/// Behaviours on pages of a few rows.
fn behaviours() -> impl Strategy<Value = Vec<(Vec<usize>, Vec<usize>)>> {
    let rows = || prop::collection::vec(0usize..5, 0..4);
    prop::collection::vec((rows(), rows()), 1..30)
}

const NAMES: [&str; 5] = ["a", "b", "c", "d*", "e*"];

fn pairs(shelf: &mut Shelf, of: &[(Vec<usize>, Vec<usize>)]) -> Vec<Pair> {
    let mut view = |rows: &[usize]| shelf.view(&rows.iter().map(|&n| NAMES[n]).collect::<Vec<_>>());
    of.iter().map(|(before, after)| Pair { before: view(before), after: view(after) }).collect()
}

proptest! {
    #[test]
    fn the_order_of_the_behaviours_changes_nothing(of in behaviours(), seed in any::<u64>()) {
        let mut shelf = Shelf::default();
        let first = pairs(&mut shelf, &of);
        let mut order: Vec<usize> = (0..first.len()).collect();
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        let second: Vec<Pair> = order.iter().map(|&n| first[n].clone()).collect();
        let settings = OdinSettings::default();
        let one = cluster(&shelf, &first, &settings);
        let mut two = cluster(&shelf, &second, &settings);
        for cluster in &mut two.clusters {
            cluster.members = cluster.members.iter().map(|&n| order[n]).collect();
            cluster.members.sort_unstable();
        }
        prop_assert_eq!(&one, &two);
        let mut members: Vec<usize> = one.clusters.iter().flat_map(|c| c.members.clone()).collect();
        members.sort_unstable();
        prop_assert_eq!(members, (0..first.len()).collect::<Vec<_>>(), "every behaviour is in one cluster");
    }

    /// One and the same row taken out of, or put into, any list at any place is the same script.
    #[test]
    fn scripts_have_no_positions(
        one in prop::collection::vec(0usize..3, 0..6), at in 0usize..6,
        other in prop::collection::vec(0usize..3, 0..6), there in 0usize..6, adds in any::<bool>(),
    ) {
        let mut shelf = Shelf::default();
        let of = |rows: &[usize], at: usize| {
            let mut with = rows.to_vec();
            with.insert(at.min(rows.len()), 4);
            let (with, without) = (with, rows.to_vec());
            if adds { (without, with) } else { (with, without) }
        };
        let both = pairs(&mut shelf, &[of(&one, at), of(&other, there)]);
        let settings = OdinSettings::default();
        let scales = Scales { settings: &settings, ignored: &[], layouts: &shelf };
        for rules in 0..8 {
            // With values or texts gone too, the row may be a twin of others.
            if rules > Abstraction::Duplicates.bit() {
                continue;
            }
            prop_assert_eq!(scales.fingerprint(&both[0], rules), scales.fingerprint(&both[1], rules), "{}", rules);
        }
    }
}

fn weigh(shelf: &Shelf, texts: &[Pair]) -> Vec<Verdict> {
    let receiver = |pair: &Pair| {
        let layout = shelf.layout(pair.before.layout).expect("layout");
        layout.selector(layout.widgets().find(|w| w.class() == "Button").expect("button").id())
    };
    let behaviours = texts.iter().zip(0..).map(|(pair, n)| Behaviour {
        input: vec![0, 1],
        before: pair.before.clone(),
        after: pair.after.clone(),
        source: Source { session: SessionId(1), slot: Slot(n), test: 0, step: 2 },
    });
    let weighing = Weighing {
        state: StateId(7),
        event: Handled {
            kind: EventKind::Click,
            class: "Button".into(),
            resource_id: "add".into(),
            description: String::new(),
            data: None,
        },
        events: vec![Event::global(EventKind::Back), Event::on(EventKind::Click, receiver(&texts[0]))],
        behaviours: behaviours.collect(),
    };
    let run = JobRun {
        job: Job { slot: Slot(40), rng: 0, work: Work::errand(weighing) },
        attempt: 1,
        device: DeviceInfo::default(),
        app: AppBuild::default(),
        turns: Vec::new(),
    };
    judge(&run, &definition(100), &[], shelf).verdicts
}

#[test]
fn a_weighing_tells_the_deviant_behaviour_beside_the_usual_one() {
    let mut shelf = Shelf::default();
    let names = ["p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z"];
    let mut pairs: Vec<Pair> = names.iter().map(|name| shelf.pair(&format!("{name} > {name} b"))).collect();
    let few = weigh(&shelf, &pairs);
    assert!(
        matches!(&few[0].outcome, Outcome::Inconclusive(why) if why.starts_with("too few: 11 ")),
        "{few:?}"
    );
    pairs.push(shelf.pair("b > b"));
    let verdicts = weigh(&shelf, &pairs);
    let [verdict] = verdicts.as_slice() else { panic!("{verdicts:?}") };
    assert_eq!(verdict.outcome, Outcome::Violation);
    assert_eq!(verdict.title, "Clicking the button 'add' usually brings 'b', but not in 1 of 12 cases.");
    let Evidence::Deviation(deviation) = &verdict.evidence else { panic!("{verdict:?}") };
    assert_eq!((deviation.sizes.as_slice(), deviation.majority, deviation.mean), (&[11, 1][..], 1, 11.0));
    assert!((deviation.deviation - 11.0_f64.sqrt()).abs() < 1e-9);
    assert!(deviation.z.is_some_and(|z| (z + 10.0 / 11.0_f64.sqrt()).abs() < 1e-9), "{:?}", deviation.z);
    assert_eq!((&deviation.deviant.before, &deviation.deviant.after), (&pairs[11].before, &pairs[11].after));
    assert_eq!((deviation.usual.size, deviation.deviant.source.slot), (11, Slot(11)));
    assert_eq!(deviation.deviant.input.iter().map(|e| e.kind.name()).collect::<Vec<_>>(), ["back", "click"]);
    assert_eq!((deviation.effects.len(), deviation.surplus), (2, 0), "a row and its text");
    let again = weigh(&shelf, &pairs);
    assert_eq!(again[0].key, verdict.key);
    pairs.truncate(11);
    pairs.push(shelf.pair("o > o b"));
    let pass = weigh(&shelf, &pairs);
    assert_eq!((pass.len(), &pass[0].outcome), (1, &Outcome::Pass));
}

fn definition(max_events: u64) -> SessionDefinition {
    let text = format!("{{\"technique\":\"odin\",\"app\":\"toy\",\"run\":{{\"max-events\":{max_events}}}}}");
    let mut definition: SessionDefinition = serde_json::from_str(&text).expect("definition");
    definition.settings.change(|odin: &mut OdinSettings| odin.explore_events = 400);
    definition.settings.change(|odin: &mut OdinSettings| odin.inputs = 12);
    definition
}

/// The kinds of work in the order of their first job.
fn works(session: &Session) -> Vec<&str> {
    let mut works = Vec::new();
    for job in &session.jobs {
        if !works.contains(&job.work.name()) {
            works.push(job.work.name());
        }
    }
    works
}

#[test]
fn the_order_in_which_jobs_finish_changes_nothing() {
    let first = run_session(&definition(2_500), true, 7, 1);
    for order in 2..4 {
        let other = run_session(&definition(2_500), true, 7, order);
        assert_eq!(first.jobs, other.jobs);
        assert_eq!(first, other);
    }
    assert_ne!(first.jobs, run_session(&definition(2_500), true, 8, 1).jobs, "the RNG seed matters");
}

#[test]
fn stays_within_the_budget_and_goes_through_all_phases() {
    for max_events in [1, 50, 500, 4_000] {
        let session = run_session(&definition(max_events), true, 3, 1);
        let performed = session.acts.iter().flatten().filter(|a| matches!(a, Act::Perform(_))).count() as u64;
        assert_eq!(session.progress.phase, Phase::DONE);
        assert_eq!(session.progress.events, performed);
        assert!(performed <= max_events, "{performed} of {max_events}");
        if max_events == 4_000 {
            let mut works = works(&session);
            // Belongs to no phase.
            works.retain(|work| *work != "roam");
            assert!(works.starts_with(&["mine", "calibrate"]), "{works:?}");
            assert!(works.contains(&"manifest") && works.contains(&"weigh"), "{works:?}");
            let tally = session.progress.tally;
            assert!(tally.calibrated > 50 && tally.reused > 0 && tally.manifested > 0, "{tally:?}");
            assert_eq!(tally.weighed + tally.too_few, tally.pairs, "{tally:?}");
            let strays: u64 = tally.strays.causes().iter().map(|(_, number)| number).sum();
            assert_eq!(strays, tally.strayed, "each has one cause: {tally:?}");
        }
    }
}

#[test]
fn without_calibration_no_walks_are_run() {
    let mut without = definition(2_000);
    without.settings.change(|odin: &mut OdinSettings| odin.calibrate = false);
    let session = run_session(&without, false, 3, 1);
    assert!(!works(&session).contains(&"calibrate"));
    assert_eq!(session.progress.tally.calibrated, 0);
}

#[test]
fn manifested_inputs_end_in_their_state_and_calibrated_ones_are_walks() {
    let session = run_session(&definition(4_000), false, 5, 1);
    let limit = definition(0).settings.of::<OdinSettings>().walk_events as usize;
    for job in &session.jobs {
        let Work::Batch(batch) = &job.work else { continue };
        match &batch.purpose {
            Purpose::Calibrate { .. } => assert!(batch.tests.iter().all(|test| test.events.len() <= limit)),
            Purpose::Manifest(manifest) => {
                assert_eq!(manifest.event.data.is_some(), manifest.event.kind == EventKind::Edit);
            }
            _ => {}
        }
    }
    assert!(
        session.progress.tally.discarded * 5 <= session.progress.tally.manifested,
        "{:?}",
        session.progress
    );
}
