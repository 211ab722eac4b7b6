//! A finding as JSON in reports.

use serde_json::{Value, json};

use super::cell::Cell;
use super::evidence::sections;
use super::lanes::lanes;
use super::{FindingPart, Shots};

pub(super) fn finding_json(part: &FindingPart, shots: &dyn Shots) -> Value {
    let finding = part.finding();
    let (verdict, c) = (&finding.verdict, &finding.confirmation);
    let facts = part.facts();
    let lanes = lanes(part, shots);
    let lane = |n: usize, name: &String| {
        let cells = lanes.rows.iter().filter_map(|row| Some((row.cells.get(n)?.as_ref()?, row.inserted)));
        let steps: Vec<Value> = cells.map(|(cell, inserted)| step(cell, inserted)).collect();
        json!({"name": name, "steps": steps})
    };
    let told: Vec<Value> = sections(part)
        .into_iter()
        .map(|section| json!({"title": section.title, "lines": section.lines}))
        .collect();
    json!({
        "finding": finding.id.to_string(),
        "app": finding.app,
        "oracle": verdict.oracle,
        "title": verdict.title,
        "key": verdict.key,
        "tier": finding.tier,
        "because": finding.because,
        "harm": verdict.harm,
        "rank": finding.rank,
        "state": finding.state,
        "occurrences": finding.occurrences,
        "confirmation": c,
        "device": facts.map(|(device, _)| device),
        "build": facts.map(|(_, build)| build),
        "stands_for": part.detail.members.iter().map(|(id, _)| id.to_string()).collect::<Vec<_>>(),
        "agrees": part.detail.agrees,
        "evidence": told,
        "lanes": (0..).zip(&lanes.names).map(|(n, name)| lane(n, name)).collect::<Vec<_>>(),
        "replay": part.replay_command(),
    })
}

fn step(cell: &Cell, inserted: bool) -> Value {
    json!({
        "number": cell.number,
        "event": cell.event,
        "inserted": inserted,
        "failed": (!cell.failed.is_empty()).then_some(cell.failed),
        "activity": cell.activity,
        "layout": cell.screen.map(|(layout, _)| layout.to_string()),
        "violation": cell.marks,
        "signals": cell.signals,
    })
}
