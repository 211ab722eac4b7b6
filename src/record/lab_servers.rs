//! The ADB servers of a session as the store keeps them: among the tables of techniques, which come and go without a new
//! version of stored sessions.

use serde::{Deserialize, Serialize};

use super::{LabChoice, ServerName, Setting, SettingsContent, split_name};

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
