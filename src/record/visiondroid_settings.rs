//! The settings of VisionDroid, with units, ranges and defaults.

use serde::{Deserialize, Serialize};

/// VisionDroid's parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct VisiondroidSettings {
    /// Events of one test (1 to 10,000).
    pub test_events: u32,
    /// The most screens in a history picture, the newest ones (1 to 30).
    pub history: u32,
    /// Examples in the Detector's prompt (0 to 20).
    pub examples: u8,
    /// Longest side of a picture that is sent, in pixels (256 to 8,192).
    pub picture: u32,
    /// Confirmed findings become examples for sessions on other apps.
    pub learn: bool,
}

impl Default for VisiondroidSettings {
    fn default() -> Self {
        Self { test_events: 60, history: 9, examples: 4, picture: 1_568, learn: false }
    }
}
