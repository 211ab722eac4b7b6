//! The schemas of what commands print, made from the types that are printed and compared with those in `docs/`.

use schemars::JsonSchema;

use super::apk::CheckedApkJson;
use super::check::CheckedJson;
use super::dmf::LintJson;
use super::doctor::DoctorJson;
use super::events_json::{PhaseJson, SummaryJson};
use super::exchange_json::{ExamplesJson, ExchangeJson, GenerationJson};
use super::finding_json::FindingJson;
use super::hosts::list::HostLineJson;
use super::questions::{AnsweredJson, QuestionJson, WaitingJson};
use super::recheck::ReportJson;
use super::replay::ReplayJson;
use super::session::CheckJson;
use super::step::ToldJson;
use super::step_json::{StepJson, VerdictJson};
use super::store::{ExportJson, GcJson, RemoveJson, SalvageJson, StatsJson, VerifyJson};
use droidmux_bench::soak::Soaked;
use droidmux_schema::Document;
use droidmux_store::Imported;

/// Written anew when `DROIDMUX_WRITE_DOCS` is set.
#[test]
fn the_documentation_is_current() {
    let keep = |file: &str, schema| Document::keep(file, &schema, "droidmux-cli");
    let commands = Document::new("The objects that commands print with `--json`, one definition a command")
        .described("`run`, `check`, `recheck`, `doctor` and `bench defects` have schemas of their own beside this one.")
        .with::<StatsJson>()
        .with::<VerifyJson>()
        .with::<RemoveJson>()
        .with::<SalvageJson>()
        .with::<ExportJson>()
        .with::<Imported>()
        .with::<GcJson>()
        .with::<LintJson<'_>>()
        .with::<Soaked>()
        .with::<ToldJson<'_>>()
        .with::<CheckJson<'_>>()
        .with::<ReplayJson<'_>>()
        .with::<CheckedApkJson<'_>>()
        .with::<WaitingJson<'_>>()
        .with::<QuestionJson<'_>>()
        .with::<AnsweredJson<'_>>()
        .with::<HostLineJson<'_>>();
    keep("commands.schema.json", commands.definitions());
    let lines = Document::new("One line of `droidmux run --json`");
    keep("json-lines.schema.json", lines.of::<Line<'_>>());
    let check = Document::new("The object that `droidmux check --json` prints");
    keep("check.schema.json", check.of::<CheckedJson<'_>>());
    let recheck = Document::new("What `droidmux recheck --json` prints");
    keep("recheck.schema.json", recheck.of::<ReportJson<'_>>());
    let doctor = Document::new("The object that `droidmux doctor --json` prints");
    keep("doctor.schema.json", doctor.of::<DoctorJson<'_>>());
}

/// What varies from run to run sits under `t` and `device`. Lines come in (job, step) order.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is wanted")]
enum Line<'a> {
    Phase(PhaseJson<'a>),
    Step(StepJson<'a>),
    Exchange(ExchangeJson<'a>),
    Generation(GenerationJson<'a>),
    Examples(ExamplesJson<'a>),
    Verdict(VerdictJson<'a>),
    Finding(FindingJson<'a>),
    Summary(SummaryJson<'a>),
}
