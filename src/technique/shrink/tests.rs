//! The search on any predicate, and a whole session on the toy app.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use proptest::prelude::*;

use super::ddmin::{Ddmin, Kept};
use crate::GenieSettings;
use crate::toy::{Session, run_session, shows};
use droidmux_gui::Event;
use droidmux_record::{
    Finding, Job, Purpose, Role, SessionDefinition, ShrinkEnding, ShrinkSettings, Test, Work, events_told,
};

/// The search by itself: what is kept at the end, and how often it asked.
fn search(units: usize, shows: impl Fn(&Kept) -> bool) -> (Kept, usize) {
    let mut search = Ddmin::new(vec![(0..units).collect()]);
    let mut asked = 0;
    while let Some(candidate) = search.candidate() {
        asked += 1;
        if shows(&candidate) { search.shown() } else { search.absent() }
    }
    (search.kept(), asked)
}

/// Shows when one of these sets is kept whole: any monotone predicate is of this form.
fn holds_one(sets: &[BTreeSet<usize>], kept: &Kept) -> bool {
    sets.iter().any(|set| set.iter().all(|unit| kept.contains(unit)))
}

proptest! {
    #[test]
    fn nothing_can_be_taken_from_the_result_alone(
        units in 0usize..40,
        sets in prop::collection::vec(prop::collection::btree_set(0usize..40, 0..6), 1..4),
    ) {
        let sets: Vec<BTreeSet<usize>> =
            sets.into_iter().map(|set| set.into_iter().filter(|unit| *unit < units).collect()).collect();
        let (kept, asked) = search(units, |kept| holds_one(&sets, kept));
        prop_assert!(holds_one(&sets, &kept));
        for unit in &kept {
            let without: Kept = kept.iter().copied().filter(|other| other != unit).collect();
            prop_assert!(!holds_one(&sets, &without), "{unit} of {kept:?} is not needed");
        }
        prop_assert!(asked <= units * units + 4 * units, "{asked} for {units} units");
        prop_assert!(kept.is_sorted());
    }

    #[test]
    fn also_what_is_not_monotone_ends_with_a_result_that_shows(units in 0usize..24, salt: u64) {
        // Any set shows or not, as a hash will have it; all units together do.
        let shows = |kept: &Kept| {
            let sum = kept.iter().fold(salt, |sum, unit| sum.rotate_left(7) ^ (*unit as u64).wrapping_mul(0x9e37_79b9));
            kept.len() == units || sum % 3 == 0
        };
        let (kept, asked) = search(units, shows);
        prop_assert!(shows(&kept));
        prop_assert!(asked <= 2 * units * units + 4 * units);
    }
}

#[test]
fn what_undoes_each_other_goes_together() {
    // `(` and `)` only make sense in pairs; `x` is needed.
    for (text, expected) in
        [("()x", "x"), ("(x)()", "(x)"), ("(()x)", "(x)"), ("((x))", "((x))"), ("()()()", "()")]
    {
        let letters: Vec<char> = text.chars().collect();
        let balanced = |kept: &Kept| {
            let needed = (0..letters.len()).filter(|n| letters[*n] == 'x').all(|n| kept.contains(&n));
            let mut open = 0;
            let closes = kept.iter().all(|n| {
                open += match letters[*n] {
                    '(' => 1,
                    ')' => -1,
                    _ => 0,
                };
                open >= 0
            });
            needed && closes && open == 0
        };
        let (kept, _) = search(letters.len(), balanced);
        assert_eq!(kept.iter().map(|n| letters[*n]).collect::<String>(), expected, "{text}");
    }
}

#[test]
fn few_needed_units_take_few_candidates() {
    // units, needed ones, candidates at most
    for (units, needed, most) in [(64, vec![20, 41], 45), (64, vec![], 14), (1, vec![0], 1), (8, vec![7], 10)]
    {
        let (kept, asked) = search(units, |kept| needed.iter().all(|unit| kept.contains(unit)));
        assert_eq!(kept, needed);
        assert!(asked <= most, "{asked} candidates for {needed:?} of {units}");
    }
}

fn definition(max_events: u64) -> SessionDefinition {
    let text = format!("{{\"technique\":\"genie\",\"app\":\"toy\",\"run\":{{\"max-events\":{max_events}}}}}");
    let mut definition: SessionDefinition = serde_json::from_str(&text).expect("definition");
    definition.settings.change(|genie: &mut GenieSettings| genie.mine_events = 400);
    definition.settings.change(|genie: &mut GenieSettings| genie.seeds = 10);
    definition
}

/// A finding of the toy's defect with its tests.
fn finding() -> (Finding, Vec<Test>) {
    static FOUND: OnceLock<(Finding, Vec<Test>)> = OnceLock::new();
    FOUND.get_or_init(find).clone()
}

fn find() -> (Finding, Vec<Test>) {
    let definition = definition(12_000);
    for rng in 0..8 {
        let session = run_session(&definition, true, rng, 1);
        let found = session.findings.iter().find(|finding| {
            finding.confirmation.is_confirmed()
                && shows(finding, &session, &definition, true)
                && !shows(finding, &session, &definition, false)
        });
        let Some(finding) = found else { continue };
        let (slot, test) = finding.seen[0];
        let job = session.jobs.iter().find(|job| job.slot == slot).expect("a job");
        let Work::Batch(batch) = &job.work else { panic!("no batch") };
        return (finding.clone(), batch.reduced_to(test));
    }
    panic!("no finding")
}

fn shrinking(finding: &Finding, tests: &[Test], window: u32, max_events: u64) -> SessionDefinition {
    let mut definition = definition(max_events);
    definition.run.window = window;
    definition.shrink = Some(ShrinkSettings {
        finding: finding.id.clone(),
        key: finding.verdict.key.clone(),
        tests: tests.to_vec(),
        confirm: 1,
        times: 3,
        rounds: 1_000,
    });
    definition
}

/// The tests of the last job: the result.
fn result(session: &Session) -> Vec<Test> {
    let last: Option<&Job> = session.jobs.last();
    let Some(Work::Batch(batch)) = last.map(|job| &job.work) else { panic!("no batch") };
    assert!(matches!(batch.purpose, Purpose::Shrink { .. }));
    batch.tests.clone()
}

#[test]
fn any_window_and_order_of_finish_gives_the_same_result() {
    let (finding, tests) = finding();
    let first = run_session(&shrinking(&finding, &tests, 1, 50_000), true, 0, 1);
    let shortest = result(&first);
    assert!(events_told(&shortest) < events_told(&tests), "{} events", events_told(&tests));
    assert!(first.findings[0].confirmation.is_confirmed(), "the result shows");
    assert_eq!(first.findings[0].verdict.key, finding.verdict.key);
    for (window, orders) in [(2, 1..2), (8, 1..4)] {
        let mut jobs = BTreeMap::new();
        for order in orders {
            let other = run_session(&shrinking(&finding, &tests, window, 50_000), true, 0, order);
            assert_eq!(result(&other), shortest, "window {window}, order {order}");
            jobs.insert(order, other.jobs);
        }
        assert!(jobs.values().all(|other| Some(other) == jobs.values().next()), "window {window}");
    }
    let [seed, mutant, again] = &shortest[..] else { panic!("{shortest:?}") };
    assert_eq!(seed, again);
    let Role::Mutant(insertion) = mutant.role else { panic!("{mutant:?}") };
    let inserted = usize::from(insertion.pivot) - 1..usize::from(insertion.pivot + insertion.length) - 1;
    let own = mutant.events.iter().enumerate().filter(|(n, _)| !inserted.contains(n));
    assert_eq!(own.map(|(_, event)| event).collect::<Vec<&Event>>(), seed.events.iter().collect::<Vec<_>>());
}

#[test]
fn limits_hold_and_a_finding_that_does_not_show_is_left_as_it_is() {
    let (finding, tests) = finding();
    let events: u64 = tests.iter().map(|test| test.events.len() as u64).sum();
    for (what, defect, max_events, rounds, ending) in [
        ("all of it", true, 50_000, 1_000, ShrinkEnding::Minimal),
        ("few events", true, events * 6, 1_000, ShrinkEnding::Budget),
        ("few replays", true, 50_000, 3, ShrinkEnding::Budget),
        ("no defect", false, 50_000, 1_000, ShrinkEnding::NotShown),
    ] {
        let mut definition = shrinking(&finding, &tests, 4, max_events);
        definition.shrink.as_mut().expect("settings").rounds = rounds;
        let session = run_session(&definition, defect, 0, 1);
        let shrunk = session.shrunk.first().expect("a result");
        assert_eq!(shrunk.ending, ending, "{what}");
        assert!(session.progress.events <= max_events, "{what}");
        assert_eq!(session.findings.is_empty(), !defect, "{what}");
        assert_eq!(shrunk.confirmation.is_confirmed(), defect, "{what}");
        if !defect {
            assert_eq!(shrunk.tests, tests, "{what}");
        }
    }
}

#[test]
fn what_is_flaky_must_show_again_before_it_is_taken() {
    let (finding, tests) = finding();
    for confirm in [1, 2, 3] {
        let mut definition = shrinking(&finding, &tests, 8, 50_000);
        definition.shrink.as_mut().expect("settings").confirm = confirm;
        let session = run_session(&definition, true, 0, 1);
        let shrunk = session.shrunk.first().expect("a result");
        let mut runs: BTreeMap<String, u32> = BTreeMap::new();
        for job in &session.jobs {
            let Work::Batch(batch) = &job.work else { continue };
            *runs.entry(format!("{:?}", batch.tests)).or_default() += 1;
        }
        // The result was shown as often as asked for, then replayed three times; versions that leave out one or the other
        // of two equal events are the same.
        assert!(runs[&format!("{:?}", shrunk.tests)] >= confirm + 3, "{runs:?}");
        assert!(runs.len() <= shrunk.candidates as usize, "{} of {}", runs.len(), shrunk.candidates);
        assert_eq!(shrunk.replays as usize + 3, session.jobs.len());
    }
}

#[test]
fn a_session_shrinks_what_it_found_within_its_share() {
    for (experiments, shrinks) in [(0, false), (10, true)] {
        let mut definition = definition(12_000);
        definition.run.experiments = experiments;
        let mut spent = 0;
        for rng in 0..4 {
            let session = run_session(&definition, true, rng, 1);
            let is_shrink = |job: &&Job| matches!(&job.work, Work::Batch(b) if matches!(b.purpose, Purpose::Shrink { .. }));
            let events: u64 = session.jobs.iter().filter(is_shrink).map(|job| job.work.events()).sum();
            assert!(events <= 12_000 * u64::from(experiments) / 100 / 2, "{events} events, {rng}");
            spent += events;
            for shrunk in &session.shrunk {
                let of = session.findings.iter().find(|finding| finding.id == shrunk.finding);
                let of = of.expect("a finding");
                assert!(of.confirmation.is_confirmed() && shrunk.to < shrunk.from, "{shrunk:?}");
                let again = run_session(&shrinking(of, &shrunk.tests, 1, 50_000), true, 1, 1);
                assert_eq!(again.findings[0].verdict.key, of.verdict.key, "what it was shrunk to shows");
            }
        }
        // What is found here is often as short as it can be.
        assert_eq!(spent > 0, shrinks, "{experiments} %");
    }
}
