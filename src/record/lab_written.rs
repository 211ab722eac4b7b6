//! `[lab]` as people write it, and as the store keeps it.
//!
//! In files, the keys of other hosts stand among the others; in the store they are a table of their own
//! ([`HostsChoice`]), so that what was stored before there were any is read as it was.

use std::path::PathBuf;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{DumpChoice, HostsChoice, LabChoice, LabKind, ServerName, StartAt};

#[derive(Serialize, Deserialize)]
#[serde(rename = "LabChoice", deny_unknown_fields, rename_all = "kebab-case", default)]
struct Written {
    kind: LabKind,
    servers: Vec<ServerName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    devices: Option<u32>,
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
    #[serde(skip_serializing_if = "String::is_empty")]
    nats: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pool: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hosts: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nats_creds: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nats_nkey: Option<PathBuf>,
    #[serde(skip_serializing_if = "String::is_empty")]
    nats_user: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    nats_password_env: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    nats_ca: Option<PathBuf>,
}

/// The servers and the hosts are kept elsewhere.
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

impl Serialize for LabChoice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serializer.is_human_readable() {
            true => Written::of(self).serialize(serializer),
            false => Stored::serialize(self, serializer),
        }
    }
}

impl<'de> Deserialize<'de> for LabChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.is_human_readable() {
            true => Written::deserialize(deserializer).map(Self::from),
            false => Stored::deserialize(deserializer),
        }
    }
}

impl Default for Written {
    fn default() -> Self {
        let mut written = Self::of(&LabChoice::default());
        written.devices = None;
        written
    }
}

impl Written {
    fn of(lab: &LabChoice) -> Self {
        let LabChoice {
            kind,
            servers,
            devices,
            serials,
            agent,
            dumps,
            min_battery,
            max_temperature,
            min_space,
            apk,
            fixtures,
            network,
            start_at,
            hosts,
        } = lab.clone();
        let HostsChoice { nats, pool, hosts, most, creds, nkey, user, password_env, ca } = hosts;
        let devices = match kind {
            LabKind::Hosts => Some(most).filter(|most| *most > 0),
            _ => Some(devices),
        };
        Self {
            kind,
            servers,
            devices,
            serials,
            agent,
            dumps,
            min_battery,
            max_temperature,
            min_space,
            apk,
            fixtures,
            network,
            start_at,
            nats,
            pool,
            hosts,
            nats_creds: creds,
            nats_nkey: nkey,
            nats_user: user,
            nats_password_env: password_env,
            nats_ca: ca,
        }
    }
}

impl From<Written> for LabChoice {
    fn from(written: Written) -> Self {
        let Written {
            kind,
            servers,
            devices,
            serials,
            agent,
            dumps,
            min_battery,
            max_temperature,
            min_space,
            apk,
            fixtures,
            network,
            start_at,
            nats,
            pool,
            hosts,
            nats_creds,
            nats_nkey,
            nats_user,
            nats_password_env,
            nats_ca,
        } = written;
        let most = if kind == LabKind::Hosts { devices.unwrap_or(0) } else { 0 };
        let devices = devices.filter(|_| kind != LabKind::Hosts).unwrap_or(Self::default().devices);
        let hosts = HostsChoice {
            nats,
            pool,
            hosts,
            most,
            creds: nats_creds,
            nkey: nats_nkey,
            user: nats_user,
            password_env: nats_password_env,
            ca: nats_ca,
        };
        Self {
            kind,
            servers,
            devices,
            serials,
            agent,
            dumps,
            min_battery,
            max_temperature,
            min_space,
            apk,
            fixtures,
            network,
            start_at,
            hosts,
        }
    }
}

fn kind(lab: &LabChoice) -> LabKind {
    lab.kind
}

impl From<Stored> for LabChoice {
    fn from(stored: Stored) -> Self {
        let Stored {
            kind,
            devices,
            serials,
            agent,
            dumps,
            min_battery,
            max_temperature,
            min_space,
            apk,
            fixtures,
            network,
            start_at,
        } = stored;
        Self {
            kind,
            devices,
            serials,
            agent,
            dumps,
            min_battery,
            max_temperature,
            min_space,
            apk,
            fixtures,
            network,
            start_at,
            servers: Vec::new(),
            hosts: HostsChoice::default(),
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
    if !deserializer.is_human_readable() {
        return Vec::deserialize(deserializer);
    }
    Ok(match Paths::deserialize(deserializer)? {
        Paths::One(path) => vec![path],
        Paths::Several(paths) => paths,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SessionDefinition, Technique};

    #[test]
    fn hosts_come_back_from_files_and_from_the_store() {
        let mut definition = SessionDefinition::new(Technique::Genie, "org.notes");
        let plain = postcard::to_stdvec(&definition).expect("bytes");
        definition.lab.kind = LabKind::Hosts;
        definition.lab.hosts = HostsChoice {
            nats: "tls://lab:4222".into(),
            pool: "tablets".into(),
            hosts: vec!["lab2".into()],
            most: 3,
            creds: Some("a.creds".into()),
            user: "ann".into(),
            password_env: "PASSWORD".into(),
            ..HostsChoice::default()
        };
        let stored = postcard::to_stdvec(&definition).expect("bytes");
        assert_eq!(postcard::from_bytes::<SessionDefinition>(&stored).expect("read"), definition);
        let json = serde_json::to_string(&definition).expect("JSON");
        assert_eq!(serde_json::from_str::<SessionDefinition>(&json).expect("read"), definition);
        assert!(json.contains(r#""devices":3"#) && json.contains(r#""nats":"tls://lab:4222""#), "{json}");
        definition.lab = LabChoice::default();
        assert_eq!(postcard::to_stdvec(&definition).expect("bytes"), plain);
        assert!(!serde_json::to_string(&definition).expect("JSON").contains("nats"));
    }
}
