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
            return Some("alone it is too slight a thing to be reported".into());
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
#[path = "tier_tests.rs"]
mod tests;
