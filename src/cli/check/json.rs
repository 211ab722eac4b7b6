//! What a check found, as one JSON object.

use serde_json::{Value, json};

use super::checked::{Checked, insertion};
use super::effects;
use crate::events_json::finding_json;
use droidmux_import::Recorded;
use droidmux_record::{Evidence, Verdict};

pub(super) fn of(checked: &Checked) -> Value {
    let recording = &checked.recording;
    let verdicts: Vec<Value> =
        checked.verdicts().map(|(recorded, verdict)| verdict_json(recorded, verdict)).collect();
    let findings: Vec<Value> = checked.findings.iter().map(|f| finding_json(f, &recording.app)).collect();
    let masks: Vec<_> = checked.masks.iter().map(|edit| &edit.mask).collect();
    json!({
        "app": recording.app,
        "read": recording.counts,
        "remarks": recording.remarks,
        "model": {
            "level": checked.model.level(),
            "states": checked.model.state_count(),
            "transitions": checked.model.transition_count(),
        },
        "masks": masks,
        "idle_rules": checked.idle_rules,
        "comparisons": recording.comparisons().count(),
        "verdicts": verdicts,
        "findings": findings,
    })
}

fn verdict_json(recorded: &Recorded, verdict: &Verdict) -> Value {
    let signal = match &verdict.evidence {
        Evidence::Signal { turn, signal } => Some(json!({ "turn": turn, "signal": signal })),
        Evidence::None
        | Evidence::Effects(_)
        | Evidence::Deviation(_)
        | Evidence::Breach(_)
        | Evidence::Mistreated(_)
        | Evidence::Mismatch(_)
        | Evidence::Broken(_) => None,
    };
    let broken = match &verdict.evidence {
        Evidence::Broken(broken) => Some(json!({
            "relation": broken.relation,
            "expected": broken.expected,
            "found": broken.found,
            "turns": broken.turns,
            "slight": broken.slight,
        })),
        _ => None,
    };
    let groups: Vec<Value> = effects::groups(verdict)
        .iter()
        .map(|group| {
            let first = group.first;
            json!({
                "kind": first.kind,
                "before": first.before,
                "after": first.after,
                "context": first.context,
                "diverged": first.diverged,
                "pairs": group.pairs,
            })
        })
        .collect();
    let published = recorded.published.as_ref().map(|published| {
        json!({
            "violation": published.semantic,
            "crash": published.crash,
            "insert_position": published.insert_position,
            "effects": published.effects.len(),
            "in_common": published.in_common(effects::effects(verdict)),
        })
    });
    json!({
        "name": recorded.name,
        "oracle": verdict.oracle,
        "test": verdict.test,
        "insertion": insertion(recorded, verdict),
        "outcome": verdict.outcome.name(),
        "why": verdict.outcome.why(),
        "title": verdict.title,
        "key": verdict.key,
        "fidelity": verdict.fidelity,
        "hints": verdict.hints,
        "effects": groups,
        "signal": signal,
        "broken": broken,
        "published": published,
    })
}
