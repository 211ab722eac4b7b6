//! `[visiondroid]`: how long tests are, and what is shown to the model.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use droidmux_record::{Setting, SettingsContent, Takes};

/// The longer side of a picture, in pixels.
pub const PICTURE: RangeInclusive<u32> = 256..=8_192;

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

impl SettingsContent for VisiondroidSettings {
    const NAME: &'static str = "visiondroid";

    #[rustfmt::skip]
    const ROWS: &'static [Setting] = &[
        Setting::new("test-events", Takes::Whole(1, 10_000), "events",
            "of one test"),
        Setting::new("history", Takes::Whole(1, 30), "screens",
            "in a history picture at most"),
        Setting::new("examples", Takes::Whole(0, 20), "examples",
            "in the Detector's prompt"),
        Setting::new("picture", Takes::range(&PICTURE), "pixels",
            "the longest side of a picture that is sent"),
        Setting::new("learn", Takes::Switch, "",
            "as in `[inputblaster]`"),
    ];

    fn learns(&self) -> bool {
        self.learn
    }
}

impl Default for VisiondroidSettings {
    fn default() -> Self {
        Self { test_events: 60, history: 9, examples: 4, picture: 1_568, learn: false }
    }
}
