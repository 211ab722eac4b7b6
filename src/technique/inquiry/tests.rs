use super::subject::Subject;
use super::trial::{Asks, Trial};
use super::*;
use crate::explain::stage::{Told, told_batch};
use crate::findings::Replay;
use crate::sentence::row_label;
use droidmux_gui::Event;
use droidmux_record::{
    Bearing, EffectKind, Insertion, Outcome, Role, SessionId, UnmatchedEffect, WidgetNote,
};

const PAGE: &str = "bar A; row milk=open; row tea; row jam";
const SEED: &str =
    "bar A; row milk=open; row tea; row jam -click tick of milk-> bar A; row milk=done; row tea; row jam";

/// A seed, a mutant with one inserted event at its start, and the seed again.
fn batch(seed: &str, inserted: &str, page: &str) -> Told {
    let mutant = format!("{page} -{inserted}-> {page} -click tick of milk-> {page}");
    let role = Role::Mutant(Insertion { pivot: 1, length: 1 });
    told_batch(&[(Role::Seed, seed), (role, &mutant), (Role::Seed, seed)])
}

/// The detail `open` of a row does not change.
fn violation(told: &Told) -> Verdict {
    let layouts = [0, 1, 2, 4].map(|n| told.shown(n).hash());
    let detail = told.shown(0).widgets().find(|w| w.text() == "open").expect("a detail");
    let effect = UnmatchedEffect {
        kind: EffectKind::Changed,
        before: Some(WidgetNote::of(detail)),
        after: None,
        context: String::new(),
        seed: (1, 2),
        mutant: (1, 3),
        layouts,
        diverged: false,
    };
    Verdict {
        key: "k".into(),
        evidence: Evidence::Effects(vec![effect]),
        ..Verdict::new(told.run.job.slot, 1, "genie", Outcome::Violation)
    }
}

#[test]
fn a_violation_is_of_the_object_that_its_event_names() {
    for (page, expected) in
        [("bar A; row milk=open; row tea; row jam", true), ("bar A; row milk; row tea=open; row jam", false)]
    {
        let told = batch(&format!("{page} -click tick of milk-> {page}"), "click more of jam", page);
        let subject = Subject::of(&told.run, &violation(&told), &told).map(|subject| subject.of_object);
        assert_eq!(subject, Some(expected), "{page}");
    }
}

#[test]
fn what_several_events_did_is_of_none_that_they_name() {
    let told = batch(SEED, "click more of tea", PAGE);
    for (seed, expected) in [((1, 2), true), ((1, 3), false)] {
        let mut verdict = violation(&told);
        let Evidence::Effects(effects) = &mut verdict.evidence else { panic!("effects") };
        effects[0].seed = seed;
        let subject = Subject::of(&told.run, &verdict, &told).expect("a mutant");
        assert_eq!(subject.of_object, expected, "{seed:?}");
    }
}

#[test]
fn another_row_is_one_that_nothing_touches() {
    for (seed, inserted, page, other) in [
        (SEED, "click more of tea", PAGE, Some("jam")),
        (SEED, "click more of jam", PAGE, Some("tea")),
        (SEED, "click more of milk", PAGE, Some("tea")),
        (SEED, "click Navigate up", PAGE, None),
        (
            "bar A; row milk=open; row tea -click tick of milk-> bar A; row milk=done; row tea",
            "click more of tea",
            "bar A; row milk=open; row tea",
            None,
        ),
    ] {
        let told = batch(seed, inserted, page);
        let verdict = violation(&told);
        let subject = Subject::of(&told.run, &verdict, &told).expect("a mutant");
        let trial = subject.permuted();
        let acted = trial.as_ref().and_then(|trial| {
            assert_eq!(trial.tests.len(), 3, "the mutant between two runs of the seed");
            let layout = told.shown(0);
            let receiver = trial.tests[1].events[0].receiver.as_ref()?;
            row_label(layout.get(layout.resolve(receiver).widget()?)?)
        });
        assert_eq!(acted.as_deref(), other, "{inserted}");
        assert!(trial.is_none_or(|trial| trial.asks == Asks::OnAnother { of_object: true }), "{inserted}");
    }
}

#[test]
fn what_stays_accuses_and_what_goes_excuses() {
    let told = batch(SEED, "click more of tea", PAGE);
    let verdict = violation(&told);
    let shown = Judgement { verdicts: vec![verdict.clone()], ..Judgement::default() };
    let subject = Subject::of(&told.run, &verdict, &told).expect("a mutant");
    let trial = subject.permuted().expect("another row");
    let none = Judgement::default();
    for (name, of_object, judgement, turns, bearing) in [
        ("it stays", true, &shown, 7, Bearing::Accuses),
        ("it stays, on what all rows share", false, &shown, 7, Bearing::Silent),
        ("it goes", true, &none, 7, Bearing::Excuses),
        ("it could not be done", true, &none, 4, Bearing::Silent),
    ] {
        let trial = Trial { asks: Asks::OnAnother { of_object }, ..trial.clone() };
        let run = JobRun { turns: told.run.turns[..turns].to_vec(), ..told.run.clone() };
        let [experiment] = trial.result("k", (&run, judgement), &told).try_into().expect("one answer");
        assert_eq!(experiment.bearing, bearing, "{name}");
        assert!(
            experiment.words.starts_with("What was inserted on 'tea' was done on 'jam' instead:"),
            "{name}"
        );
    }
}

#[test]
fn what_a_pause_does_as_well_is_excused() {
    let told = batch(SEED, "click more of tea", PAGE);
    let verdict = violation(&told);
    let trial =
        Subject::of(&told.run, &verdict, &told).and_then(|subject| subject.paused()).expect("a pause");
    let [before, mutant, after] = &trial.tests[..] else { panic!("the mutant between two runs of the seed") };
    assert_eq!((&before.role, &after.role), (&Role::Seed, &Role::Seed));
    assert_eq!(mutant.events, [vec![Event::wait(2)], before.events.clone()].concat());
    let of = |kind: EffectKind, key: &str| {
        let Evidence::Effects(effects) = &verdict.evidence else { panic!("effects") };
        let effect = UnmatchedEffect { kind, ..effects[0].clone() };
        let evidence = Evidence::Effects(vec![effect]);
        Judgement {
            verdicts: vec![Verdict { key: key.into(), evidence, ..verdict.clone() }],
            ..Judgement::default()
        }
    };
    for (name, judgement, turns, bearing) in [
        ("it happens", of(EffectKind::Changed, "k"), 7, Bearing::Excuses),
        ("it happens in another way", of(EffectKind::Changed, "another"), 7, Bearing::Excuses),
        ("something else happens", of(EffectKind::Deleted, "another"), 7, Bearing::Silent),
        ("nothing happens", Judgement::default(), 7, Bearing::Silent),
        ("it could not be done", Judgement::default(), 4, Bearing::Silent),
    ] {
        let run = JobRun { turns: told.run.turns[..turns].to_vec(), ..told.run.clone() };
        let [experiment] = trial.result("k", (&run, &judgement), &told).try_into().expect("one answer");
        assert_eq!((experiment.kind, experiment.bearing), (ExperimentKind::Pause, bearing), "{name}");
        assert!(experiment.words.starts_with("2 seconds passed with nothing done in between:"), "{name}");
    }
}

#[test]
fn only_confirmed_findings_are_examined_and_within_the_budget() {
    let told = batch(SEED, "click more of tea", PAGE);
    let verdict = violation(&told);
    // Events there is room for, replays that show it, and how many experiments are planned: one takes four events.
    for (room, shown, excused, planned) in
        [(4, 2, false, 2), (4, 1, false, 0), (3, 2, false, 0), (4, 2, true, 0)]
    {
        let mut findings = Findings::new(SessionId(1), "genie", "a.b", 2, 3);
        let id = findings.add(told.run.job.slot, &verdict).expect("a finding");
        (0..shown).for_each(|_| _ = findings.replayed(&id, Replay::Shown));
        if excused {
            let words = String::new();
            let (kind, bearing) = (ExperimentKind::OwnObject, Bearing::Excuses);
            findings.examined(&id, vec![Experiment { kind, bearing, words, places: Vec::new() }]);
        }
        let mut inquiry = Inquiry::default();
        inquiry.consider(&id, &told.run, &verdict, &told);
        assert!(inquiry.is_open(&id));
        let works = (0..4).filter_map(|_| inquiry.next(&findings, |events| events <= room)).count();
        assert_eq!(works, planned, "{room} {shown} {excused}");
        let waits = planned > 0 || shown < 2 || excused;
        assert_eq!(inquiry.is_open(&id), waits, "what does not fit is given up");
    }
}
