//! A finding as JSON in reports.

use serde::Serialize;

use super::cell::Cell;
use super::evidence::{Section, sections};
use super::lanes::lanes;
use super::{FindingPart, Shots};
use droidmux_record::{AppBuild, Confirmation, DeviceInfo, FindingState, Harm, Tier};

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "finding"))]
pub(super) struct FindingJson<'a> {
    #[cfg_attr(test, schemars(regex(pattern = "^s[0-9]+-[0-9a-f]{8}$")))]
    finding: String,
    app: &'a str,
    oracle: &'a str,
    title: &'a str,
    key: &'a str,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Tier>"))]
    tier: Tier,
    because: &'a str,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Harm>"))]
    harm: Harm,
    rank: u32,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<FindingState>"))]
    state: FindingState,
    occurrences: u64,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Confirmation>"))]
    confirmation: &'a Confirmation,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced_or_null::<DeviceInfo>"))]
    device: Option<&'a DeviceInfo>,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced_or_null::<AppBuild>"))]
    build: Option<&'a AppBuild>,
    stands_for: Vec<String>,
    agrees: &'a [String],
    evidence: Vec<SectionJson>,
    #[cfg_attr(test, schemars(length(max = 2)))]
    lanes: Vec<LaneJson>,
    replay: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "section"))]
struct SectionJson {
    title: String,
    lines: Vec<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "lane"))]
struct LaneJson {
    name: String,
    steps: Vec<StepJson>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "step"))]
struct StepJson {
    /// Of the screen in its test, from 1; the event is done on it.
    number: u16,
    /// Null on the last screen.
    event: Option<String>,
    inserted: bool,
    failed: Option<&'static str>,
    activity: String,
    layout: Option<String>,
    violation: Vec<String>,
    signals: Vec<String>,
}

impl<'a> FindingJson<'a> {
    pub(super) fn of(part: &'a FindingPart, shots: &dyn Shots) -> Self {
        let finding = part.finding();
        let verdict = &finding.verdict;
        let facts = part.facts();
        let lanes = lanes(part, shots);
        let lane = |(n, name): (usize, &String)| {
            let cells = lanes.rows.iter().filter_map(|row| Some((row.cells.get(n)?.as_ref()?, row.inserted)));
            let steps = cells.map(|(cell, inserted)| StepJson::of(cell, inserted)).collect();
            LaneJson { name: name.clone(), steps }
        };
        let section = |Section { title, lines, .. }: Section| SectionJson { title, lines };
        Self {
            finding: finding.id.to_string(),
            app: &finding.app,
            oracle: &verdict.oracle,
            title: &verdict.title,
            key: &verdict.key,
            tier: finding.tier,
            because: &finding.because,
            harm: verdict.harm,
            rank: finding.rank,
            state: finding.state,
            occurrences: finding.occurrences,
            confirmation: &finding.confirmation,
            device: facts.map(|(device, _)| device),
            build: facts.map(|(_, build)| build),
            stands_for: part.detail.members.iter().map(|(id, _)| id.to_string()).collect(),
            agrees: &part.detail.agrees,
            evidence: sections(part).into_iter().map(section).collect(),
            lanes: (0..).zip(&lanes.names).map(lane).collect(),
            replay: part.replay_command(),
        }
    }
}

impl StepJson {
    fn of(cell: &Cell, inserted: bool) -> Self {
        Self {
            number: cell.number,
            event: cell.event.clone(),
            inserted,
            failed: (!cell.failed.is_empty()).then_some(cell.failed),
            activity: cell.activity.clone(),
            layout: cell.screen.map(|(layout, _)| layout.to_string()),
            violation: cell.marks.clone(),
            signals: cell.signals.clone(),
        }
    }
}
