//! `[inputblaster]`: how forms are looked for and tried out, and what its generators are asked for.

use serde::{Deserialize, Serialize};

use droidmux_record::{Setting, SettingsContent, Takes};

/// InputBlaster's parameters; its baseline, `randomtext`, uses the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct InputblasterSettings {
    /// Events of the exploration that looks for forms (1 and up).
    pub explore_events: u32,
    /// Inputs entered and submitted for one field of a page (section 3.4 has as many for a page; 1 to 1,000).
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

impl SettingsContent for InputblasterSettings {
    const NAME: &'static str = "inputblaster";

    #[rustfmt::skip]
    const ROWS: &'static [Setting] = &[
        Setting::new("explore-events", Takes::Whole(1, 10_000_000), "events",
            "of the exploration that looks for forms"),
        Setting::new("attempts", Takes::Whole(1, 1_000), "inputs",
            "for one field of a page"),
        Setting::new("minutes", Takes::Whole(1, 1_440), "min",
            "for one page"),
        Setting::new("batch", Takes::Whole(1, 200), "inputs",
            "of one generator"),
        Setting::new("valid-tries", Takes::Whole(1, 100), "questions",
            "about the valid texts of a page before it is given up"),
        Setting::new("examples", Takes::Whole(0, 50), "examples",
            "in a prompt"),
        Setting::new("learn", Takes::Switch, "",
            "confirmed findings become [examples](examples.md#learnt-by-sessions) for sessions on other apps"),
    ];

    fn learns(&self) -> bool {
        self.learn
    }
}

impl InputblasterSettings {
    /// The fewest inputs for which a model is asked for a generator, after another one on the same field.
    pub(super) fn worth_asking(&self) -> u32 {
        (u32::from(self.batch) / 3).max(1)
    }
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
