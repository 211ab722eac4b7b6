use super::*;
use crate::samples::{self, violation};
use droidmux_record::{Bearing, Experiment, ExperimentKind, Harm, Hint, Signal, SignalKind};

fn findings(keys: &str) -> Findings {
    let mut findings = Findings::new(SessionId(1), "genie", "a.b", 2, 3);
    for (slot, key) in (0..).zip(keys.split_whitespace()) {
        findings.add(Slot(slot), &violation(key));
    }
    findings
}

fn titles(findings: &Findings) -> String {
    findings.ranked().iter().map(|f| f.verdict.title.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn once_only_first() {
    for (seen, ranked) in
        [("a b c", "a b c"), ("a a b c b a", "c b a"), ("x x", "x"), ("b a a c", "b c a"), ("", "")]
    {
        assert_eq!(titles(&findings(seen)), ranked, "{seen}");
    }
}

fn experiment(bearing: Bearing) -> Experiment {
    let words = format!("{bearing:?}");
    Experiment { kind: ExperimentKind::OwnObject, bearing, words, places: Vec::new() }
}

fn crash() -> Evidence {
    let headline = "java.lang.Error".to_owned();
    let signal = Signal { kind: SignalKind::Crash, process: "a.b".into(), headline, stack: Vec::new() };
    Evidence::Signal { turn: 1, signal }
}

#[test]
fn tier_then_harm_then_confirmation_then_brevity() {
    use Bearing::{Accuses, Excuses};
    // For each finding: what its experiments say, harm, replays that show it, events of its test.
    let cases: [(&str, &[Bearing], Harm, u32, u64); 9] = [
        ("explained", &[Excuses], Harm::LostData, 2, 1),
        ("suspicious", &[], Harm::LostData, 2, 1),
        ("open", &[Accuses], Harm::LostData, 0, 1),
        ("display", &[Accuses], Harm::WrongDisplay, 2, 1),
        ("function", &[Accuses], Harm::LostFunction, 2, 1),
        ("long", &[Accuses], Harm::LostData, 2, 9),
        ("short", &[Accuses], Harm::LostData, 2, 8),
        ("object", &[Accuses], Harm::WrongObject, 2, 1),
        ("crash", &[], Harm::Crash, 0, 90),
    ];
    let mut findings = findings("");
    for (slot, (key, bearings, harm, shown, length)) in (0..).zip(cases) {
        let experiments = bearings.iter().map(|bearing| experiment(*bearing)).collect();
        let evidence = if harm == Harm::Crash { crash() } else { Evidence::None };
        let verdict = Verdict { experiments, harm, evidence, ..violation(key) };
        let id = findings.add(Slot(slot), &verdict).expect("a new finding");
        findings.set_length(&id, length);
        (0..shown).for_each(|_| _ = findings.replayed(&id, Replay::Shown));
    }
    assert_eq!(titles(&findings), "crash short long object function display suspicious open explained");
    assert_eq!(findings.ranked()[0].rank, 1);
}

#[test]
fn what_could_be_reported_is_replayed_first_and_what_is_explained_never() {
    use Bearing::{Accuses, Doubts, Excuses};
    // key, cluster, experiments
    let mut findings = findings("");
    for (slot, (key, cluster, bearing)) in (0..).zip([
        ("excused", "", Some(Excuses)),
        ("plain", "", None),
        ("doubted", "", Some(Doubts)),
        ("first", "x", Some(Accuses)),
        ("second", "x", Some(Accuses)),
        ("other", "y", Some(Accuses)),
    ]) {
        let experiments = bearing.map(experiment).into_iter().collect();
        findings.add(Slot(slot), &Verdict { experiments, cluster: cluster.into(), ..violation(key) });
    }
    let mut order = Vec::new();
    while let Some((id, _)) = findings.next_replay() {
        let id = id.clone();
        findings.replay_planned(&id);
        findings.replayed(&id, Replay::Shown);
        let key = findings.get(&id).expect("known").verdict.key.clone();
        if order.last() != Some(&key) {
            order.push(key);
        }
    }
    assert_eq!(order.join(" "), "first other second plain doubted");
    assert_eq!(findings.unsettled(), 0, "what is explained needs no replay");
}

#[test]
fn one_stands_for_its_cluster() {
    // key, cluster, shape of the shrunk test, who stands for it; the list is in this order
    for cases in [
        vec![("a", "", "", "a"), ("b", "", "", "b")],
        vec![("a", "x", "", "a"), ("b", "y", "", "b"), ("c", "x", "", "a")],
        vec![("a", "x", "s", "a"), ("b", "y", "s", "a"), ("c", "y", "", "a"), ("d", "", "s", "a")],
        vec![("a", "x", "", "a"), ("b", "x", "s", "a"), ("c", "y", "s", "a"), ("d", "y", "t", "a")],
        vec![("a", "", "s", "a"), ("b", "s", "", "b")],
    ] {
        let mut findings = findings("");
        for (slot, (key, cluster, shape, _)) in (0..).zip(&cases) {
            let verdict = Verdict { cluster: (*cluster).into(), ..violation(key) };
            let id = findings.add(Slot(slot), &verdict).expect("a new finding");
            if !shape.is_empty() {
                findings.set_shape(&id, (*shape).to_owned());
            }
        }
        let all = findings.ranked();
        let key_of = |id: &FindingId| all.iter().find(|f| f.id == *id).map(|f| f.verdict.key.clone());
        for (finding, (.., stands)) in all.iter().zip(&cases) {
            assert_eq!(key_of(&finding.cluster).as_deref(), Some(*stands), "{cases:?}");
        }
    }
}

#[test]
fn crashes_are_one_cluster_by_their_place_alone() {
    // key, cluster, who stands for it: tests of one shape set off all of them
    let cases = [("a", "save", "a"), ("b", "open", "b"), ("c", "save", "a"), ("d", "", "d")];
    let mut findings = findings("");
    for (slot, (key, cluster, _)) in (0..).zip(cases) {
        let evidence = crash();
        let verdict = Verdict { cluster: cluster.into(), evidence, ..violation(key) };
        let id = findings.add(Slot(slot), &verdict).expect("a new finding");
        findings.set_shape(&id, "reset".to_owned());
    }
    let all = findings.ranked();
    let key_of = |id: &FindingId| all.iter().find(|f| f.id == *id).map(|f| f.verdict.key.clone());
    for (finding, (.., stands)) in all.iter().zip(cases) {
        assert_eq!(key_of(&finding.cluster).as_deref(), Some(stands), "{}", finding.verdict.key);
    }
}

#[test]
fn another_stands_for_a_cluster_whose_first_is_put_away() {
    let mut findings = findings("");
    for (slot, key) in (0..).zip(["a", "b", "c"]) {
        let cluster = if key == "c" { String::new() } else { "x".to_owned() };
        findings.add(Slot(slot), &Verdict { cluster, ..violation(key) });
    }
    let mut all = findings.ranked();
    let ids: Vec<FindingId> = all.iter().map(|finding| finding.id.clone()).collect();
    all[0].tier = Tier::Explained;
    regroup(&mut all);
    let stands: Vec<FindingId> = all.iter().map(|finding| finding.cluster.clone()).collect();
    assert_eq!(stands, [ids[1].clone(), ids[1].clone(), ids[2].clone()]);
}

#[test]
fn the_verdict_with_the_fewest_hints_stands_for_the_finding() {
    let hinted = |slot: u64, hints: usize| {
        let hint = Hint { cause: "volatile".into(), detail: String::new() };
        Verdict { slot: Slot(slot), hints: vec![hint; hints], ..violation("a") }
    };
    // hints of a verdict, and whether it stands for the finding then
    let mut findings = findings("");
    for (slot, (hints, stands)) in (0..).zip([(2, true), (2, false), (1, true), (3, false), (0, true)]) {
        assert_eq!(findings.add(Slot(slot), &hinted(slot, hints)).is_some(), stands, "{slot}");
    }
    let finding = findings.ranked().remove(0);
    assert_eq!((finding.verdict.slot, finding.occurrences), (Slot(4), 5));
    let mut findings = self::findings("");
    let id = findings.add(Slot(0), &hinted(0, 1)).expect("new");
    findings.replay_planned(&id);
    assert_eq!(findings.add(Slot(1), &hinted(1, 0)), None, "what is being replayed stays");
}

#[test]
fn replays_are_counted_and_decide_the_order() {
    use Replay::{Absent, Shown, Unfaithful};
    for (replays, confirmed, asked, hints) in [
        (vec![Shown, Shown], true, 2, ""),
        (vec![Shown, Absent, Shown], true, 3, "flaky"),
        (vec![Absent, Absent, Absent], false, 3, "flaky"),
        (vec![Unfaithful, Shown, Shown], true, 3, "unfaithful"),
        (vec![Absent, Unfaithful, Shown], false, 3, "flaky unfaithful"),
    ] {
        let mut findings = findings("a");
        let mut rounds = 0;
        for &replay in &replays {
            let (id, round) = findings.next_replay().expect("a replay is wanted");
            let id = id.clone();
            rounds += 1;
            assert_eq!(round, rounds);
            findings.replay_planned(&id);
            findings.replayed(&id, replay);
        }
        assert_eq!(findings.next_replay(), None, "{replays:?}");
        let all = findings.ranked();
        let causes: Vec<&str> = all[0].verdict.hints.iter().map(|h| h.cause.as_str()).collect();
        assert_eq!((findings.confirmed() == 1, rounds, causes.join(" ").as_str()), (confirmed, asked, hints));
    }
}

#[test]
fn replays_under_way_are_not_planned_twice() {
    let mut findings = findings("a b b");
    let mut planned = Vec::new();
    while let Some((id, round)) = findings.next_replay() {
        let id = id.clone();
        findings.replay_planned(&id);
        planned.push((id, round));
    }
    let rounds: Vec<u32> = planned.iter().map(|(_, round)| *round).collect();
    assert_eq!(rounds, [1, 2, 1, 2], "as many as must show it, a begun one first");
    let a = planned[0].0.clone();
    assert_ne!(a, planned[2].0, "the rarer finding first");
    findings.replayed(&a, Replay::Absent);
    assert_eq!(findings.next_replay(), Some((&a, 3)));
}

#[test]
fn keys_with_the_same_digits_are_findings_of_their_own() {
    // Some hundred thousand keys: two of them have the same 32 bits.
    let mut seen = BTreeMap::new();
    let colliding = (0_u32..).find_map(|n| {
        let key = format!("key {n}");
        let id = FindingId::of(SessionId(1), "genie", &key);
        seen.insert(id, key.clone()).map(|first| (first, key))
    });
    let (first, second) = colliding.expect("a collision");
    let mut all = findings("");
    let add = |all: &mut Findings, key: &str, slot| all.add(Slot(slot), &violation(key));
    let one = add(&mut all, &first, 0).expect("a new finding");
    let two = add(&mut all, &second, 1).expect("another new finding");
    assert_eq!(add(&mut all, &first, 2), None);
    assert_eq!(add(&mut all, &second, 3), None);
    assert_ne!(one, two);
    let told = |id: &FindingId| all.get(id).map(|finding| (finding.verdict.key.clone(), finding.occurrences));
    assert_eq!((told(&one), told(&two)), (Some((first, 2)), Some((second, 2))));
}

#[test]
fn confirmed_before_open_before_refuted() {
    let mut findings = findings("refuted open confirmed");
    let id = |key: &str| FindingId::of(SessionId(1), "genie", key);
    for (key, replay) in [("refuted", Replay::Absent), ("confirmed", Replay::Shown)] {
        (0..3).for_each(|_| _ = findings.replayed(&id(key), replay));
    }
    assert_eq!(titles(&findings), "confirmed open refuted");
}

/// What the Detector objects to: set off by this turn, seen after that one.
fn mismatch(turns: (u32, u32)) -> Verdict {
    let mismatch = samples::mismatch();
    let mismatch = Mismatch { function: "delete".into(), span: turns, turn: turns.0, ..mismatch };
    let evidence = Evidence::Mismatch(Box::new(mismatch));
    Verdict { evidence, oracle: "visiondroid".into(), ..violation("m") }
}

fn broken(key: &str, turn: u32) -> Verdict {
    let evidence = Evidence::Broken(Box::new(droidmux_record::Broken {
        relation: "touched-row".into(),
        expected: String::new(),
        found: String::new(),
        turns: (1, turn),
        layouts: (droidmux_gui::LayoutHash([1; 16]), droidmux_gui::LayoutHash([2; 16])),
        widgets: (Vec::new(), Vec::new()),
        claim: None,
        slight: false,
    }));
    Verdict { evidence, oracle: "relations".into(), ..violation(key) }
}

#[test]
fn what_was_too_slight_alone_is_reported_where_it_is_seen_again() {
    let seen = |slight: bool, hints: Vec<Hint>| {
        let verdict = broken("a", 5);
        let Evidence::Broken(evidence) = verdict.evidence.clone() else { unreachable!() };
        let evidence = Evidence::Broken(Box::new(droidmux_record::Broken { slight, ..*evidence }));
        Verdict { evidence, hints, ..verdict }
    };
    let volatile = Hint { cause: "volatile".into(), detail: String::new() };
    for (what, again, tier) in [
        ("as slight as before", seen(true, Vec::new()), Tier::Suspicious),
        ("not slight", seen(false, Vec::new()), Tier::Reported),
        ("not slight, but doubted", seen(false, vec![volatile]), Tier::Suspicious),
    ] {
        let mut findings = findings("");
        let id = findings.add(Slot(0), &seen(true, Vec::new())).expect("a new finding");
        for _ in 0..2 {
            findings.replay_planned(&id);
            findings.replayed(&id, Replay::Shown);
        }
        assert_eq!(findings.add(Slot(1), &again), None, "{what}: the replays were of the first");
        assert_eq!(
            findings.ranked().iter().map(|finding| finding.tier).collect::<Vec<_>>(),
            [tier],
            "{what}"
        );
    }
}

#[test]
fn what_two_oracles_say_of_one_step_is_one_cluster() {
    for (slot, turns, clusters) in [(0, (5, 5), 2), (0, (4, 5), 2), (1, (5, 5), 3), (0, (6, 7), 3)] {
        let mut findings = findings("");
        findings.add(Slot(0), &broken("a", 5));
        // Two breaks of relations by one step may be two defects.
        findings.add(Slot(0), &broken("b", 5));
        findings.add(Slot(slot), &mismatch(turns));
        let clusters_now: BTreeSet<FindingId> =
            findings.ranked().into_iter().map(|finding| finding.cluster).collect();
        assert_eq!(clusters_now.len(), clusters, "{slot} {turns:?}");
    }
}

#[test]
fn what_is_there_only_sometimes_gets_as_many_replays_again() {
    use Replay::{Absent, Shown};
    // Whether the Detector says so; what the replays said; whether it is confirmed, settled, and of how many.
    for (judged, replays, confirmed, settled, of) in [
        (true, &[Shown, Shown][..], true, true, 3),
        (true, &[Shown, Absent, Absent], false, false, 6),
        (true, &[Absent, Absent, Shown, Absent, Shown], true, true, 6),
        (true, &[Shown, Absent, Absent, Absent, Absent, Absent], false, true, 6),
        (true, &[Absent, Absent, Absent], false, true, 3),
        (false, &[Shown, Absent, Absent], false, true, 3),
    ] {
        let mut findings = findings("");
        let verdict = if judged { mismatch((5, 5)) } else { broken("a", 5) };
        let id = findings.add(Slot(0), &verdict).expect("a new finding");
        for replay in replays {
            findings.replay_planned(&id);
            if findings.replayed(&id, *replay) {
                findings.prolong(&id);
            }
        }
        let told = findings.get(&id).expect("known").confirmation;
        let said = (told.is_confirmed(), told.is_settled(), told.of);
        assert_eq!(said, (confirmed, settled, of), "{judged} {replays:?}");
        assert_eq!(findings.next_replay().is_some(), !settled, "{replays:?}");
    }
}
