//! The settings of InputBlaster, and where other techniques take texts from.

use serde::{Deserialize, Serialize};

/// InputBlaster's parameters; its baseline, `randomtext`, uses the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct InputblasterSettings {
    /// Events of the exploration that looks for forms (1 and up).
    pub explore_events: u32,
    /// Inputs entered and submitted for one page (section 3.4; 1 to 1,000).
    pub attempts: u32,
    /// Minutes for one page (1 to 1,440).
    pub minutes: u32,
    /// Inputs of one generator (1 to 200).
    pub batch: u16,
    /// Questions about the valid input of one page before it is given up (1 to 100).
    pub valid_tries: u32,
    /// Examples in a prompt (0 to 50).
    pub examples: u8,
    /// Confirmed findings become examples for sessions on other apps.
    pub learn: bool,
}

/// Where the texts of edits come from, in techniques that choose events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextSource {
    /// The technique's own.
    #[default]
    Own,
    /// InputBlaster's generators, asked once for every form that is met.
    Inputblaster,
}

impl Default for InputblasterSettings {
    fn default() -> Self {
        Self {
            explore_events: 1_000,
            attempts: 30,
            minutes: 30,
            batch: 10,
            valid_tries: 5,
            examples: 5,
            learn: false,
        }
    }
}
