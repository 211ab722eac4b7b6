//! For tests: a small plan, and hand-made records of its trials.

use super::record::Identity;
use super::{Contender, JudgedFinding, Naming, Plan, PlanOptions, Ruling, Trial, TrialRecord};

/// A technique for which no app has what it needs.
static NEVER: Contender = Contender { name: "never", code: "N", definition: |_| None };

/// Genie, Odin, Monkey and one that does not apply, on diary and notes, two seeds.
pub(super) fn plan() -> Plan {
    let options = PlanOptions {
        techniques: ["genie", "odin", "monkey"].map(str::to_owned).to_vec(),
        apps: ["diary", "notes"].map(str::to_owned).to_vec(),
        events: 1_000,
        seeds: 2,
    };
    let mut plan = Plan::new(options).expect("a plan");
    plan.contenders.push(&NEVER);
    plan
}

/// A record with these findings, each in words: `+` or `-` for confirmed or not, the event it was
/// first seen at, then the defects it names with commas between, `false` or `undecided`.
pub(super) fn record(trial: &Trial, findings: &[&str]) -> TrialRecord {
    TrialRecord {
        identity: Identity::of(trial),
        events: 900 + trial.rng,
        milliseconds: 30_000 * trial.rng,
        replays: 3,
        judging_milliseconds: 500,
        findings: findings.iter().map(|words| finding(words)).collect(),
    }
}

/// The records of the whole plan.
pub(super) fn records(plan: &Plan) -> Vec<TrialRecord> {
    let findings = |trial: &Trial| -> &'static [&'static str] {
        match trial.name().as_str() {
            "diary genie 1" => &[
                "+ 640 diary.wrong-picture",
                "+ 410 diary.wrong-picture",
                "+ 20 false",
                "+ 30 undecided",
                "- 90 diary.unsaved-name",
                "- 90 false",
            ],
            "diary genie 2" => &["+ 500 diary.wrong-picture,diary.unsaved-name", "+ 20 false", "+ 21 false"],
            "notes genie 1" => &["+ 12345 notes.rotate-edit"],
            "notes odin 2" => &["+ 700 notes.rotate-search", "- 10 undecided"],
            "notes monkey 1" => &["+ 60 notes.rotate-edit"],
            "notes monkey 2" => &["+ 80 notes.rotate-edit", "+ 90 notes.rotate-search"],
            _ => &[],
        }
    };
    plan.trials.iter().map(|trial| record(trial, findings(trial))).collect()
}

fn finding(words: &str) -> JudgedFinding {
    let parts: Vec<&str> = words.split(' ').collect();
    let [confirmed, after, ruling] = parts.as_slice() else { panic!("{words}") };
    JudgedFinding {
        key: words.to_owned(),
        title: words.to_owned(),
        oracle: "any".into(),
        confirmed: *confirmed == "+",
        hints: Vec::new(),
        after: after.parse().expect("a number"),
        ruling: match *ruling {
            "false" => Ruling::FalseAlarm,
            "undecided" => Ruling::Undecided { why: "lost".into() },
            defects => Ruling::True {
                defects: defects.split(',').map(str::to_owned).collect(),
                naming: Naming::OnAndOff,
            },
        },
    }
}
