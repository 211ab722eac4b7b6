//! What a check found, as one JSON object.

use serde::Serialize;

use super::checked::{Checked, insertion};
use super::effects::{self, EffectGroup};
use crate::finding_json::FindingJson;
use droidmux_gui::Level;
use droidmux_import::{Counts, Published, Recorded};
use droidmux_record::{
    Broken, EffectKind, Evidence, Fidelity, Hint, IgnoreRule, Insertion, Mask, Signal, Verdict, WidgetNote,
};

/// The object that `droidmux check --json` prints
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct CheckedJson<'a> {
    app: &'a str,
    read: ReadJson,
    remarks: &'a [String],
    model: ModelJson,
    /// With `--mask-dates`: what each fits; an empty field fits anything. The example shows the two values seen.
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Vec<Mask>>"))]
    masks: Vec<&'a Mask>,
    /// The `--ignore` rules that match no widget of the recording.
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Vec<IgnoreRule>>"))]
    idle_rules: &'a [IgnoreRule],
    /// Mutants compared with their seed.
    comparisons: usize,
    verdicts: Vec<VerdictJson<'a>>,
    /// Best rank first.
    findings: Vec<FindingJson<'a>>,
}

/// What was read.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "read"))]
struct ReadJson {
    /// Files with a state or a dump.
    states: u64,
    /// States of which part is missing or cannot be told apart; the remarks say what.
    degraded: u64,
    /// Files with an event.
    events: u64,
    traces: u64,
    steps: u64,
    /// Events that are in no trace; the remarks say why.
    left_out: u64,
    /// Different layouts.
    layouts: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "model"))]
struct ModelJson {
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Level>"))]
    level: Level,
    states: usize,
    transitions: usize,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "verdict"))]
struct VerdictJson<'a> {
    /// The run's name in the recording.
    name: &'a str,
    oracle: &'a str,
    test: u16,
    insertion: Option<InsertionJson>,
    #[cfg_attr(test, schemars(extend("enum" = ["pass", "violation", "inconclusive"])))]
    outcome: &'static str,
    why: Option<&'a str>,
    title: &'a str,
    /// Equal for the same bug; empty unless a violation.
    key: &'a str,
    fidelity: FidelityJson,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Vec<Hint>>"))]
    hints: &'a [Hint],
    effects: Vec<EffectJson<'a>>,
    signal: Option<SignalJson<'a>>,
    broken: Option<BrokenJson<'a>>,
    published: Option<PublishedJson>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "insertion"))]
struct InsertionJson {
    /// The event of the seed it stands before, from 1.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pivot: u16,
    #[cfg_attr(test, schemars(range(min = 1)))]
    length: u16,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "fidelity"))]
struct FidelityJson {
    events: u16,
    exact: u16,
    similar: u16,
    failed: u16,
    unsettled: u16,
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    lowest_ratio: f32,
}

/// An effect of the seed that the mutant lacks, with all pairs of layouts that show it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "effect"))]
struct EffectJson<'a> {
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<EffectKind>"))]
    kind: EffectKind,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced_or_null::<WidgetNote>"))]
    before: Option<&'a WidgetNote>,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced_or_null::<WidgetNote>"))]
    after: Option<&'a WidgetNote>,
    context: &'a str,
    diverged: bool,
    /// Layouts of the seed, from 1.
    #[cfg_attr(
        test,
        schemars(
            length(min = 1),
            extend("items" = {
                "type": "array",
                "items": { "type": "integer", "minimum": 1 },
                "minItems": 2,
                "maxItems": 2,
            })
        )
    )]
    pairs: Vec<(u16, u16)>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "signal"))]
struct SignalJson<'a> {
    turn: u32,
    #[cfg_attr(test, schemars(schema_with = "droidmux_schema::traced::<Signal>"))]
    signal: &'a Signal,
}

/// The relation between two screens of the trace that does not hold.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "broken"))]
struct BrokenJson<'a> {
    relation: &'a str,
    expected: &'a str,
    found: &'a str,
    /// The turns of the run whose screens contradict each other, from 0.
    turns: (u32, u32),
    /// Too slight to be reported by itself.
    slight: bool,
}

/// What the tool that made the recording said of it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "published"))]
struct PublishedJson {
    violation: bool,
    crash: bool,
    insert_position: u64,
    effects: usize,
    /// How many of its effects are among those found here.
    in_common: usize,
}

pub(super) fn of(checked: &Checked) -> CheckedJson<'_> {
    let recording = &checked.recording;
    CheckedJson {
        app: &recording.app,
        read: ReadJson::of(recording.counts),
        remarks: &recording.remarks,
        model: ModelJson {
            level: checked.model.level(),
            states: checked.model.state_count(),
            transitions: checked.model.transition_count(),
        },
        masks: checked.masks.iter().map(|edit| &edit.mask).collect(),
        idle_rules: &checked.idle_rules,
        comparisons: recording.comparisons().count(),
        verdicts: checked.verdicts().map(|(recorded, verdict)| VerdictJson::of(recorded, verdict)).collect(),
        findings: checked.findings.iter().map(|finding| FindingJson::of(finding, &recording.app)).collect(),
    }
}

impl ReadJson {
    fn of(counts: Counts) -> Self {
        let Counts { states, degraded, events, traces, steps, left_out, layouts } = counts;
        Self { states, degraded, events, traces, steps, left_out, layouts }
    }
}

impl<'a> VerdictJson<'a> {
    fn of(recorded: &'a Recorded, verdict: &'a Verdict) -> Self {
        let published = recorded.published.as_ref();
        Self {
            name: &recorded.name,
            oracle: &verdict.oracle,
            test: verdict.test,
            insertion: insertion(recorded, verdict)
                .map(|Insertion { pivot, length }| InsertionJson { pivot, length }),
            outcome: verdict.outcome.name(),
            why: verdict.outcome.why(),
            title: &verdict.title,
            key: &verdict.key,
            fidelity: FidelityJson::of(verdict.fidelity),
            hints: &verdict.hints,
            effects: effects::groups(verdict).into_iter().map(EffectJson::of).collect(),
            signal: match &verdict.evidence {
                Evidence::Signal { turn, signal } => Some(SignalJson { turn: *turn, signal }),
                _ => None,
            },
            broken: match &verdict.evidence {
                Evidence::Broken(broken) => Some(BrokenJson::of(broken)),
                _ => None,
            },
            published: published.map(|published| PublishedJson::of(published, verdict)),
        }
    }
}

impl FidelityJson {
    fn of(fidelity: Fidelity) -> Self {
        let Fidelity { events, exact, similar, failed, unsettled, lowest_ratio } = fidelity;
        Self { events, exact, similar, failed, unsettled, lowest_ratio }
    }
}

impl<'a> EffectJson<'a> {
    fn of(group: EffectGroup<'a>) -> Self {
        let effect = group.first;
        Self {
            kind: effect.kind,
            before: effect.before.as_ref(),
            after: effect.after.as_ref(),
            context: &effect.context,
            diverged: effect.diverged,
            pairs: group.pairs,
        }
    }
}

impl<'a> BrokenJson<'a> {
    fn of(broken: &'a Broken) -> Self {
        let Broken { relation, expected, found, turns, slight, .. } = broken;
        Self { relation, expected, found, turns: *turns, slight: *slight }
    }
}

impl PublishedJson {
    fn of(published: &Published, verdict: &Verdict) -> Self {
        Self {
            violation: published.semantic,
            crash: published.crash,
            insert_position: published.insert_position,
            effects: published.effects.len(),
            in_common: published.in_common(effects::effects(verdict)),
        }
    }
}
