//! Sessions as earlier versions stored them: their encodings are those of today.

/// There was no technique from outside.
pub(in crate::store) mod v1 {
    use serde::Deserialize;

    use crate::record::{
        GenieSettings, IgnoreRule, InputblasterSettings, JobId, LabChoice, LlmSettings, OdinSettings,
        PbfdroidSettings, ReplaySettings, Resumption, RunSettings, SetupRule, ShrinkSettings, Terms,
        VisiondroidSettings,
    };

    #[derive(Deserialize)]
    #[allow(dead_code, reason = "only its shape is looked at")]
    pub struct SessionRecord {
        pub definition: SessionDefinition,
        pub rng: u64,
        pub planner_version: u32,
        pub inputs: Vec<JobId>,
        pub terms: Terms,
        pub droidmux: String,
        pub started_ms: u64,
        pub resumed: Vec<Resumption>,
        pub ended_ms: Option<u64>,
        pub ending: Option<String>,
        pub over: bool,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[allow(dead_code, reason = "only its shape is looked at")]
    pub struct SessionDefinition {
        pub technique: Technique,
        pub app: String,
        pub lab: LabChoice,
        pub run: RunSettings,
        pub genie: GenieSettings,
        pub odin: OdinSettings,
        pub pbfdroid: PbfdroidSettings,
        pub inputblaster: InputblasterSettings,
        pub visiondroid: VisiondroidSettings,
        pub llm: LlmSettings,
        pub ignore: Vec<IgnoreRule>,
        pub setup: Vec<SetupRule>,
        pub replay: Option<ReplaySettings>,
        pub shrink: Option<ShrinkSettings>,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Technique {
        Genie,
        Odin,
        Pbfdroid,
        Monkey,
        Inputblaster,
        Randomtext,
        Visiondroid,
    }
}
