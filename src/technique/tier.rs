//! In which tier a finding is, and why.
//!
//! In: a finding with its evidence, the experiments made on it, the replays and a person's word. Out: its
//! tier and the reason in a sentence.
//!
//! Invariants: the answer depends on what is stored of the finding alone, so a better rule moves the findings of
//! old sessions without a device. A person's word stands above all experiments; a crash that was seen needs no
//! replay; everything else that can be replayed is reported only when fresh replays showed it. No opinion of a model
//! raises a tier without replays that showed it.

use std::borrow::Cow;

use droidmux_record::{
    Bearing, Confirmation, Evidence, Experiment, ExperimentKind, Finding, FindingState, Signal, Tier, Verdict,
};

/// The oracle whose verdicts rest on a model's word, and need a second one.
pub const READER: &str = "reader";

/// The tier of a finding and why it is there.
pub fn tier_of(finding: &Finding) -> (Tier, String) {
    if let Some((tier, because)) = by_person(finding.state) {
        return (tier, because.to_owned());
    }
    let (tier, because) = by_evidence(&finding.verdict, Replayed::by(&finding.confirmation));
    (tier, because.into_owned())
}

/// Brings tier and reason of a stored finding in line with the evidence and the person's word on it.
pub fn retier(finding: &mut Finding) {
    (finding.tier, finding.because) = tier_of(finding);
}

/// The tier of a violation that nobody replays, and why it is there.
pub fn tier_of_verdict(verdict: &Verdict) -> (Tier, String) {
    let (tier, because) = by_evidence(verdict, Replayed::Unasked);
    (tier, because.into_owned())
}

/// What explains an explained finding, in the same few words for all that it explains; `None` for the others.
pub fn explanation(finding: &Finding) -> Option<&'static str> {
    if finding.tier != Tier::Explained {
        return None;
    }
    if let Some((_, because)) = by_person(finding.state) {
        return Some(because);
    }
    let excuses = finding.verdict.experiments.iter().find(|experiment| experiment.excuses());
    Some(excuses.map_or(ExperimentKind::Replay, |experiment| experiment.kind).excuse())
}

/// What keeps a finding from being reported, by the name of an experiment where one does: what an explanation costs is
/// counted by it. `None` where the finding is reported, and where a person decided.
pub fn held_back(finding: &Finding) -> Option<&'static str> {
    if by_person(finding.state).is_some() || tier_of(finding).0 == Tier::Reported {
        return None;
    }
    let verdict = &finding.verdict;
    let of = |bearing| {
        verdict.experiments.iter().find(|tried| tried.bearing == bearing).map(|tried| tried.kind.name())
    };
    let own = || match &verdict.evidence {
        Evidence::Broken(broken) if broken.slight => Some("slight"),
        _ => own_doubt(verdict).map(|_| "volatile"),
    };
    let replays = || match Replayed::by(&finding.confirmation) {
        Replayed::Shown | Replayed::Unasked | Replayed::Impossible => None,
        Replayed::Absent(_) => Some(ExperimentKind::Replay.name()),
        Replayed::Open | Replayed::Unclear => Some("unconfirmed"),
    };
    of(Bearing::Excuses).or_else(|| of(Bearing::Doubts)).or_else(own).or_else(replays).or(Some("no-sign"))
}

/// The tier that a finding with this verdict has once replays confirm it.
pub(super) fn prospect(verdict: &Verdict) -> Tier {
    by_evidence(verdict, Replayed::Shown).0
}

/// What fresh replays say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Replayed {
    /// Often enough, they showed it.
    Shown,
    /// Nobody wants any.
    Unasked,
    /// There is no device that could: the traces were recorded elsewhere.
    Impossible,
    /// They may still show it.
    Open,
    /// All of them followed the recording, and none showed it: the number of them.
    Absent(u32),
    /// Too few showed it.
    Unclear,
}

impl Replayed {
    fn by(replays: &Confirmation) -> Self {
        match replays.is_confirmed() {
            true => Self::Shown,
            false if replays.of == 0 => Self::Impossible,
            false if replays.needed == 0 => Self::Unasked,
            false if !replays.is_settled() => Self::Open,
            false if replays.shown == 0 && replays.unfaithful == 0 => Self::Absent(replays.absent),
            false => Self::Unclear,
        }
    }
}

type Ruling<'f> = (Tier, Cow<'f, str>);

/// A person's word, where there is one.
fn by_person(state: FindingState) -> Option<(Tier, &'static str)> {
    let (tier, because) = match state {
        FindingState::New => return None,
        FindingState::True => (Tier::Reported, "a person calls it a bug"),
        FindingState::Promoted => (Tier::Reported, "a person put it among the reported"),
        FindingState::Demoted => (Tier::Suspicious, "a person put it among the suspicious"),
        FindingState::FalseAlarm => (Tier::Explained, "a person calls it a false alarm"),
        FindingState::Duplicate => (Tier::Explained, "a person says that another finding stands for it"),
    };
    Some((tier, because))
}

/// What evidence, experiments and replays say.
fn by_evidence(verdict: &Verdict, replayed: Replayed) -> Ruling<'_> {
    if let Evidence::Signal { signal, .. } = &verdict.evidence {
        // Nothing else explains a crash away.
        if let Some(lab) = verdict.experiments.iter().find(|tried| tried.kind == ExperimentKind::LabFault) {
            return (Tier::Explained, (&*lab.words).into());
        }
        return (Tier::Reported, crash_words(signal, replayed).into());
    }
    if let Some(excuse) = words_of(verdict, Bearing::Excuses) {
        return (Tier::Explained, excuse.into());
    }
    match replayed {
        Replayed::Absent(replays) => {
            return (Tier::Explained, format!("{replays} fresh replays did not show it").into());
        }
        Replayed::Open | Replayed::Unclear if support_doubt(verdict).is_some() => {
            return (Tier::Suspicious, support_doubt(verdict).unwrap_or_default().into());
        }
        Replayed::Open => return (Tier::Suspicious, "fresh replays have not confirmed it yet".into()),
        Replayed::Unclear => return (Tier::Suspicious, "fresh replays did not confirm it".into()),
        Replayed::Shown | Replayed::Unasked | Replayed::Impossible => {}
    }
    let opinion = verdict.experiments.iter().find(|tried| tried.kind == ExperimentKind::Review);
    // What replays showed and a second opinion calls a bug is worth reading, whatever doubt there was before. Without
    // replays a reply is only a reply.
    if let Some(opinion) = opinion.filter(|opinion| opinion.bearing == Bearing::Accuses)
        && replayed == Replayed::Shown
    {
        return (Tier::Reported, (&*opinion.words).into());
    }
    if verdict.oracle == READER {
        let words = match (opinion, replayed) {
            (Some(opinion), Replayed::Shown) => (&*opinion.words).into(),
            (_, Replayed::Shown) => "a reader suspects it, and nobody gave a second opinion".into(),
            _ => "a reader suspects it, and no fresh replay showed it".into(),
        };
        return (Tier::Suspicious, words);
    }
    if let Some(doubt) = words_of(verdict, Bearing::Doubts) {
        return (Tier::Suspicious, doubt.into());
    }
    if let Some(doubt) = own_doubt(verdict) {
        return (Tier::Suspicious, doubt);
    }
    match positive_sign(verdict) {
        Some(sign) => (Tier::Reported, sign),
        // What speaks for a bug takes a device to find out; nobody could.
        None if replayed == Replayed::Impossible && matches!(verdict.evidence, Evidence::Effects(_)) => {
            let words = "no innocent explanation was found, and there is no device to ask further";
            (Tier::Reported, words.into())
        }
        None => {
            let words = "no innocent explanation was found, and nothing else speaks for a bug";
            (Tier::Suspicious, words.into())
        }
    }
}

/// What the counts of its claim leave in doubt: as long as they do, nobody replays it.
fn support_doubt(verdict: &Verdict) -> Option<&str> {
    let doubts =
        |tried: &&Experiment| tried.kind == ExperimentKind::Support && tried.bearing == Bearing::Doubts;
    verdict.experiments.iter().find(doubts).map(|tried| tried.words.as_str())
}

/// Why a crash is reported, with what its replays say.
fn crash_words(signal: &Signal, replayed: Replayed) -> String {
    let not_again = match replayed {
        Replayed::Absent(_) | Replayed::Unclear => ", though fresh replays did not do it again",
        Replayed::Shown | Replayed::Unasked | Replayed::Impossible | Replayed::Open => "",
    };
    format!("the app {}{not_again}", signal.kind.deed())
}

/// What makes evidence that would count by itself too weak to be reported.
fn own_doubt(verdict: &Verdict) -> Option<Cow<'_, str>> {
    match &verdict.evidence {
        Evidence::Broken(broken) if broken.slight => {
            return Some("a lost place or focus alone is a slight thing".into());
        }
        Evidence::Broken(_) | Evidence::Breach(_) | Evidence::Mistreated(_) => {}
        // Their hints tell true ones from false ones no better than chance does; experiments do.
        Evidence::Effects(_)
        | Evidence::Deviation(_)
        | Evidence::Mismatch(_)
        | Evidence::Signal { .. }
        | Evidence::None => return None,
    }
    let hint = verdict.hints.iter().find(|hint| ["volatile", "unfounded"].contains(&hint.cause.as_str()))?;
    Some(if hint.detail.is_empty() { "the screen was still changing".into() } else { (&*hint.detail).into() })
}

/// What speaks for a defect besides that it happened.
fn positive_sign(verdict: &Verdict) -> Option<Cow<'_, str>> {
    match &verdict.evidence {
        Evidence::Signal { .. } => Some("the app crashed or stopped responding".into()),
        Evidence::Breach(breach) => Some(format!("the specification says: {}", breach.condition).into()),
        Evidence::Mistreated(mistreated) => Some(mistreated.how.words().into()),
        Evidence::Broken(broken) => Some((&*broken.expected).into()),
        Evidence::Effects(_) | Evidence::Deviation(_) | Evidence::Mismatch(_) | Evidence::None => {
            words_of(verdict, Bearing::Accuses).map(Into::into)
        }
    }
}

/// The words of the first experiment of this bearing. A model's word for a bug is none: it needs replays.
fn words_of(verdict: &Verdict, bearing: Bearing) -> Option<&str> {
    let counts = |tried: &Experiment| bearing != Bearing::Accuses || tried.kind != ExperimentKind::Review;
    let found = verdict.experiments.iter().find(|tried| tried.bearing == bearing && counts(tried));
    found.map(|experiment| experiment.words.as_str())
}

#[cfg(test)]
mod tests {
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
}
