//! A session as JSON in reports, without its findings.

use serde::Serialize;

use super::SessionPart;
use droidmux_proto::Growth;
use droidmux_record::{AppBuild, DeviceInfo, FunnelStage, TierCounts};

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct SessionJson<'a> {
    #[cfg_attr(test, schemars(regex(pattern = "^s[0-9]+$")))]
    session: String,
    technique: &'a str,
    app: &'a str,
    /// A string, since it may be too large for a number of JavaScript.
    #[cfg_attr(test, schemars(regex(pattern = "^[0-9]+$")))]
    rng: String,
    started_ms: u64,
    took_ms: u64,
    ending: Option<&'a str>,
    /// The version that started the session.
    droidmux: &'a str,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<TierCounts>"))]
    counts: TierCounts,
    /// From tests to bugs; null where this version cannot count them again.
    funnel: Option<Vec<StageJson<'a>>>,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Vec<Growth>>"))]
    coverage: &'a [Growth],
    model: ModelJson,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Vec<DeviceInfo>>"))]
    devices: &'a [DeviceInfo],
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Vec<AppBuild>>"))]
    builds: &'a [AppBuild],
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "stage"))]
struct StageJson<'a> {
    stage: &'a str,
    number: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "model"))]
struct ModelJson {
    states: u64,
    transitions: u64,
    activities: u64,
}

impl<'a> SessionJson<'a> {
    pub(super) fn of(session: &'a SessionPart) -> Self {
        let record = &session.record;
        let last = session.map.growth.last();
        let stage = |stage: &'a FunnelStage| StageJson { stage: &stage.name, number: stage.number };
        Self {
            session: session.id.to_string(),
            technique: record.definition.technique.name(),
            app: &record.definition.app,
            rng: record.rng.to_string(),
            started_ms: record.started_ms,
            took_ms: session.took_ms(),
            ending: record.ending.as_deref(),
            droidmux: &record.droidmux,
            counts: session.counts(),
            funnel: session.progress.as_ref().map(|progress| progress.stages.iter().map(stage).collect()),
            coverage: &session.map.growth,
            model: ModelJson {
                states: last.map_or(0, |last| last.states),
                transitions: last.map_or(0, |last| last.transitions),
                activities: last.map_or(0, |last| last.activities),
            },
            devices: &session.devices,
            builds: &session.builds,
        }
    }
}
