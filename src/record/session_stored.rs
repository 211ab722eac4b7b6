//! Session definitions in the store: fields in a fixed order, the tables of techniques last.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{
    IgnoreRule, LabChoice, LlmSettings, PermissionAnswer, ReplaySettings, RunSettings, SessionDefinition,
    Settings, SetupRule, ShrinkSettings, StepSettings, Technique,
};

/// Tables by their names in formats for people, a fixed order in the store.
impl Serialize for SessionDefinition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return Self::serialize(self, serializer);
        }
        Stored::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for SessionDefinition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return Self::deserialize(deserializer);
        }
        Stored::deserialize(deserializer)
    }
}

/// A session definition in the store.
#[derive(Serialize, Deserialize)]
#[serde(remote = "SessionDefinition", rename = "SessionDefinition", rename_all = "kebab-case")]
struct Stored {
    technique: Technique,
    app: String,
    lab: LabChoice,
    run: RunSettings,
    llm: LlmSettings,
    ignore: Vec<IgnoreRule>,
    setup: Vec<SetupRule>,
    replay: Option<ReplaySettings>,
    shrink: Option<ShrinkSettings>,
    step: Option<StepSettings>,
    avoid: Vec<IgnoreRule>,
    only: Vec<IgnoreRule>,
    permissions: PermissionAnswer,
    settings: Settings,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_is_the_same_in_the_store_and_as_json() {
        let mut definition = SessionDefinition::new(Technique::Genie, "org.notes");
        definition.run.window = 3;
        let walks = serde_json::json!({ "longest": 3, "from": ["s2"] });
        definition.settings.restore("walks", &walks, &[]);
        let stored = postcard::to_stdvec(&definition).expect("bytes");
        assert_eq!(postcard::from_bytes::<SessionDefinition>(&stored), Ok(definition.clone()));
        let json = serde_json::to_value(&definition).expect("JSON");
        assert_eq!(json.get("walks"), Some(&walks), "beside the other tables");
        let mut keys: Vec<&String> = json.as_object().expect("an object").keys().collect();
        keys.retain(|key| *key != "walks");
        assert_eq!(keys, SessionDefinition::KEYS);
        assert_eq!(serde_json::from_value::<SessionDefinition>(json).expect("a definition"), definition);
    }
}
