//! Sessions of the time when every event waited strictly for the screen to come to rest.

use serde::{Deserialize, Serialize};

use droidmux_record as record;
use droidmux_record::{
    AppPlace, IgnoreRule, JobId, LabChoice, LlmSettings, PermissionAnswer, ReplaySettings, ResetChoice,
    Resumption, ScreenPolicy, Settings, SettlingChoice, SetupRule, ShrinkSettings, StepSettings, Technique,
    Terms, TextSource,
};

#[derive(Serialize, Deserialize)]
pub struct SessionRecord {
    pub(super) definition: SessionDefinition,
    pub(super) rng: u64,
    pub(super) planner_version: u32,
    pub(super) inputs: Vec<JobId>,
    pub(super) terms: Terms,
    pub(super) droidmux: String,
    pub(super) started_ms: u64,
    pub(super) resumed: Vec<Resumption>,
    pub(super) ended_ms: Option<u64>,
    pub(super) ending: Option<String>,
    pub(super) over: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct SessionDefinition {
    pub(super) technique: Technique,
    pub(super) app: String,
    pub(super) lab: LabChoice,
    pub(super) run: RunSettings,
    pub(super) llm: LlmSettings,
    pub(super) ignore: Vec<IgnoreRule>,
    pub(super) setup: Vec<SetupRule>,
    pub(super) replay: Option<ReplaySettings>,
    pub(super) shrink: Option<ShrinkSettings>,
    pub(super) step: Option<StepSettings>,
    pub(super) avoid: Vec<IgnoreRule>,
    pub(super) only: Vec<IgnoreRule>,
    pub(super) permissions: PermissionAnswer,
    pub(super) settings: Settings,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RunSettings {
    pub(super) max_events: u64,
    pub(super) window: u32,
    pub(super) screens: ScreenPolicy,
    pub(super) test_timeout: u32,
    pub(super) retries: u32,
    pub(super) dump_tries: u32,
    pub(super) patience: u32,
    pub(super) confirm: u32,
    pub(super) confirm_of: u32,
    pub(super) text: TextSource,
    pub(super) grace: u32,
    pub(super) experiments: u32,
    pub(super) relations: Option<Vec<String>>,
    pub(super) explore_share: u32,
    pub(super) revisit_share: u32,
}

impl From<SessionRecord> for record::SessionRecord {
    fn from(old: SessionRecord) -> Self {
        Self {
            definition: old.definition.into(),
            rng: old.rng,
            planner_version: old.planner_version,
            inputs: old.inputs,
            terms: old.terms,
            droidmux: old.droidmux,
            started_ms: old.started_ms,
            resumed: old.resumed,
            ended_ms: old.ended_ms,
            ending: old.ending,
            over: old.over,
        }
    }
}

impl From<SessionDefinition> for record::SessionDefinition {
    fn from(old: SessionDefinition) -> Self {
        Self {
            technique: old.technique,
            app: old.app,
            place: AppPlace::default(),
            lab: old.lab,
            run: old.run.into(),
            llm: old.llm,
            ignore: old.ignore,
            setup: old.setup,
            replay: old.replay,
            shrink: old.shrink,
            step: old.step,
            avoid: old.avoid,
            only: old.only,
            permissions: old.permissions,
            settings: old.settings,
        }
    }
}

impl From<RunSettings> for record::RunSettings {
    fn from(old: RunSettings) -> Self {
        Self {
            max_events: old.max_events,
            window: old.window,
            screens: old.screens,
            test_timeout: old.test_timeout,
            retries: old.retries,
            dump_tries: old.dump_tries,
            patience: old.patience,
            confirm: old.confirm,
            confirm_of: old.confirm_of,
            text: old.text,
            grace: old.grace,
            experiments: old.experiments,
            relations: old.relations,
            explore_share: old.explore_share,
            revisit_share: old.revisit_share,
            time: 0,
            settling: SettlingChoice::Strict,
            reset: ResetChoice::Clear,
        }
    }
}
