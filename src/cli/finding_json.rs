//! A finding as JSON: a line of a session or of `droidmux findings`, and an item of what `droidmux check` prints.

use std::collections::BTreeSet;

use serde::Serialize;

use droidmux_record::{
    Bearing, Breach, Broken, Confirmation, Deviation, Evidence, Experiment, ExperimentKind, Finding,
    FindingState, Harm, Hint, Mismatch, Mistreated, ShrinkEnding, Shrunk, Signal, Test, Tier, TurnPlace,
    UnmatchedEffect,
};
use droidmux_technique::explanation;

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "finding"))]
pub(crate) struct FindingJson<'a> {
    #[cfg_attr(test, schemars(extend("const" = "finding")))]
    r#type: &'static str,
    #[cfg_attr(test, schemars(regex(pattern = "^[0-9a-f]{8}$")))]
    finding: String,
    app: &'a str,
    technique: &'a str,
    oracle: &'a str,
    /// A sentence: what was done, what was expected, what happened instead.
    title: &'a str,
    key: &'a str,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Tier>"))]
    tier: Tier,
    /// Why it is in its tier, in a sentence.
    because: &'a str,
    /// What explains an explained finding, in the same words for all that it explains.
    explanation: Option<&'static str>,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Harm>"))]
    harm: Harm,
    /// The finding that stands for it and others of one likely cause; its own where it stands for itself.
    #[cfg_attr(test, schemars(regex(pattern = "^[0-9a-f]{8}$")))]
    cluster: String,
    /// Everything that was tried to explain it, and what came of it.
    experiments: Vec<ExperimentJson<'a>>,
    rank: u32,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<FindingState>"))]
    state: FindingState,
    occurrences: u64,
    job: u64,
    test: u16,
    confirmed: bool,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Confirmation>"))]
    confirmation: &'a Confirmation,
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    flakiness: f64,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Vec<Hint>>"))]
    hints: &'a [Hint],
    /// A list of effects (genie), a turn and a signal (crash), or a deviation (odin): state, event, sizes of the
    /// clusters, mean, deviation, z, rules, the usual and the deviant behaviour with their inputs and layouts, and the
    /// effects that only one of them has; or a breach (pbfdroid): the function, its postcondition and what was found
    /// instead, the data model before and after, the functions carried out, the layouts and the turn.
    #[cfg_attr(test, schemars(with = "serde_json::Value"))]
    evidence: EvidenceJson<'a>,
    t: FindingVaries,
    #[serde(flatten)]
    later: Option<LaterJson<'a>>,
}

/// What became of a finding after its session.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LaterJson<'a> {
    /// How many others it stands for. Only in `droidmux findings --json`.
    pub(crate) members: u64,
    /// Oracles besides its own that object to the same test or step. Only in `droidmux findings --json`.
    pub(crate) agrees: &'a BTreeSet<String>,
    /// Only in `droidmux findings --json`.
    pub(crate) shrunk: Option<ShrunkJson<'a>>,
}

/// What varies from run to run.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "finding-t"))]
struct FindingVaries {
    id: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "experiment"))]
struct ExperimentJson<'a> {
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<ExperimentKind>"))]
    kind: ExperimentKind,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Bearing>"))]
    bearing: Bearing,
    words: &'a str,
    /// The turns to look at.
    places: Vec<PlaceJson>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "place"))]
struct PlaceJson {
    job: u64,
    turn: u32,
}

/// In the terms of the oracle.
#[derive(Serialize)]
#[serde(untagged)]
enum EvidenceJson<'a> {
    Effects(&'a [UnmatchedEffect]),
    Signal { turn: u32, signal: &'a Signal },
    Deviation(&'a Deviation),
    Breach(&'a Breach),
    Mistreated(&'a Mistreated),
    Mismatch(&'a Mismatch),
    Broken(&'a Broken),
    None,
}

/// A shorter recipe for a finding.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "shrunk"))]
pub(crate) struct ShrunkJson<'a> {
    /// Events before; seeds around a mutant are not counted.
    from: u32,
    /// Events now.
    to: u32,
    /// Different recipes tried.
    candidates: u32,
    /// Replays of them.
    replays: u32,
    confirmed: bool,
    /// The replays of the result.
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Confirmation>"))]
    confirmation: &'a Confirmation,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<ShrinkEnding>"))]
    ending: ShrinkEnding,
    /// What to run: role and events of each test.
    #[cfg_attr(test, schemars(with = "Vec<serde_json::Value>"))]
    tests: &'a [Test],
    t: ShrunkVaries,
}

/// What varies from run to run.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "shrunk-t"))]
struct ShrunkVaries {
    finding: String,
    #[cfg_attr(test, schemars(regex(pattern = "^s[0-9]+$")))]
    session: String,
}

impl<'a> FindingJson<'a> {
    pub(crate) fn of(finding: &'a Finding, app: &'a str) -> Self {
        let verdict = &finding.verdict;
        Self {
            r#type: "finding",
            finding: format!("{:08x}", finding.id.key),
            app,
            technique: &finding.technique,
            oracle: &verdict.oracle,
            title: &verdict.title,
            key: &verdict.key,
            tier: finding.tier,
            because: &finding.because,
            explanation: explanation(finding),
            harm: verdict.harm,
            cluster: format!("{:08x}", finding.cluster.key),
            experiments: verdict.experiments.iter().map(ExperimentJson::of).collect(),
            rank: finding.rank,
            state: finding.state,
            occurrences: finding.occurrences,
            job: verdict.slot.0,
            test: verdict.test,
            confirmed: finding.confirmation.is_confirmed(),
            confirmation: &finding.confirmation,
            flakiness: finding.confirmation.flakiness(),
            hints: &verdict.hints,
            evidence: EvidenceJson::of(&verdict.evidence),
            t: FindingVaries { id: finding.id.to_string() },
            later: None,
        }
    }

    /// With what became of it.
    pub(crate) fn with(self, later: LaterJson<'a>) -> Self {
        Self { later: Some(later), ..self }
    }
}

impl<'a> ExperimentJson<'a> {
    fn of(experiment: &'a Experiment) -> Self {
        let Experiment { kind, bearing, words, places } = experiment;
        let place = |place: &TurnPlace| PlaceJson { job: place.slot.0, turn: place.turn };
        Self { kind: *kind, bearing: *bearing, words, places: places.iter().map(place).collect() }
    }
}

impl<'a> EvidenceJson<'a> {
    fn of(evidence: &'a Evidence) -> Self {
        match evidence {
            Evidence::Effects(effects) => Self::Effects(effects),
            Evidence::Signal { turn, signal } => Self::Signal { turn: *turn, signal },
            Evidence::Deviation(deviation) => Self::Deviation(deviation),
            Evidence::Breach(breach) => Self::Breach(breach),
            Evidence::Mistreated(mistreated) => Self::Mistreated(mistreated),
            Evidence::Mismatch(mismatch) => Self::Mismatch(mismatch),
            Evidence::Broken(broken) => Self::Broken(broken),
            Evidence::None => Self::None,
        }
    }
}

impl<'a> ShrunkJson<'a> {
    pub(crate) fn of(shrunk: &'a Shrunk) -> Self {
        Self {
            from: shrunk.from,
            to: shrunk.to,
            candidates: shrunk.candidates,
            replays: shrunk.replays,
            confirmed: shrunk.confirmation.is_confirmed(),
            confirmation: &shrunk.confirmation,
            ending: shrunk.ending,
            tests: &shrunk.tests,
            t: ShrunkVaries { finding: shrunk.finding.to_string(), session: shrunk.session.to_string() },
        }
    }
}
