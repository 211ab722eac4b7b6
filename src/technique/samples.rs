//! Verdicts and findings for tests.

use crate::record::{
    Confirmation, Evidence, Fidelity, Finding, FindingId, FindingState, Harm, Outcome, SessionId, Slot, Tier,
    Verdict,
};

/// A violation with this key, and nothing else to tell.
pub fn violation(key: &str) -> Verdict {
    Verdict {
        slot: Slot(0),
        test: 1,
        oracle: "genie".into(),
        outcome: Outcome::Violation,
        key: key.into(),
        title: key.into(),
        fidelity: Fidelity { events: 1, exact: 1, similar: 0, failed: 0, unsettled: 0, lowest_ratio: 1.0 },
        evidence: Evidence::None,
        hints: Vec::new(),
        experiments: Vec::new(),
        harm: Harm::default(),
        cluster: String::new(),
    }
}

/// A finding that nobody replayed or looked at.
pub fn finding(verdict: Verdict) -> Finding {
    let id = FindingId::of(SessionId(1), "genie", &verdict.key);
    Finding {
        cluster: id.clone(),
        id,
        technique: "genie".into(),
        app: "a.b".into(),
        verdict,
        seen: vec![(Slot(0), 1)],
        occurrences: 1,
        confirmation: Confirmation::default(),
        tier: Tier::Suspicious,
        because: String::new(),
        rank: 1,
        state: FindingState::New,
        note: String::new(),
    }
}
