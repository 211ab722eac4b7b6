//! What is kept of a trial: one JSON file.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Ruling, Trial};
use droidmux_record::{Bearing, Provider, Tier};
use droidmux_sim::Latency;
use droidmux_technique::reader::is_wanted;
use droidmux_technique::{complete, uses};

/// The format version of the files, raised when it or the judging changes: version 1 had no tiers, and a single replay
/// made a finding true.
pub(super) const FORMAT: u32 = 2;

/// A finished and judged trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrialRecord {
    /// Which trial it was, and what it was run and judged with.
    pub identity: Identity,
    /// Events that the session performed, including confirmations.
    pub events: u64,
    /// Wall-clock time of the session.
    pub milliseconds: u64,
    /// Replays that judging its findings took.
    pub replays: u64,
    /// Wall-clock time of those replays.
    pub judging_milliseconds: u64,
    /// For each triggered defect of the app, how many events of the session triggered it. Only the session itself
    /// counts: what replays trigger is not counted.
    pub set_off: BTreeMap<String, u64>,
    /// In the order people see them: by tier, then best rank first.
    pub findings: Vec<JudgedFinding>,
}

/// The identity of a trial: records of another one are useless to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    pub format: u32,
    /// The version of droidmux.
    pub droidmux: String,
    /// The version of the planner.
    pub planner: u32,
    pub technique: String,
    /// Package of the app.
    pub app: String,
    /// The RNG seed.
    pub seed: u64,
    pub max_events: u64,
    /// BLAKE3 of the session's settings.
    pub settings: String,
    /// The ids of the app's defects.
    pub present: Vec<String>,
    /// All of them were off.
    pub correct: bool,
}

/// A finding of a session, and the ruling on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedFinding {
    /// 1 is what people read first.
    pub rank: u32,
    /// How far the session believes it.
    pub tier: Tier,
    /// Why it is in that tier, in a sentence.
    pub because: String,
    /// The rank of the finding that stands for it and others that probably have the same cause; its own if it stands
    /// for itself.
    pub cluster: u32,
    /// The canonical key of its violation.
    pub key: String,
    /// BLAKE3 of the tests that its replays run; nothing in older records, or when nothing can be replayed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipe: Option<String>,
    /// One line for a person: that of its first verdict.
    pub title: String,
    /// Which oracle spoke first.
    pub oracle: String,
    /// The session's own replays confirmed it.
    pub confirmed: bool,
    /// The causes of its hints.
    pub hints: Vec<String>,
    /// Events performed when it was first seen.
    pub after: u64,
    /// The tests that showed it, by slot and number, not counting confirmations; the first 1,000.
    pub tests: Vec<(u64, u16)>,
    /// What the replays with other switches say about it.
    pub ruling: Ruling,
    /// What keeps it from being reported: the name of an explanation, of a doubt, of a threshold. Nothing for what is
    /// reported, and in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_back: Option<String>,
    /// What the reviewer said of it, if it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opinion: Option<Opinion>,
}

/// A second opinion on a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opinion {
    /// What it means for the finding.
    pub bearing: Bearing,
    /// The tier that the finding has without it.
    pub before: Tier,
}

impl TrialRecord {
    /// How long the session took.
    pub fn seconds(&self) -> f64 {
        seconds(self.milliseconds)
    }

    /// How long judging its findings took.
    pub fn judging_seconds(&self) -> f64 {
        seconds(self.judging_milliseconds)
    }
}

impl JudgedFinding {
    /// Whether it stands for its cluster: lists show it on a line of its own.
    pub fn stands(&self) -> bool {
        self.cluster == self.rank
    }
}

/// The settings of a trial as JSON, without those that change nothing: how its devices are read and looked after, since a
/// simulated phone answers the same unless it takes time, and what only sessions with language models use.
fn settings(trial: &Trial) -> Vec<u8> {
    // A definition is plain data; if it had no JSON, no record would match, and the trial would be run.
    let mut definition = trial.definition.clone();
    complete(&mut definition);
    let mut settings = serde_json::to_value(&definition).unwrap_or_default();
    if let Some(lab) = settings.get_mut("lab").and_then(Value::as_object_mut) {
        lab.retain(|name, _| ["kind", "devices", "serials"].contains(&name.as_str()));
    }
    // Trials are limited by events alone.
    if let Some(run) = settings.get_mut("run").and_then(Value::as_object_mut) {
        run.remove("time");
    }
    // Which model replied, and where it was asked, is told elsewhere: records are printed where nobody can be asked.
    // Fixed rules cannot read, so for a reader a model is nothing to tell.
    let asked = definition.llm.provider != Provider::Rules;
    if let Some(tables) = settings.as_object_mut() {
        match (is_wanted(&definition), asked) {
            (true, _) => drop(tables.remove("llm")),
            (false, true) => drop(tables.insert("llm".to_owned(), Value::from("a model"))),
            (false, false) => {}
        }
    }
    let uses = uses(&definition);
    if !uses.models && !uses.unusual_texts {
        if let Some(run) = settings.get_mut("run").and_then(Value::as_object_mut) {
            run.retain(|name, _| name != "text");
        }
        if let Some(tables) = settings.as_object_mut() {
            tables.retain(|name, _| !["inputblaster", "visiondroid", "llm"].contains(&name.as_str()));
        }
    }
    if trial.latency != Latency::ZERO
        && let Some(tables) = settings.as_object_mut()
    {
        let agent = trial.definition.lab.agent.is_some();
        tables.insert("phones".to_owned(), format!("{:?}, agent: {agent}", trial.latency).into());
    }
    serde_json::to_vec(&settings).unwrap_or_default()
}

fn seconds(milliseconds: u64) -> f64 {
    Duration::from_millis(milliseconds).as_secs_f64()
}

impl Identity {
    /// The identity of the trial as this program would run it.
    pub fn of(trial: &Trial) -> Self {
        let settings = settings(trial);
        Self {
            format: FORMAT,
            droidmux: env!("CARGO_PKG_VERSION").to_owned(),
            planner: trial.planner,
            technique: trial.contender.name.to_owned(),
            app: trial.app.package().to_owned(),
            seed: trial.rng,
            max_events: trial.definition.run.max_events,
            settings: blake3::hash(&settings).to_hex().to_string(),
            present: trial.present.clone(),
            correct: trial.correct,
        }
    }

    /// Why a record of `self` is of another trial than `wanted`, whatever ran it.
    pub fn is_of_another(&self, wanted: &Self) -> Option<String> {
        let of = |identity: &Self| {
            (identity.technique.clone(), identity.app.clone(), identity.seed, identity.correct)
        };
        (of(self) != of(wanted)).then(|| "it is of another trial".to_owned())
    }

    /// Why a record of `self` is useless to a trial of `wanted`; `None` when it is usable.
    pub fn differs_from(&self, wanted: &Self) -> Option<String> {
        let of = |what: &str, here: &dyn std::fmt::Display, there: &dyn std::fmt::Display| {
            Some(format!("it is of {what} {here}, not {there}"))
        };
        match self {
            _ if self == wanted => None,
            _ if self.droidmux != wanted.droidmux => of("droidmux", &self.droidmux, &wanted.droidmux),
            _ if self.planner != wanted.planner => of("planner version", &self.planner, &wanted.planner),
            _ if self.max_events != wanted.max_events => of("limit", &self.max_events, &wanted.max_events),
            _ if self.present != wanted.present => Some("the app has other defects now".into()),
            _ if self.settings != wanted.settings => Some("it is of other settings".into()),
            _ => Some("it is of another trial".into()),
        }
    }
}
