//! The choice of devices as sessions stored it before apps came as APKs.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use droidmux_record as record;
use droidmux_record::DumpChoice;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct LabChoice {
    pub kind: LabKind,
    pub devices: u32,
    pub serials: Vec<String>,
    pub agent: Option<PathBuf>,
    pub dumps: DumpChoice,
    pub min_battery: u32,
    pub max_temperature: u32,
    pub min_space: u32,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LabKind {
    Adb,
    Sim,
}

impl From<LabChoice> for record::LabChoice {
    fn from(old: LabChoice) -> Self {
        Self {
            kind: match old.kind {
                LabKind::Adb => record::LabKind::Adb,
                LabKind::Sim => record::LabKind::Sim,
            },
            servers: Vec::new(),
            devices: old.devices,
            serials: old.serials,
            agent: old.agent,
            dumps: old.dumps,
            min_battery: old.min_battery,
            max_temperature: old.max_temperature,
            min_space: old.min_space,
            apk: Vec::new(),
            fixtures: None,
            network: false,
            start_at: None,
            hosts: record::HostsChoice::default(),
        }
    }
}

#[cfg(test)]
impl LabChoice {
    /// No field has its default.
    pub fn sample() -> Self {
        Self {
            kind: LabKind::Sim,
            devices: 3,
            serials: vec!["one".to_owned()],
            agent: Some("u2.jar".into()),
            dumps: DumpChoice::Agent,
            min_battery: 1,
            max_temperature: 31,
            min_space: 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_those_they_were() {
        for (old, kind) in [(LabKind::Adb, record::LabKind::Adb), (LabKind::Sim, record::LabKind::Sim)] {
            let expected = record::LabChoice {
                kind,
                servers: Vec::new(),
                devices: 3,
                serials: vec!["one".to_owned()],
                agent: Some("u2.jar".into()),
                dumps: DumpChoice::Agent,
                min_battery: 1,
                max_temperature: 31,
                min_space: 2,
                apk: Vec::new(),
                fixtures: None,
                network: false,
                start_at: None,
                hosts: record::HostsChoice::default(),
            };
            assert_eq!(record::LabChoice::from(LabChoice { kind: old, ..LabChoice::sample() }), expected);
        }
    }
}
