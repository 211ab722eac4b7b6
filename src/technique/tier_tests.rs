//! Findings by what is known of them, and their tiers.

use super::*;
use crate::samples;
use droidmux_record::{Bearing, Broken, Hint};

/// Replays that showed it, that did not, that could not follow, and how many of how many must show it.
fn replays(shown: u32, absent: u32, unfaithful: u32, (needed, of): (u32, u32)) -> Confirmation {
    Confirmation { shown, absent, unfaithful, needed, of }
}

fn broken(slight: bool) -> Evidence {
    let broken = Broken {
        relation: "undo".into(),
        expected: "an undo brings the list back".into(),
        found: "milk is last".into(),
        turns: (3, 5),
        layouts: (droidmux_gui::LayoutHash([1; 16]), droidmux_gui::LayoutHash([2; 16])),
        widgets: (Vec::new(), Vec::new()),
        claim: None,
        slight,
    };
    Evidence::Broken(Box::new(broken))
}

fn crash() -> Evidence {
    let signal = Signal {
        kind: droidmux_record::SignalKind::Crash,
        process: "a.b".into(),
        headline: "java.lang.Error".into(),
        stack: Vec::new(),
    };
    Evidence::Signal { turn: 2, signal }
}

#[test]
fn tiers_follow_from_what_is_stored() {
    use Bearing::{Accuses, Doubts, Excuses, Silent};
    use FindingState::{Demoted, Duplicate, FalseAlarm, New, Promoted, True};
    use Tier::{Explained, Reported, Suspicious};
    let shown = replays(2, 0, 0, (2, 3));
    let open = replays(1, 0, 0, (2, 3));
    let absent = replays(0, 3, 0, (2, 3));
    let unclear = replays(1, 2, 0, (2, 3));
    let lost = replays(0, 2, 1, (2, 3));
    let unasked = replays(0, 0, 0, (0, 3));
    let impossible = replays(0, 0, 0, (0, 0));
    let effects = || Evidence::Effects(Vec::new());
    // evidence, bearings of its experiments, a hint, replays, a person's word, tier, part of the reason
    for (evidence, bearings, hint, replays, state, tier, because) in [
        (crash(), &[][..], "", open, New, Reported, "the app crashed"),
        (crash(), &[], "", absent, New, Reported, "though fresh replays did not"),
        (crash(), &[Excuses], "", shown, New, Reported, "the app crashed"),
        (crash(), &[], "", shown, FalseAlarm, Explained, "a false alarm"),
        (broken(false), &[], "", shown, New, Reported, "an undo brings the list back"),
        (broken(false), &[], "", unasked, New, Reported, "an undo brings the list back"),
        (broken(false), &[], "", open, New, Suspicious, "not confirmed it yet"),
        (broken(false), &[], "", absent, New, Explained, "3 fresh replays did not show it"),
        (broken(false), &[], "", unclear, New, Suspicious, "did not confirm it"),
        (broken(false), &[], "", lost, New, Suspicious, "did not confirm it"),
        (broken(false), &[Doubts], "", shown, New, Suspicious, "experiment 0"),
        (broken(false), &[Excuses], "", shown, New, Explained, "experiment 0"),
        (broken(false), &[], "volatile", shown, New, Suspicious, "still changing"),
        (broken(true), &[], "", shown, New, Suspicious, "slight"),
        (broken(true), &[Accuses], "", shown, New, Suspicious, "slight"),
        (effects(), &[], "", shown, New, Suspicious, "nothing else speaks for a bug"),
        (effects(), &[Silent, Accuses], "", shown, New, Reported, "experiment 1"),
        (effects(), &[Silent, Accuses], "not-independent", shown, New, Reported, "experiment 1"),
        (effects(), &[Accuses], "", open, New, Suspicious, "not confirmed it yet"),
        (effects(), &[Accuses], "", unasked, New, Reported, "experiment 0"),
        (effects(), &[], "", unasked, New, Suspicious, "nothing else speaks for a bug"),
        (effects(), &[], "", impossible, New, Reported, "no device to ask"),
        (effects(), &[Doubts], "", impossible, New, Suspicious, "experiment 0"),
        (effects(), &[Excuses], "", impossible, New, Explained, "experiment 0"),
        (broken(true), &[], "", impossible, New, Suspicious, "slight"),
        (effects(), &[Accuses, Doubts], "", shown, New, Suspicious, "experiment 1"),
        (effects(), &[Accuses, Doubts, Excuses], "", shown, New, Explained, "experiment 2"),
        (effects(), &[Excuses], "", shown, Promoted, Reported, "put it among the reported"),
        (effects(), &[Excuses], "", absent, True, Reported, "a person calls it a bug"),
        (effects(), &[Accuses], "", shown, Demoted, Suspicious, "put it among the suspicious"),
        (effects(), &[Accuses], "", shown, Duplicate, Explained, "another finding"),
        (Evidence::None, &[], "", shown, New, Suspicious, "nothing else"),
    ] {
        let experiment = |(n, bearing): (usize, &Bearing)| Experiment {
            kind: ExperimentKind::OwnObject,
            bearing: *bearing,
            words: format!("experiment {n}"),
            places: Vec::new(),
        };
        let hints = (!hint.is_empty()).then(|| Hint { cause: hint.into(), detail: String::new() });
        let verdict = Verdict {
            evidence,
            experiments: bearings.iter().enumerate().map(experiment).collect(),
            hints: hints.into_iter().collect(),
            ..samples::violation("k")
        };
        let finding = Finding { confirmation: replays, state, ..samples::finding(verdict) };
        let told = tier_of(&finding);
        assert_eq!(told.0, tier, "{finding:?}");
        assert!(told.1.contains(because), "{} for {because}", told.1);
    }
}

#[test]
fn opinions_of_a_model_need_replays() {
    use Bearing::{Accuses, Doubts, Excuses, Silent};
    use FindingState::{FalseAlarm, New, True};
    use Tier::{Explained, Reported, Suspicious};
    let shown = replays(2, 0, 0, (2, 3));
    let unshown = [
        replays(1, 0, 0, (2, 3)),
        replays(0, 3, 0, (2, 3)),
        replays(1, 2, 0, (2, 3)),
        replays(0, 0, 0, (0, 3)),
        replays(0, 0, 0, (0, 0)),
    ];
    let verdict = |oracle: &str, evidence: Evidence, others: &[Bearing], opinion: Option<Bearing>| {
        let experiment = |kind, bearing: &Bearing| Experiment {
            kind,
            bearing: *bearing,
            words: format!("{kind:?} {bearing:?}"),
            places: Vec::new(),
        };
        let others = others.iter().map(|bearing| experiment(ExperimentKind::Swap, bearing));
        let opinion = opinion.iter().map(|bearing| experiment(ExperimentKind::Review, bearing));
        let experiments = others.chain(opinion).collect();
        Verdict { evidence, experiments, oracle: oracle.into(), ..samples::violation("k") }
    };
    let effects = || Evidence::Effects(Vec::new());
    // oracle, evidence, other experiments, the opinion, a person's word; the tier with replays that show it
    for (oracle, evidence, others, opinion, state, tier) in [
        (READER, broken(false), &[][..], None, New, Suspicious),
        (READER, broken(false), &[], Some(Accuses), New, Reported),
        (READER, broken(false), &[], Some(Silent), New, Suspicious),
        (READER, broken(false), &[], Some(Excuses), New, Explained),
        (READER, broken(false), &[], Some(Accuses), FalseAlarm, Explained),
        (READER, broken(false), &[], Some(Excuses), True, Reported),
        ("relations", broken(false), &[], Some(Silent), New, Reported),
        ("relations", broken(false), &[], Some(Excuses), New, Explained),
        ("relations", broken(true), &[], Some(Accuses), New, Reported),
        ("genie", effects(), &[], None, New, Suspicious),
        ("genie", effects(), &[], Some(Accuses), New, Reported),
        ("genie", effects(), &[Doubts], Some(Accuses), New, Reported),
        ("genie", effects(), &[Excuses], Some(Accuses), New, Explained),
        ("crash", crash(), &[], Some(Excuses), New, Reported),
    ] {
        let of = |confirmation, opinion| {
            let verdict = verdict(oracle, evidence.clone(), others, opinion);
            tier_of(&Finding { confirmation, state, ..samples::finding(verdict) }).0
        };
        assert_eq!(of(shown, opinion), tier, "{oracle} {evidence:?} {opinion:?}");
        for confirmation in unshown {
            let (without, with) = (of(confirmation, None), of(confirmation, Some(Accuses)));
            // The better tier is the lesser.
            assert!(with >= without || state != New, "{oracle} {confirmation:?}: {without:?} {with:?}");
        }
    }
}

#[test]
fn what_replays_could_make_of_it() {
    for (evidence, tier) in [
        (crash(), Tier::Reported),
        (broken(false), Tier::Reported),
        (broken(true), Tier::Suspicious),
        (Evidence::Effects(Vec::new()), Tier::Suspicious),
    ] {
        assert_eq!(prospect(&Verdict { evidence, ..samples::violation("k") }), tier);
    }
}
