//! Verdicts and findings for tests.

use droidmux_gui::LayoutBuilder;
use droidmux_record::{
    Broken, Confirmation, Finding, FindingId, FindingState, Mismatch, Outcome, SessionId, Slot, Tier, Verdict,
};

/// A violation with this key, and nothing else to tell.
pub fn violation(key: &str) -> Verdict {
    Verdict { key: key.into(), title: key.into(), ..Verdict::new(Slot(0), 1, "genie", Outcome::Violation) }
}

/// What a relation objects to, on two empty screens.
pub fn broken() -> Broken {
    let screen = LayoutBuilder::new().finish().hash();
    Broken {
        relation: String::new(),
        expected: String::new(),
        found: String::new(),
        turns: (0, 1),
        layouts: (screen, screen),
        widgets: (Vec::new(), Vec::new()),
        claim: None,
        slight: false,
    }
}

/// What the Detector objects to, on two empty screens.
pub fn mismatch() -> Mismatch {
    let screen = LayoutBuilder::new().finish().hash();
    Mismatch {
        function: String::new(),
        description: String::new(),
        page: "Main".into(),
        widget: None,
        named: String::new(),
        operation: String::new(),
        expected: Vec::new(),
        actual: Vec::new(),
        reasoning: String::new(),
        span: (0, 0),
        turn: 0,
        asked: 9,
        layouts: (screen, screen),
        frames: Vec::new(),
        answered_by: String::new(),
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
