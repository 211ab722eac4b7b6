//! What oracles said about a session later, as JSON.

use serde::Serialize;

use super::moved::MovedJson;
use droidmux_record::{Evidence, Hint, Objection, Recheck, Tier, TracePlace};
use droidmux_technique::tier_of_verdict;

/// In which tiers the findings of a session are by today's rules, and what oracles say of its stored traces. What varies
/// from run to run sits under `t`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ReportJson<'a> {
    pub(super) app: &'a str,
    pub(super) tiers: MovedJson<'a>,
    pub(super) rechecks: Vec<RecheckJson<'a>>,
    pub(super) t: ReportVaries,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "t"))]
pub(super) struct ReportVaries {
    #[cfg_attr(test, schemars(regex(pattern = "^s[0-9]+$")))]
    pub(super) session: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "recheck"))]
pub(super) struct RecheckJson<'a> {
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<droidmux_record::RecheckOracle>"))]
    oracle: &'static str,
    /// Cases that could be judged, violations included.
    judged: u64,
    /// What a case is.
    unit: &'a str,
    /// Cases that could not be judged.
    unjudged: Vec<UnjudgedJson<'a>>,
    violations: Vec<ViolationJson<'a>>,
    t: RecheckVaries,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "unjudged"))]
struct UnjudgedJson<'a> {
    why: &'a str,
    #[cfg_attr(test, schemars(range(min = 1)))]
    count: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "recheck-t"))]
struct RecheckVaries {
    at_ms: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "violation"))]
struct ViolationJson<'a> {
    title: &'a str,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Tier>"))]
    tier: Tier,
    /// Equal for the same bug.
    #[cfg_attr(test, schemars(length(min = 1)))]
    key: &'a str,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Vec<Hint>>"))]
    hints: &'a [Hint],
    /// As in a verdict: effects, a signal, a deviation, or a broken relation.
    #[cfg_attr(test, schemars(with = "serde_json::Value"))]
    evidence: &'a Evidence,
    #[cfg_attr(test, schemars(length(min = 1)))]
    places: Vec<PlaceJson>,
    /// Findings of the session.
    agrees_with: Vec<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "place"))]
struct PlaceJson {
    #[cfg_attr(test, schemars(regex(pattern = "^s[0-9]+$")))]
    session: String,
    job: u64,
    /// Test of the job, from 0.
    test: u16,
    /// Step of the test, from 1, 0 for the reset; null for the whole test.
    step: Option<u16>,
}

impl<'a> RecheckJson<'a> {
    /// With the findings of the session that a violation agrees with.
    pub(super) fn of(recheck: &'a Recheck, agrees_with: &dyn Fn(&Objection) -> Vec<String>) -> Self {
        let unjudged = recheck.unjudged.iter().map(|(why, count)| UnjudgedJson { why, count: *count });
        let violation = |objection: &'a Objection| ViolationJson::of(objection, agrees_with(objection));
        Self {
            oracle: recheck.oracle.name(),
            judged: recheck.judged,
            unit: &recheck.unit,
            unjudged: unjudged.collect(),
            violations: recheck.violations.iter().map(violation).collect(),
            t: RecheckVaries { at_ms: recheck.at_ms },
        }
    }
}

impl<'a> ViolationJson<'a> {
    fn of(objection: &'a Objection, agrees_with: Vec<String>) -> Self {
        let verdict = &objection.verdict;
        Self {
            title: &verdict.title,
            tier: tier_of_verdict(verdict).0,
            key: &verdict.key,
            hints: &verdict.hints,
            evidence: &verdict.evidence,
            places: objection.places.iter().map(PlaceJson::of).collect(),
            agrees_with,
        }
    }
}

impl PlaceJson {
    fn of(place: &TracePlace) -> Self {
        let TracePlace { session, slot, test, step } = place;
        Self { session: session.to_string(), job: slot.0, test: *test, step: *step }
    }
}
