//! Hosts: the machines that a lab's devices hang on, where there are several.

use serde::{Deserialize, Serialize};

/// A host of the lab. Its devices name it ([`DeviceView::host`](crate::DeviceView::host)).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostView {
    /// What it is called everywhere: `lab2`, `10.0.0.7:6000`.
    pub name: String,
    /// How it is reached, in a few words: `ssh://ann@lab2`, `ADB 10.0.0.7:5037`.
    pub via: String,
    /// Whether it can be reached.
    pub state: HostState,
    /// Seconds since that changed.
    pub for_s: u64,
    /// Seconds since its last sign of life; `None` before the first.
    pub seen_s: Option<u64>,
}

/// Whether a host can be reached, as far as the lab knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum HostState {
    /// It has not answered yet.
    #[default]
    Expected,
    /// It answers.
    Reachable,
    /// It answered before, or never did, and why; it is tried again. Made printable only where it is drawn.
    Away(String),
    /// It answers, and cannot be used: another version, wrong credentials. Made printable only where it is drawn.
    Refused(String),
}

impl HostState {
    /// In a word, and why.
    pub fn words(&self) -> (&'static str, &str) {
        match self {
            Self::Expected => ("expected", ""),
            Self::Reachable => ("reachable", ""),
            Self::Away(why) => ("away", why),
            Self::Refused(why) => ("refused", why),
        }
    }
}
