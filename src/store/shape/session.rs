//! Sessions as earlier versions stored them.

pub(crate) mod v4;

/// There was no external technique and none for neutral insertions, no choice of relations, and tests under way ended
/// when their session's time was up.
pub(crate) mod v1 {
    use serde::{Deserialize, Serialize};

    use super::super::lab::LabChoice;
    use super::super::tables::{
        GenieSettings, InputblasterSettings, OdinSettings, PbfdroidSettings, VisiondroidSettings,
    };
    use super::{v2, v4};
    use droidmux_record as record;
    use droidmux_record::{
        IgnoreRule, JobId, LlmSettings, ReplaySettings, Resumption, ScreenPolicy, SetupRule, ShrinkSettings,
        Terms, TextSource,
    };

    #[derive(Serialize, Deserialize)]
    pub struct SessionRecord {
        definition: SessionDefinition,
        rng: u64,
        planner_version: u32,
        inputs: Vec<JobId>,
        terms: Terms,
        droidmux: String,
        started_ms: u64,
        resumed: Vec<Resumption>,
        ended_ms: Option<u64>,
        ending: Option<String>,
        over: bool,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub struct SessionDefinition {
        technique: Technique,
        app: String,
        lab: LabChoice,
        run: RunSettings,
        genie: GenieSettings,
        odin: OdinSettings,
        pbfdroid: PbfdroidSettings,
        inputblaster: InputblasterSettings,
        visiondroid: VisiondroidSettings,
        llm: LlmSettings,
        ignore: Vec<IgnoreRule>,
        setup: Vec<SetupRule>,
        replay: Option<ReplaySettings>,
        shrink: Option<ShrinkSettings>,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub struct RunSettings {
        max_events: u64,
        window: u32,
        screens: ScreenPolicy,
        test_timeout: u32,
        retries: u32,
        dump_tries: u32,
        patience: u32,
        confirm: u32,
        confirm_of: u32,
        text: TextSource,
    }

    #[derive(Clone, Copy, Serialize, Deserialize)]
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

    impl From<SessionRecord> for v2::SessionRecord {
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

    impl From<SessionDefinition> for v2::SessionDefinition {
        fn from(old: SessionDefinition) -> Self {
            Self {
                technique: old.technique.into(),
                app: old.app,
                lab: old.lab,
                run: old.run.into(),
                genie: old.genie,
                odin: old.odin,
                neutral: Default::default(),
                pbfdroid: old.pbfdroid,
                inputblaster: old.inputblaster,
                visiondroid: old.visiondroid,
                llm: old.llm,
                ignore: old.ignore,
                setup: old.setup,
                replay: old.replay,
                shrink: old.shrink,
                step: None,
            }
        }
    }

    impl From<RunSettings> for v4::RunSettings {
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
                grace: 30,
                experiments: 10,
                relations: None,
                explore_share: 0,
                revisit_share: 0,
            }
        }
    }

    impl From<Technique> for record::Technique {
        fn from(old: Technique) -> Self {
            match old {
                Technique::Genie => Self::Genie,
                Technique::Odin => Self::Odin,
                Technique::Pbfdroid => Self::Pbfdroid,
                Technique::Monkey => Self::Monkey,
                Technique::Inputblaster => Self::Inputblaster,
                Technique::Randomtext => Self::Randomtext,
                Technique::Visiondroid => Self::Visiondroid,
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::super::super::tables::{NeutralSettings, Tables};
        use super::super::v3;
        use super::*;
        use droidmux_record::{ResetChoice, SettlingChoice};

        const TECHNIQUES: [(Technique, record::Technique); 7] = [
            (Technique::Genie, record::Technique::Genie),
            (Technique::Odin, record::Technique::Odin),
            (Technique::Pbfdroid, record::Technique::Pbfdroid),
            (Technique::Monkey, record::Technique::Monkey),
            (Technique::Inputblaster, record::Technique::Inputblaster),
            (Technique::Randomtext, record::Technique::Randomtext),
            (Technique::Visiondroid, record::Technique::Visiondroid),
        ];

        #[test]
        fn techniques_and_settings_are_those_they_were() {
            for (old, now) in TECHNIQUES {
                let run = RunSettings {
                    max_events: 300,
                    window: 2,
                    screens: ScreenPolicy::All,
                    test_timeout: 40,
                    retries: 3,
                    dump_tries: 4,
                    patience: 50,
                    confirm: 1,
                    confirm_of: 2,
                    text: TextSource::Inputblaster,
                };
                let mut now = record::SessionDefinition {
                    run: record::RunSettings {
                        max_events: 300,
                        window: 2,
                        screens: ScreenPolicy::All,
                        test_timeout: 40,
                        retries: 3,
                        dump_tries: 4,
                        patience: 50,
                        confirm: 1,
                        confirm_of: 2,
                        text: TextSource::Inputblaster,
                        time: 0,
                        grace: 30,
                        experiments: 10,
                        relations: None,
                        explore_share: 0,
                        revisit_share: 0,
                        settling: SettlingChoice::Strict,
                        reset: ResetChoice::Clear,
                    },
                    ..record::SessionDefinition::new(now, "org.notes")
                };
                let tables = Tables::sample();
                now.settings = Tables { neutral: NeutralSettings::default(), ..tables.clone() }.into();
                now.lab = LabChoice::sample().into();
                let same = now.clone();
                let old = SessionDefinition {
                    technique: old,
                    app: same.app,
                    lab: LabChoice::sample(),
                    run,
                    genie: tables.genie,
                    odin: tables.odin,
                    pbfdroid: tables.pbfdroid,
                    inputblaster: tables.inputblaster,
                    visiondroid: tables.visiondroid,
                    llm: same.llm,
                    ignore: same.ignore,
                    setup: same.setup,
                    replay: same.replay,
                    shrink: same.shrink,
                };
                let third = v3::SessionDefinition::from(v2::SessionDefinition::from(old));
                let fourth = v4::SessionDefinition::from(third);
                assert_eq!(record::SessionDefinition::from(fourth), now);
            }
        }
    }
}

/// Everything in the app was touched, and all permissions were granted.
pub(crate) mod v2 {
    use serde::{Deserialize, Serialize};

    use super::super::lab::LabChoice;
    use super::super::tables::{
        GenieSettings, InputblasterSettings, NeutralSettings, OdinSettings, PbfdroidSettings,
        VisiondroidSettings,
    };
    use super::v3;
    use super::v4::RunSettings;
    use droidmux_record::{
        IgnoreRule, JobId, LlmSettings, PermissionAnswer, ReplaySettings, Resumption, SetupRule,
        ShrinkSettings, StepSettings, Technique, Terms,
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
        pub(super) genie: GenieSettings,
        pub(super) odin: OdinSettings,
        pub(super) neutral: NeutralSettings,
        pub(super) pbfdroid: PbfdroidSettings,
        pub(super) inputblaster: InputblasterSettings,
        pub(super) visiondroid: VisiondroidSettings,
        pub(super) llm: LlmSettings,
        pub(super) ignore: Vec<IgnoreRule>,
        pub(super) setup: Vec<SetupRule>,
        pub(super) replay: Option<ReplaySettings>,
        pub(super) shrink: Option<ShrinkSettings>,
        pub(super) step: Option<StepSettings>,
    }

    impl From<SessionRecord> for v3::SessionRecord {
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

    impl From<SessionDefinition> for v3::SessionDefinition {
        fn from(old: SessionDefinition) -> Self {
            Self {
                technique: old.technique,
                app: old.app,
                lab: old.lab,
                run: old.run,
                genie: old.genie,
                odin: old.odin,
                neutral: old.neutral,
                pbfdroid: old.pbfdroid,
                inputblaster: old.inputblaster,
                visiondroid: old.visiondroid,
                llm: old.llm,
                ignore: old.ignore,
                setup: old.setup,
                replay: old.replay,
                shrink: old.shrink,
                step: old.step,
                avoid: Vec::new(),
                only: Vec::new(),
                permissions: PermissionAnswer::Allow,
            }
        }
    }
}

/// The settings of all techniques were fields of a session's definition, and no app came as APKs.
pub(crate) mod v3 {
    use serde::{Deserialize, Serialize};

    use super::super::lab::LabChoice;
    use super::super::tables::{
        GenieSettings, InputblasterSettings, NeutralSettings, OdinSettings, PbfdroidSettings, Tables,
        VisiondroidSettings,
    };
    use super::v4;
    use super::v4::RunSettings;
    use droidmux_record::{
        IgnoreRule, JobId, LlmSettings, PermissionAnswer, ReplaySettings, Resumption, SetupRule,
        ShrinkSettings, StepSettings, Technique, Terms,
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
        pub(super) genie: GenieSettings,
        pub(super) odin: OdinSettings,
        pub(super) neutral: NeutralSettings,
        pub(super) pbfdroid: PbfdroidSettings,
        pub(super) inputblaster: InputblasterSettings,
        pub(super) visiondroid: VisiondroidSettings,
        pub(super) llm: LlmSettings,
        pub(super) ignore: Vec<IgnoreRule>,
        pub(super) setup: Vec<SetupRule>,
        pub(super) replay: Option<ReplaySettings>,
        pub(super) shrink: Option<ShrinkSettings>,
        pub(super) step: Option<StepSettings>,
        pub(super) avoid: Vec<IgnoreRule>,
        pub(super) only: Vec<IgnoreRule>,
        pub(super) permissions: PermissionAnswer,
    }

    impl From<SessionRecord> for v4::SessionRecord {
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

    impl From<SessionDefinition> for v4::SessionDefinition {
        fn from(old: SessionDefinition) -> Self {
            let tables = Tables {
                genie: old.genie,
                odin: old.odin,
                neutral: old.neutral,
                pbfdroid: old.pbfdroid,
                inputblaster: old.inputblaster,
                visiondroid: old.visiondroid,
            };
            Self {
                technique: old.technique,
                app: old.app,
                lab: old.lab.into(),
                run: old.run,
                llm: old.llm,
                ignore: old.ignore,
                setup: old.setup,
                replay: old.replay,
                shrink: old.shrink,
                step: old.step,
                avoid: old.avoid,
                only: old.only,
                permissions: old.permissions,
                settings: tables.into(),
            }
        }
    }
}
