//! For tests: a small plan, and hand-made records of its trials.

use super::record::Identity;
use super::{Apps, Contender, JudgedFinding, Plan, PlanOptions, Ruling, Trial, TrialRecord};
use droidmux_record::Tier;

/// One session of a technique on an app with all its defects.
pub(crate) fn trial(technique: &str, app: &str, events: u64) -> Trial {
    let options = PlanOptions {
        techniques: vec![technique.to_owned()],
        apps: vec![app.to_owned()],
        events,
        seeds: 1,
        ..PlanOptions::default()
    };
    let plan = Plan::new(options, &Apps::shipped()).expect("a plan");
    plan.trials.into_iter().find(|trial| !trial.correct).expect("a trial")
}

/// Genie, Odin, Monkey and one that does not apply, on diary, notes (of group A) and todo (of group B), two seeds.
pub(super) fn plan() -> Plan {
    let options = PlanOptions {
        techniques: ["genie", "odin", "monkey"].map(str::to_owned).to_vec(),
        apps: ["diary", "notes", "todo"].map(str::to_owned).to_vec(),
        events: 1_000,
        seeds: 2,
        ..PlanOptions::default()
    };
    let mut plan = Plan::new(options, &Apps::shipped()).expect("a plan");
    plan.contenders.push(Contender::never());
    plan
}

/// A record with these findings, each in words: its tier by the first letter, the rank of the finding that stands for
/// it, the event it was first seen at, its oracle, its key, the tests it was seen in with commas between, then the
/// defects it names with commas between, `false` or `undecided`. Before them, `!` and the defects that were triggered.
fn record(trial: &Trial, findings: &[&str]) -> TrialRecord {
    let (set_off, findings): (Vec<&str>, Vec<&str>) =
        findings.iter().partition(|words| words.starts_with('!'));
    let ids = set_off.iter().flat_map(|words| words.trim_start_matches(['!', ' ']).split(','));
    TrialRecord {
        identity: Identity::of(trial),
        events: 900 + trial.rng,
        milliseconds: 30_000 * trial.rng,
        replays: 3,
        judging_milliseconds: 500,
        set_off: ids.zip(7..).map(|(id, events)| (id.to_owned(), events)).collect(),
        findings: findings.iter().zip(1..).map(|(words, rank)| finding(words, rank)).collect(),
    }
}

/// The records of the whole plan.
pub(super) fn records(plan: &Plan) -> Vec<TrialRecord> {
    let findings = |trial: &Trial| -> &'static [&'static str] {
        match trial.name().as_str() {
            "diary genie 1" => &[
                "! diary.wrong-picture",
                "R 1 640 genie lost 3 diary.wrong-picture",
                "R 2 410 genie gone 3,4 diary.wrong-picture",
                "R 3 20 genie clock 4 false",
                "R 4 30 genie odd 5 undecided",
                "S 5 30 genie also 9 undecided",
                "E 6 90 genie timer 6 false",
            ],
            // The second key is a false alarm in the first session.
            "diary genie 2" => &[
                "! diary.wrong-picture,diary.unsaved-name",
                "R 1 400 genie clock 2 diary.wrong-picture",
                "R 2 20 genie view 2 false",
                "R 3 21 genie tip 7 false",
                "S 4 500 genie name 8 diary.unsaved-name",
            ],
            "diary genie 1 off" => &["R 1 50 genie clock 2 false", "R 1 60 genie view 2 false"],
            "diary genie 2 off" => &["S 1 50 genie clock 2 false"],
            "notes genie 1" => &[
                "! notes.rotate-edit",
                "R 1 77 genie title 1 undecided",
                "R 1 12345 relations turned 2 notes.rotate-edit",
            ],
            "notes odin 2" => &["S 1 700 odin find 3 notes.rotate-search", "R 2 10 odin odd 1 undecided"],
            "notes monkey 1" => &["! notes.same-title", "R 1 60 crash turn 1 notes.rotate-edit"],
            "notes monkey 2" => {
                &["R 1 80 crash turn 1 notes.rotate-edit", "R 2 90 crash search 4 notes.rotate-search"]
            }
            _ => &[],
        }
    };
    plan.trials.iter().map(|trial| record(trial, findings(trial))).collect()
}

fn finding(words: &str, rank: u32) -> JudgedFinding {
    let parts: Vec<&str> = words.split(' ').collect();
    let [tier, cluster, after, oracle, key, tests, ruling] = parts.as_slice() else { panic!("{words}") };
    JudgedFinding {
        rank,
        tier: match *tier {
            "R" => Tier::Reported,
            "S" => Tier::Suspicious,
            _ => Tier::Explained,
        },
        because: "made up".into(),
        cluster: cluster.parse().expect("a rank"),
        key: (*key).to_owned(),
        recipe: None,
        title: words.to_owned(),
        oracle: (*oracle).to_owned(),
        confirmed: *tier == "R",
        hints: Vec::new(),
        after: after.parse().expect("a number"),
        tests: tests.split(',').map(|slot| (slot.parse().expect("a slot"), 0)).collect(),
        held_back: None,
        opinion: None,
        ruling: match *ruling {
            "false" => Ruling::FalseAlarm,
            "undecided" => Ruling::Undecided { why: "lost".into() },
            defects => Ruling::True { defects: defects.split(',').map(str::to_owned).collect() },
        },
    }
}
