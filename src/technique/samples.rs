//! Verdicts and findings for tests.

use droidmux_record::{
    Confirmation, Finding, FindingId, FindingState, Outcome, SessionId, Slot, Tier, Verdict,
};

/// A violation with this key, and nothing else to tell.
pub fn violation(key: &str) -> Verdict {
    Verdict { key: key.into(), title: key.into(), ..Verdict::new(Slot(0), 1, "genie", Outcome::Violation) }
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
