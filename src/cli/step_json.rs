//! A step and a verdict in JSON Lines.

use serde::Serialize;

use droidmux_gui::Selector;
use droidmux_record::{Act, Failure, JobRun, Observation, Seen, Settling, Turn, Verdict};

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "step"))]
pub(crate) struct StepJson<'a> {
    #[cfg_attr(test, schemars(extend("const" = "step")))]
    r#type: &'static str,
    app: &'a str,
    job: u64,
    #[cfg_attr(test, schemars(extend("enum" = WORK)))]
    work: &'a str,
    /// Test of the job, from 0.
    test: u64,
    /// Turn of the episode, from 0.
    turn: usize,
    /// Event of the test, from 1; 0 for the reset.
    event_number: u64,
    /// `reset` or the event's type.
    event: &'a str,
    receiver: Option<ReceiverJson<'a>>,
    /// The text of an edit.
    data: Option<&'a str>,
    /// 1 when the receiver was found exactly.
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    ratio: Option<f32>,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced_or_null::<Failure>"))]
    failed: Option<&'a Failure>,
    #[cfg_attr(test, schemars(regex(pattern = "^[0-9a-f]{32}$")))]
    layout: Option<String>,
    activity: Option<&'a str>,
    in_app: Option<bool>,
    settled: Option<bool>,
    /// Crashes and ANRs seen after the step.
    signals: usize,
    t: StepVaries,
    device: StepDevice<'a>,
}

/// The kinds of work that events are performed for.
#[cfg(test)]
const WORK: [&str; 15] = [
    "mine",
    "seed",
    "roam",
    "mutants",
    "calibrate",
    "manifest",
    "weigh",
    "properties",
    "confirm",
    "replay",
    "shrink",
    "examine",
    "step",
    "form",
    "tour",
];

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "receiver"))]
struct ReceiverJson<'a> {
    class: &'a str,
    resource_id: &'a str,
    description: &'a str,
    text: &'a str,
}

/// Times and numbers of this run alone.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "step-t"))]
struct StepVaries {
    at_ms: u64,
    took_ms: u32,
    attempt: u32,
    screenshot: Option<String>,
    /// How the screen was found to be at rest, and the dumps that this took.
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Option<Settling>>"))]
    settling: Option<Settling>,
    dumps: Option<u32>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "step-device"))]
struct StepDevice<'a> {
    serial: &'a str,
    build: &'a str,
    app_version: &'a str,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "verdict"))]
pub(crate) struct VerdictJson<'a> {
    #[cfg_attr(test, schemars(extend("const" = "verdict")))]
    r#type: &'static str,
    app: &'a str,
    job: u64,
    work: &'a str,
    test: u16,
    oracle: &'a str,
    #[cfg_attr(test, schemars(extend("enum" = ["pass", "violation", "inconclusive"])))]
    outcome: &'static str,
    why: Option<&'a str>,
    title: &'a str,
    /// Equal for the same bug; empty unless a violation.
    key: &'a str,
}

impl<'a> StepJson<'a> {
    /// The line of a turn that performs an event or resets the app: the turn's number in its episode, and what it is
    /// in its test.
    pub(crate) fn of(run: &'a JobRun, number: usize, turn: &'a Turn, test: u64, event_number: u64) -> Self {
        let (event, receiver, data) = match &turn.act {
            Act::Perform(event) => (event.kind.name(), event.receiver.as_ref(), event.data.as_deref()),
            Act::Reset | Act::Consult(_) | Act::Finish(_) => ("reset", None, None),
        };
        let seen = turn.observation.seen();
        let failed = match &turn.observation {
            Observation::Failed(failure) => Some(failure),
            Observation::Started | Observation::Seen(_) | Observation::Ended | Observation::Answered(_) => {
                None
            }
        };
        Self {
            r#type: "step",
            app: &run.app.package,
            job: run.job.slot.0,
            work: run.job.work.name(),
            test,
            turn: number,
            event_number,
            event,
            receiver: receiver.map(|Selector { class, resource_id, description, text, .. }| ReceiverJson {
                class,
                resource_id,
                description,
                text,
            }),
            data,
            ratio: seen.and_then(|seen| seen.resolution).map(|resolution| resolution.ratio()),
            failed,
            layout: seen.map(|seen| seen.screen.layout.to_string()),
            activity: seen.map(|seen| seen.screen.activity.as_str()),
            in_app: seen.map(|seen| seen.screen.in_app),
            settled: seen.map(Seen::is_settled),
            signals: seen.map_or(0, |seen| seen.signals.len()),
            t: StepVaries {
                at_ms: turn.at_ms,
                took_ms: turn.took_ms,
                attempt: run.attempt,
                screenshot: seen.and_then(|seen| seen.screenshot).map(|hash| hash.to_string()),
                settling: seen.map(|seen| seen.settling),
                dumps: seen.map(|seen| seen.dumps),
            },
            device: StepDevice {
                serial: &run.device.serial,
                build: &run.device.build,
                app_version: &run.app.version_name,
            },
        }
    }
}

impl<'a> VerdictJson<'a> {
    pub(crate) fn of(run: &'a JobRun, verdict: &'a Verdict) -> Self {
        Self {
            r#type: "verdict",
            app: &run.app.package,
            job: verdict.slot.0,
            work: run.job.work.name(),
            test: verdict.test,
            oracle: &verdict.oracle,
            outcome: verdict.outcome.name(),
            why: verdict.outcome.why(),
            title: &verdict.title,
            key: &verdict.key,
        }
    }
}
