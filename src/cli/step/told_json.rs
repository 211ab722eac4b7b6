//! The lines of a stepped test as JSON.

use serde::Serialize;

use droidmux_lab::SessionOutcome;
use droidmux_proto::{
    NextStep, RowOrigin, RowState, SeedEffect, Shows, StepRow, StepperView, ViolationNote, ViolationPart,
};
use droidmux_record::WidgetNote;

/// `droidmux step --json`: a line for each question, and one at the end.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "step"))]
#[expect(clippy::large_enum_variant, reason = "one at a time, to be written at once")]
pub(crate) enum ToldJson<'a> {
    Step {
        finding: String,
        #[cfg_attr(test, schemars(regex(pattern = "^s[0-9]+$")))]
        session: String,
        /// Counted from 0; on another device counted anew.
        question: u32,
        /// Both tests, aligned.
        rows: Vec<RowJson<'a>>,
        next_row: Option<u32>,
        next: Option<NextJson<'a>>,
        live: Option<String>,
        recorded: Option<String>,
        differences: &'a [String],
        seed_effect: Option<EffectJson<'a>>,
        violation: ViolationJson<'a>,
        /// Why the last order was not carried out; empty when it was.
        trouble: &'a str,
        t: StepVaries,
        device: &'a str,
    },
    Stepped {
        #[cfg_attr(test, schemars(regex(pattern = "^s[0-9]+$")))]
        session: String,
        finding: Option<String>,
        steps: u64,
        /// Findings that the oracles made of what was done.
        found: Vec<String>,
    },
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "row"))]
pub(crate) struct RowJson<'a> {
    /// The event's number in the stepped test; null for what is not of it.
    #[cfg_attr(test, schemars(range(min = 1)))]
    number: Option<u16>,
    seed: Option<&'a str>,
    event: Option<&'a str>,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<RowOrigin>"))]
    origin: RowOrigin,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<RowState>"))]
    state: RowState,
    /// The layout after it when it was recorded.
    recorded: Option<String>,
    /// The layout after it now.
    live: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "next"))]
pub(crate) struct NextJson<'a> {
    event: &'a str,
    /// Its number on the layout that is there.
    widget: Option<u32>,
    found: &'a str,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "seed-effect"))]
pub(crate) struct EffectJson<'a> {
    came: u32,
    missing: &'a [String],
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "violation"))]
pub(crate) struct ViolationJson<'a> {
    title: &'a str,
    /// Events after which it shows.
    at: u16,
    reached: bool,
    reasons: &'a [String],
    parts: Vec<PartJson<'a>>,
    /// Whether what was reported shows this time; null before the test got there.
    #[cfg_attr(test, schemars(extend("enum" = ["again", "not", "unknown", null])))]
    shows: Option<&'static str>,
    /// Why that is unknown.
    why: Option<&'a str>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "part"))]
pub(crate) struct PartJson<'a> {
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced_or_null::<WidgetNote>"))]
    before: Option<&'a WidgetNote>,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced_or_null::<WidgetNote>"))]
    after: Option<&'a WidgetNote>,
    context: &'a str,
    /// Whether what was missing came this time; null where that cannot be told.
    came: Option<bool>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "step-t"))]
pub(crate) struct StepVaries {
    back_ms: u64,
    again_ms: u64,
    attempt: u32,
}

impl<'a> ToldJson<'a> {
    pub(super) fn step(view: &'a StepperView, question: u32) -> Self {
        Self::Step {
            finding: view.finding.to_string(),
            session: view.session.to_string(),
            question,
            rows: view.rows.iter().map(RowJson::of).collect(),
            next_row: view.next_row,
            next: view.next.as_ref().map(|NextStep { event, widget, found }| NextJson {
                event,
                widget: *widget,
                found,
            }),
            live: view.live.map(|hash| hash.to_string()),
            recorded: view.recorded.map(|hash| hash.to_string()),
            differences: &view.differences,
            seed_effect: view
                .effect
                .as_ref()
                .map(|SeedEffect { came, missing }| EffectJson { came: *came, missing }),
            violation: ViolationJson::of(&view.violation),
            trouble: &view.trouble,
            t: StepVaries { back_ms: view.back_ms, again_ms: view.again_ms, attempt: view.attempt },
            device: &view.device,
        }
    }

    pub(super) fn stepped(outcome: &SessionOutcome, last: Option<&StepperView>) -> Self {
        Self::Stepped {
            session: outcome.session.to_string(),
            finding: last.map(|view| view.finding.to_string()),
            steps: outcome.steps,
            found: outcome.findings.iter().map(|finding| finding.id.to_string()).collect(),
        }
    }
}

impl<'a> RowJson<'a> {
    fn of(row: &'a StepRow) -> Self {
        Self {
            number: row.number,
            seed: row.seed.as_deref(),
            event: row.event.as_deref(),
            origin: row.origin,
            state: row.state,
            recorded: row.recorded.map(|hash| hash.to_string()),
            live: row.live.map(|hash| hash.to_string()),
        }
    }
}

impl<'a> ViolationJson<'a> {
    fn of(note: &'a ViolationNote) -> Self {
        Self {
            title: &note.title,
            at: note.at,
            reached: note.reached,
            reasons: &note.reasons,
            parts: note.parts.iter().map(PartJson::of).collect(),
            shows: note.shows.as_ref().map(Shows::word),
            why: match &note.shows {
                Some(Shows::Unknown(why)) => Some(why),
                Some(Shows::Again | Shows::Not) | None => None,
            },
        }
    }
}

impl<'a> PartJson<'a> {
    fn of(part: &'a ViolationPart) -> Self {
        let ViolationPart { before, after, context, came } = part;
        Self { before: before.as_ref(), after: after.as_ref(), context, came: *came }
    }
}
