//! Figures of made-up trials, counted by hand.

use super::*;
use crate::defects::fixture::{plan, records};
use droidmux_schema::Document;
use droidmux_words::number;

fn present(plan: &Plan) -> u64 {
    plan.apps.iter().map(|app| app.defects().len() as u64).sum()
}

fn told(spread: Option<Spread>) -> String {
    spread.map_or_else(|| "none".into(), |s| format!("{} {} {}", s.median, s.least, s.most))
}

/// Written anew when `DROIDMUX_WRITE_DOCS` is set.
#[test]
fn the_documentation_is_current() {
    let document = Document::new("The object that `droidmux bench defects --json` prints");
    Document::keep("bench.schema.json", &document.of::<Figures>(), "droidmux-bench");
}

#[test]
fn counts_are_sums_over_apps_and_spreads_over_seeds() {
    let plan = plan();
    let figures = Figures::of(&plan, &records(&plan));
    let [genie, odin, monkey, never] = figures.techniques.as_slice() else { panic!("four techniques") };
    assert_eq!((never.scopes.len(), never.events), (0, None));
    let all = genie.on(Scope::All).expect("figures");
    // Of diary, notes and todo; with all defects off there are others.
    assert_eq!((all.present, all.finished, all.found_ever), (present(&plan), 6, 3));
    let recall = all.recall.map(|recall| recall.most);
    assert_eq!(recall, Some(number::share(2, all.present)));
    let reported = all.tier(Tier::Reported).expect("figures");
    let suspicious = all.tier(Tier::Suspicious).expect("figures");
    let explained = all.tier(Tier::Explained).expect("figures");
    let cases = [
        // Seed 1: the wrong picture and turning; seed 2: the unsaved name.
        ("found", all.found, "1.5 1 2"),
        ("by reported ones", all.reported, "1 0 2"),
        // The finding that names turning does not stand for its cluster.
        ("by clusters", all.found_by_clusters, "1 1 1"),
        ("set off", all.set_off, "2 2 2"),
        ("reported", reported.findings.count, "4.5 3 6"),
        // A key that is a false alarm elsewhere does not count.
        ("true", reported.findings.true_ones, "1.5 0 3"),
        ("false", reported.findings.false_alarms, "1.5 1 2"),
        ("undecided", reported.findings.undecided, "1.5 1 2"),
        ("precision", reported.findings.precision, "0.375 0 0.75"),
        ("read for a defect", reported.findings.read_per_defect, "3 3 3"),
        ("clusters", reported.clusters.count, "4 3 5"),
        ("true clusters", reported.clusters.true_ones, "1 0 2"),
        // Two tests show the wrong picture, one of them also a false alarm.
        ("mutants", reported.mutants.count, "3.5 2 5"),
        ("true mutants", reported.mutants.true_ones, "1.5 0 3"),
        ("suspicious", suspicious.findings.true_ones, "0.5 0 1"),
        ("explained", explained.findings.count, "0.5 0 1"),
        ("first five", all.first_five, "0.3333333333333333 0 0.6666666666666666"),
        ("first detection", genie.first_detection, "500 410 12345"),
        ("events", genie.events, "901.5 901 902"),
        ("found by odin", odin.on(Scope::All).and_then(|all| all.found), "0.5 0 1"),
        ("found by monkey on A", monkey.on(Scope::A).and_then(|a| a.found), "1.5 1 2"),
        ("found by monkey on B", monkey.on(Scope::B).and_then(|b| b.found), "0 0 0"),
    ];
    for (what, spread, expected) in cases {
        assert_eq!(told(spread), expected, "{what}");
    }
}

#[test]
fn oracles_are_told_apart() {
    let plan = plan();
    let figures = Figures::of(&plan, &records(&plan));
    let genie = &figures.techniques[0];
    let told: Vec<String> = (genie.oracles.iter())
        .map(|oracle| format!("{} {} {}", oracle.oracle, oracle.found_ever, oracle.found_alone.join(",")))
        .collect();
    assert_eq!(told, ["genie 2 diary.wrong-picture,diary.unsaved-name", "relations 1 notes.rotate-edit"]);
}

#[test]
fn what_is_reported_with_all_defects_off_is_given_by_app_and_seed() {
    let plan = plan();
    let figures = Figures::of(&plan, &records(&plan));
    let genie = |app: &str| {
        let app = figures.correct.iter().find(|correct| correct.app.ends_with(app)).expect("an app");
        let by = app.by.iter().find(|by| by.technique == "genie").expect("figures");
        (by.seeds.clone(), by.reported.clone(), by.reported_clusters.clone(), by.suspicious.clone())
    };
    assert_eq!(genie("diary"), (vec![1, 2], vec![2, 0], vec![1, 0], vec![0, 1]));
    assert_eq!(genie("todo"), (vec![1, 2], vec![0, 0], vec![0, 0], vec![0, 0]));
}

#[test]
fn defects_name_their_finders_and_the_union_its_gain() {
    let plan = plan();
    let figures = Figures::of(&plan, &records(&plan));
    let by = |id: &str| {
        let defect = figures.defects.iter().find(|defect| defect.id == id).expect("a defect");
        let found: Vec<u64> = defect.by.iter().map(|detection| detection.seeds).collect();
        let set_off: Vec<u64> = defect.by.iter().map(|detection| detection.set_off).collect();
        (found, set_off, defect.only_by.clone())
    };
    let genie = Some("genie".to_owned());
    assert_eq!(by("diary.wrong-picture"), (vec![1, 0, 0], vec![2, 0, 0], genie.clone()));
    assert_eq!(by("diary.unsaved-name"), (vec![1, 0, 0], vec![1, 0, 0], genie.clone()));
    assert_eq!(by("notes.rotate-edit"), (vec![1, 0, 2], vec![1, 0, 0], None));
    assert_eq!(by("notes.same-title"), (vec![0, 0, 0], vec![0, 0, 1], None));
    let union = &figures.unions[0];
    let all = union.scopes.iter().find(|scope| scope.scope == Scope::All).expect("figures");
    assert_eq!((all.present, all.found_ever), (present(&plan), 4));
    // Seed 1: 2, of which genie finds 2; seed 2: 3, of which monkey finds 2.
    assert_eq!(told(all.found), "2.5 2 3");
    assert_eq!(told(all.best), "2 2 2");
    assert_eq!(told(all.gain), "0.5 0 1");
    assert_eq!(union.best_technique, genie);
    assert_eq!(union.beyond_best, ["notes.rotate-search"]);
    assert_eq!(union.unseen, ["notes.same-title"]);
    assert!(union.unreached.contains(&"todo.tags-doubled".to_owned()), "{:?}", union.unreached);
}

#[test]
fn what_is_found_of_a_set_is_counted() {
    let plan = plan();
    let sets = DefectSet::read("notes.*,diary.wrong-picture", &plan).expect("a set");
    let figures = Figures::with_sets(&plan, &records(&plan), &[sets]);
    let [set] = figures.sets.as_slice() else { panic!("one set") };
    assert!(set.defects.len() > 3 && set.defects.iter().all(|id| !id.starts_with("todo")));
    let told: Vec<String> = set
        .by
        .iter()
        .chain([&set.together])
        .map(|by| format!("{} {}: {}", by.of, told(by.found), by.found_ever.join(",")))
        .collect();
    assert_eq!(
        told,
        [
            "genie 1 0 2: diary.wrong-picture,notes.rotate-edit",
            "odin 0.5 0 1: notes.rotate-search",
            "monkey 1.5 1 2: notes.rotate-edit,notes.rotate-search",
            "never 0 0 0: ",
            "together 2 2 2: diary.wrong-picture,notes.rotate-edit,notes.rotate-search",
        ]
    );
    assert!(set.missed.contains(&"notes.same-title".to_owned()));
    assert_eq!(set.missed.len() + 3, set.defects.len());
    for (text, wrong) in
        [("diary.wrong-picture,notes.nothing", "notes.nothing"), (",", ""), ("tube.*", "tube.*")]
    {
        let error = DefectSet::read(text, &plan).expect_err(text).to_string();
        assert!(error.starts_with(&format!("no defect {wrong:?}; there are diary.")), "{error}");
    }
}

#[test]
fn precision_is_told_over_all_seeds() {
    let plan = plan();
    let figures = Figures::of(&plan, &records(&plan));
    let all = figures.techniques[0].on(Scope::All).expect("figures");
    let reported = &all.tier(Tier::Reported).expect("figures").findings;
    let Lines { true_ones, false_alarms, undecided } = reported.all_seeds;
    assert_eq!((true_ones, false_alarms, undecided), (3, 3, 3));
    assert_eq!(reported.precision_of_all_seeds, Some(0.5));
}

/// The same loss after other events is another matter.
#[test]
fn a_key_is_a_false_alarm_only_with_its_recipe() {
    let plan = plan();
    // The recipes of the false alarm and of the true finding of the same key, and whether the latter counts.
    let cases = [
        (Some("a"), Some("b"), true),
        (Some("a"), Some("a"), false),
        (None, Some("a"), false),
        (Some("a"), None, false),
    ];
    for (of_false, of_true, counts) in cases {
        let mut records = records(&plan);
        for record in &mut records {
            for finding in record.findings.iter_mut().filter(|finding| finding.key == "clock") {
                let is_true = matches!(finding.ruling, Ruling::True { .. });
                finding.recipe = if is_true { of_true } else { of_false }.map(str::to_owned);
            }
        }
        let figures = Figures::of(&plan, &records);
        let reported = &figures.techniques[0]
            .on(Scope::All)
            .expect("all")
            .tier(Tier::Reported)
            .expect("a tier")
            .findings;
        assert_eq!(reported.all_seeds.true_ones, if counts { 4 } else { 3 }, "{of_false:?} {of_true:?}");
    }
}

#[test]
fn no_records_give_no_figures() {
    let plan = plan();
    let figures = Figures::of(&plan, &[]);
    assert_eq!((figures.finished, figures.trials), (0, 36));
    assert!(figures.techniques.iter().flat_map(|t| &t.scopes).all(|s| s.found.is_none()));
    assert_eq!(figures.unions[0].unreached.len() as u64, present(&plan));
    assert_eq!(figures.unions[0].best_technique, None);
}
