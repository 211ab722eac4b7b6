//! Session definitions in the store: fields in a fixed order, the tables of techniques last.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::app_place::WrittenApp;
use super::lab_servers::LabServers;
use super::{
    AppPlace, HostsChoice, IgnoreRule, LabChoice, LlmSettings, PermissionAnswer, ReplaySettings, RunSettings,
    SessionDefinition, Settings, SettingsContent, SetupRule, ShrinkSettings, StepSettings, Technique,
};

/// Tables by their names in formats for people, a fixed order in the store.
impl Serialize for SessionDefinition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return Written::serialize(self, serializer);
        }
        Stored::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for SessionDefinition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return Written::deserialize(deserializer);
        }
        Stored::deserialize(deserializer)
    }
}

/// A session definition for people.
#[derive(Serialize, Deserialize)]
#[serde(remote = "SessionDefinition", rename = "SessionDefinition", rename_all = "kebab-case")]
struct Written {
    technique: Technique,
    #[serde(getter = "WrittenApp::of")]
    app: WrittenApp,
    #[serde(default)]
    lab: LabChoice,
    #[serde(default)]
    run: RunSettings,
    #[serde(default)]
    llm: LlmSettings,
    #[serde(default)]
    ignore: Vec<IgnoreRule>,
    #[serde(default)]
    setup: Vec<SetupRule>,
    #[serde(default)]
    replay: Option<ReplaySettings>,
    #[serde(default)]
    shrink: Option<ShrinkSettings>,
    #[serde(default)]
    step: Option<StepSettings>,
    #[serde(default)]
    avoid: Vec<IgnoreRule>,
    #[serde(default)]
    only: Vec<IgnoreRule>,
    #[serde(default)]
    permissions: PermissionAnswer,
    #[serde(flatten)]
    settings: Settings,
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
    #[serde(getter = "with_choices")]
    settings: Settings,
}

/// The settings with the app's place, the ADB servers and the other hosts among them, as far as they are chosen.
fn with_choices(definition: &SessionDefinition) -> Settings {
    let mut settings = definition.settings.clone();
    if !definition.lab.servers.is_empty() {
        settings.put(&LabServers { servers: definition.lab.servers.clone() });
    }
    if !definition.place.is_found() {
        settings.put(&definition.place);
    }
    if definition.lab.hosts.is_made() {
        settings.put(&definition.lab.hosts);
    }
    settings
}

impl From<Written> for SessionDefinition {
    fn from(written: Written) -> Self {
        let WrittenApp { package, place } = written.app;
        Self {
            technique: written.technique,
            app: package,
            place,
            lab: written.lab,
            run: written.run,
            llm: written.llm,
            ignore: written.ignore,
            setup: written.setup,
            replay: written.replay,
            shrink: written.shrink,
            step: written.step,
            avoid: written.avoid,
            only: written.only,
            permissions: written.permissions,
            settings: written.settings,
        }
    }
}

impl From<Stored> for SessionDefinition {
    fn from(mut stored: Stored) -> Self {
        let place = stored.settings.of::<AppPlace>();
        stored.settings.remove(AppPlace::NAME);
        stored.lab.servers = stored.settings.of::<LabServers>().servers;
        stored.settings.remove(LabServers::NAME);
        let hosts = stored.settings.of::<HostsChoice>();
        stored.settings.remove(HostsChoice::NAME);
        Self {
            technique: stored.technique,
            app: stored.app,
            place,
            lab: LabChoice { hosts, ..stored.lab },
            run: stored.run,
            llm: stored.llm,
            ignore: stored.ignore,
            setup: stored.setup,
            replay: stored.replay,
            shrink: stored.shrink,
            step: stored.step,
            avoid: stored.avoid,
            only: stored.only,
            permissions: stored.permissions,
            settings: stored.settings,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ServerName;

    #[test]
    fn a_definition_is_the_same_in_the_store_and_as_json() {
        let mut definition = SessionDefinition::new(Technique::Genie, "org.notes");
        definition.run.window = 3;
        definition.lab.servers = ServerName::list("local,ssh://ann@lab2:2222/5038").expect("names");
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

    #[test]
    fn an_app_is_a_package_or_a_table() {
        let place = |user, display, activity: Option<&str>| AppPlace {
            user,
            display,
            activity: activity.map(str::to_owned),
        };
        let cases = [
            (r#""org.notes""#, Ok(place(None, None, None))),
            (r#"{"package":"org.notes"}"#, Ok(place(None, None, None))),
            (r#"{"package":"org.notes","user":10}"#, Ok(place(Some(10), None, None))),
            (
                r#"{"package":"org.notes","display":2,"activity":".Main"}"#,
                Ok(place(None, Some(2), Some(".Main"))),
            ),
            (r#"{"user":10}"#, Err("missing field `package`")),
            (
                r#"{"package":"org.notes","usr":10}"#,
                Err("unknown field `usr`, expected one of `package`, `user`"),
            ),
            ("7", Err("expected a package, or a table with `package`")),
        ];
        for (app, expected) in cases {
            let json = format!(r#"{{"technique":"monkey","app":{app}}}"#);
            match (serde_json::from_str::<SessionDefinition>(&json), expected) {
                (Ok(definition), Ok(place)) => {
                    assert_eq!((definition.app.as_str(), &definition.place), ("org.notes", &place), "{app}");
                    assert_eq!(definition.settings.names().count(), 0, "{app}: it is no technique's table");
                    let stored = postcard::to_stdvec(&definition).expect("bytes");
                    assert_eq!(
                        postcard::from_bytes::<SessionDefinition>(&stored),
                        Ok(definition.clone()),
                        "{app}"
                    );
                    let text = serde_json::to_string(&definition).expect("JSON");
                    assert_eq!(
                        serde_json::from_str::<SessionDefinition>(&text).ok(),
                        Some(definition),
                        "{app}"
                    );
                }
                (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{app}: {error}"),
                (read, expected) => panic!("{app}: {read:?}, {expected:?}"),
            }
        }
    }
}
