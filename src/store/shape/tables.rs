//! The settings of techniques as sessions stored them before each technique put its own into an envelope.

use serde::{Deserialize, Serialize};

use droidmux_gui::{EffectForm, Level};
use droidmux_record::{Abstraction, NeutralInsertion, RecordedFolder, Settings, Specification};

/// All of them.
#[derive(Clone, Debug)]
pub struct Tables {
    pub genie: GenieSettings,
    pub odin: OdinSettings,
    pub neutral: NeutralSettings,
    pub pbfdroid: PbfdroidSettings,
    pub inputblaster: InputblasterSettings,
    pub visiondroid: VisiondroidSettings,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct GenieSettings {
    pub mine_events: u32,
    pub episode_events: u32,
    pub initial_weight: f64,
    pub stale_events: u32,
    pub random_click: u32,
    pub random_long_click: u32,
    pub random_navigation: u32,
    pub affirmative: Vec<String>,
    pub level: Level,
    pub seeds: u32,
    pub seed_events: u32,
    pub insert_events: u32,
    pub mutants: u32,
    pub batch: u32,
    pub similar_states: u32,
    pub cycle_repeats: u32,
    pub group_widgets: u32,
    pub self_loops: u32,
    pub pivot_likeness: f64,
    pub carry_ratio: f64,
    pub effects: EffectForm,
    pub seed_runs: u32,
    pub dependent_insertions: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct OdinSettings {
    pub from: Vec<String>,
    pub folders: Vec<RecordedFolder>,
    pub explore_events: u32,
    pub episode_events: u32,
    pub calibrate: bool,
    pub inputs: u32,
    pub walk_events: u32,
    pub calibrate_share: u32,
    pub behaviours: u32,
    pub batch: u32,
    pub rules: Vec<Abstraction>,
    pub fewest: u32,
    pub majority: f64,
    pub z: f64,
    pub deviation_floor: bool,
    pub text: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct NeutralSettings {
    pub insertions: Vec<NeutralInsertion>,
    pub rounds: u32,
    pub batch: u32,
    pub language: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct PbfdroidSettings {
    pub spec: String,
    pub keyviews: String,
    pub configuration: Configuration,
    pub test_events: u32,
    pub retries: u32,
    pub random_weight: u32,
    pub coin: bool,
    pub go_on: bool,
    pub random_click: u32,
    pub random_long_click: u32,
    pub random_scroll: u32,
    pub random_edit: u32,
    pub random_back: u32,
    pub random_home: u32,
    pub random_rotate: u32,
    pub functions: Vec<String>,
    pub specification: Option<Specification>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct InputblasterSettings {
    pub explore_events: u32,
    pub attempts: u32,
    pub minutes: u32,
    pub batch: u16,
    pub valid_tries: u32,
    pub examples: u8,
    pub learn: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct VisiondroidSettings {
    pub test_events: u32,
    pub history: u32,
    pub examples: u8,
    pub picture: u32,
    pub learn: bool,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Configuration {
    A,
    B,
    Full,
}

/// Those of a session that was stored before there were any.
impl Default for NeutralSettings {
    fn default() -> Self {
        Self { insertions: NeutralInsertion::USUAL.to_vec(), rounds: 3, batch: 8, language: "de-DE".into() }
    }
}

impl From<Tables> for Settings {
    fn from(old: Tables) -> Self {
        let mut settings = Self::default();
        settings.restore("genie", &old.genie, &[]);
        settings.restore("odin", &old.odin, &["from"]);
        settings.restore("neutral", &old.neutral, &[]);
        settings.restore("pbfdroid", &old.pbfdroid, &[]);
        settings.restore("inputblaster", &old.inputblaster, &[]);
        settings.restore("visiondroid", &old.visiondroid, &[]);
        settings
    }
}

#[cfg(test)]
impl Tables {
    /// No key has its default.
    pub fn sample() -> Self {
        Self {
            genie: GenieSettings {
                mine_events: 1,
                episode_events: 2,
                initial_weight: 0.1,
                stale_events: 3,
                random_click: 50,
                random_long_click: 20,
                random_navigation: 30,
                affirmative: vec!["ja".into()],
                level: Level::Content,
                seeds: 4,
                seed_events: 5,
                insert_events: 6,
                mutants: 7,
                batch: 9,
                similar_states: 10,
                cycle_repeats: 1,
                group_widgets: 11,
                self_loops: 12,
                pivot_likeness: 0.3,
                carry_ratio: 0.7,
                effects: EffectForm::Sets,
                seed_runs: 3,
                dependent_insertions: true,
            },
            odin: OdinSettings {
                from: vec!["s3".into(), "s1".into()],
                folders: Vec::new(),
                explore_events: 1,
                episode_events: 2,
                calibrate: false,
                inputs: 3,
                walk_events: 4,
                calibrate_share: 5,
                behaviours: 60,
                batch: 7,
                rules: vec![Abstraction::Eventless],
                fewest: 8,
                majority: 0.6,
                z: 2.2,
                deviation_floor: false,
                text: "\u{e4} \"b\"".into(),
            },
            neutral: NeutralSettings {
                insertions: vec![NeutralInsertion::FontSize],
                rounds: 1,
                batch: 2,
                language: "fr".into(),
            },
            pbfdroid: PbfdroidSettings {
                spec: "a.json".into(),
                keyviews: "b.json".into(),
                configuration: Configuration::B,
                test_events: 1,
                retries: 2,
                random_weight: 3,
                coin: true,
                go_on: true,
                random_click: 4,
                random_long_click: 5,
                random_scroll: 6,
                random_edit: 7,
                random_back: 8,
                random_home: 9,
                random_rotate: 10,
                functions: vec!["add note".into()],
                specification: Some(Specification { dmfs: Vec::new(), key_views: Vec::new() }),
            },
            inputblaster: InputblasterSettings {
                explore_events: 1,
                attempts: 2,
                minutes: 3,
                batch: 4,
                valid_tries: 6,
                examples: 7,
                learn: true,
            },
            visiondroid: VisiondroidSettings {
                test_events: 1,
                history: 2,
                examples: 3,
                picture: 400,
                learn: true,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_as_session_files_write_them_and_name_their_sessions() {
        let mut settings = Settings::from(Tables::sample());
        let names: Vec<&str> = settings.names().collect();
        assert_eq!(names, ["genie", "inputblaster", "neutral", "odin", "pbfdroid", "visiondroid"]);
        settings.each_session(&mut |id| id.0 += 1);
        let json = serde_json::to_value(&settings).expect("JSON");
        for (place, expected) in [
            ("/genie/initial-weight", serde_json::json!(0.1)),
            ("/genie/level", "content".into()),
            ("/odin/from", serde_json::json!(["s4", "s2"])),
            ("/odin/text", "\u{e4} \"b\"".into()),
            ("/neutral/insertions/0", "font-size".into()),
            ("/pbfdroid/configuration", "b".into()),
            ("/inputblaster/valid-tries", 6.into()),
            ("/visiondroid/picture", 400.into()),
        ] {
            assert_eq!(json.pointer(place), Some(&expected), "{place}");
        }
    }
}
