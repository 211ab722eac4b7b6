//! The hosts of a session whose phones are elsewhere.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Setting, SettingsContent};

/// The part of `[lab]` that is about other hosts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct HostsChoice {
    /// The NATS server: `nats://host:4222` or `tls://host:4222`, several with commas between them.
    pub nats: String,
    /// Only hosts of this pool; empty for all.
    pub pool: String,
    /// Only these hosts; empty for all.
    pub hosts: Vec<String>,
    /// Devices at the same time; 0 for all there are.
    pub most: u32,
    /// A file with NATS credentials.
    pub creds: Option<PathBuf>,
    /// A file with the seed of an NKey.
    pub nkey: Option<PathBuf>,
    /// The user of the NATS server.
    pub user: String,
    /// The environment variable that holds the user's password, where the lab runs.
    pub password_env: String,
    /// A file with certificates to trust besides the system's.
    pub ca: Option<PathBuf>,
}

/// The store keeps it among the tables of techniques, which come and go without a new version of stored sessions.
impl SettingsContent for HostsChoice {
    const NAME: &'static str = "hosts";
    const ROWS: &'static [Setting] = &[];
}

impl HostsChoice {
    /// Whether there are any.
    pub fn is_made(&self) -> bool {
        *self != Self::default()
    }
}
