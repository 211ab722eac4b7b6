//! In which tier a finding is, and why.
//!
//! In: a finding with its evidence, the experiments made on it, the replays and a person's word. Out: its
//! tier and the reason in a sentence.
//!
//! Invariants: the answer depends on what is stored of the finding alone, so a better rule moves the findings of
//! old sessions without a device. A person's word stands above all experiments.

use crate::record::{Bearing, Evidence, Finding, FindingState, Tier, Verdict};

/// The tier of a finding and why it is there.
pub fn tier_of(finding: &Finding) -> (Tier, String) {
    match finding.state {
        FindingState::True => return (Tier::Reported, "a person calls it a bug".into()),
        FindingState::FalseAlarm => return (Tier::Explained, "a person calls it a false alarm".into()),
        FindingState::Duplicate => {
            return (Tier::Explained, "a person says that another finding stands for it".into());
        }
        FindingState::New => {}
    }
    let verdict = &finding.verdict;
    if let Some(excuse) = words_of(verdict, Bearing::Excuses) {
        return (Tier::Explained, excuse);
    }
    let confirmation = &finding.confirmation;
    if !confirmation.is_confirmed() {
        return unconfirmed(finding);
    }
    if let Some(doubt) = words_of(verdict, Bearing::Doubts) {
        return (Tier::Suspicious, doubt);
    }
    match positive_sign(verdict) {
        Some(sign) => (Tier::Reported, sign),
        None => {
            (Tier::Suspicious, "no innocent explanation was found, and nothing else speaks for a bug".into())
        }
    }
}

/// What speaks for a defect besides that it happened.
fn positive_sign(verdict: &Verdict) -> Option<String> {
    match &verdict.evidence {
        Evidence::Signal { .. } => Some("the app crashed or hung".into()),
        Evidence::Breach(breach) => Some(format!("the specification says: {}", breach.condition)),
        Evidence::Mistreated(mistreated) => Some(mistreated.how.words().to_owned()),
        Evidence::Broken(broken) => (!broken.slight).then(|| broken.expected.clone()),
        Evidence::Effects(_) | Evidence::Deviation(_) | Evidence::Mismatch(_) | Evidence::None => {
            words_of(verdict, Bearing::Accuses)
        }
    }
}

/// The tier of a finding that replays have not confirmed, or not yet.
fn unconfirmed(finding: &Finding) -> (Tier, String) {
    let replays = &finding.confirmation;
    if replays.is_settled() && replays.shown == 0 && replays.unfaithful == 0 && replays.absent > 0 {
        return (Tier::Explained, format!("{} fresh replays did not show it", replays.absent));
    }
    (Tier::Suspicious, "fresh replays did not confirm it".into())
}

/// The words of the first experiment of this bearing.
fn words_of(verdict: &Verdict, bearing: Bearing) -> Option<String> {
    let found = verdict.experiments.iter().find(|experiment| experiment.bearing == bearing);
    found.map(|experiment| experiment.words.clone())
}
