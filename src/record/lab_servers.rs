//! The ADB servers of a session as the store keeps them: among the tables of techniques, which come and go without a new
//! version of stored sessions.

use std::path::PathBuf;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{DumpChoice, LabChoice, LabKind, ServerName, Setting, SettingsContent, StartAt, split_name};

/// `servers` under `[lab]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct LabServers {
    pub(super) servers: Vec<ServerName>,
}

impl SettingsContent for LabServers {
    const NAME: &'static str = "lab-servers";
    const ROWS: &'static [Setting] = &[];
}

impl LabChoice {
    /// Whether a session may use the device of this name: one of its serials, with or without the host, on one of its
    /// servers.
    pub fn fits(&self, name: &str) -> bool {
        let served = |label: &str| self.servers.iter().any(|server| server.label() == label);
        let (_, label) = split_name(name);
        (self.serials.is_empty() || self.serials.iter().any(|serial| is_called(name, serial)))
            && (self.servers.is_empty() || label.is_some_and(served))
    }
}

/// Whether a person means the device of this name: its host may be left out.
pub fn is_called(name: &str, wanted: &str) -> bool {
    let (at_server, _) = split_name(name);
    name == wanted || at_server == wanted
}

impl Serialize for LabChoice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return Written::serialize(self, serializer);
        }
        Stored::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for LabChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return Written::deserialize(deserializer);
        }
        Stored::deserialize(deserializer)
    }
}

/// A choice of devices for people.
#[derive(Serialize, Deserialize)]
#[serde(
    remote = "LabChoice",
    rename = "LabChoice",
    deny_unknown_fields,
    rename_all = "kebab-case",
    default = "LabChoice::default"
)]
struct Written {
    kind: LabKind,
    servers: Vec<ServerName>,
    devices: u32,
    serials: Vec<String>,
    agent: Option<PathBuf>,
    dumps: DumpChoice,
    min_battery: u32,
    max_temperature: u32,
    min_space: u32,
    #[serde(deserialize_with = "one_or_several")]
    apk: Vec<PathBuf>,
    fixtures: Option<PathBuf>,
    network: bool,
    start_at: Option<StartAt>,
}

/// A choice of devices in the store.
#[derive(Serialize, Deserialize)]
#[serde(remote = "LabChoice", rename = "LabChoice", rename_all = "kebab-case")]
struct Stored {
    #[serde(getter = "kind")]
    kind: LabKind,
    devices: u32,
    serials: Vec<String>,
    agent: Option<PathBuf>,
    dumps: DumpChoice,
    min_battery: u32,
    max_temperature: u32,
    min_space: u32,
    apk: Vec<PathBuf>,
    fixtures: Option<PathBuf>,
    network: bool,
    start_at: Option<StartAt>,
}

fn kind(choice: &LabChoice) -> LabKind {
    choice.kind
}

impl From<Stored> for LabChoice {
    fn from(stored: Stored) -> Self {
        Self {
            kind: stored.kind,
            servers: Vec::new(),
            devices: stored.devices,
            serials: stored.serials,
            agent: stored.agent,
            dumps: stored.dumps,
            min_battery: stored.min_battery,
            max_temperature: stored.max_temperature,
            min_space: stored.min_space,
            apk: stored.apk,
            fixtures: stored.fixtures,
            network: stored.network,
            start_at: stored.start_at,
        }
    }
}

/// In formats for people, a single path may stand for a list of one.
fn one_or_several<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PathBuf>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Paths {
        One(PathBuf),
        Several(Vec<PathBuf>),
    }
    Ok(match Paths::deserialize(deserializer)? {
        Paths::One(path) => vec![path],
        Paths::Several(paths) => paths,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_uses_what_it_names() {
        // Servers, serials, devices that fit, devices that do not.
        let cases: [(&str, &[&str], &[&str], &[&str]); 5] = [
            ("", &[], &["R58", "R58@lab2"], &[]),
            ("", &["R58"], &["R58", "R58@lab2"], &["R59", "R59@lab2"]),
            ("", &["R58@lab2"], &["R58@lab2"], &["R58", "R58@local"]),
            ("local,ssh://lab2", &[], &["R58@local", "R58@lab2"], &["R58", "R58@lab3"]),
            ("ssh://lab2", &["R58"], &["R58@lab2"], &["R58", "R59@lab2", "R58@lab3"]),
        ];
        for (servers, serials, fitting, others) in cases {
            let servers = if servers.is_empty() { Ok(Vec::new()) } else { ServerName::list(servers) };
            let choice = LabChoice {
                servers: servers.expect("names"),
                serials: serials.iter().map(|serial| (*serial).to_owned()).collect(),
                ..LabChoice::default()
            };
            for name in fitting {
                assert!(choice.fits(name), "{name}: {choice:?}");
            }
            for name in others {
                assert!(!choice.fits(name), "{name}: {choice:?}");
            }
        }
    }
}
