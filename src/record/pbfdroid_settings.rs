//! The settings of PBFDroid, with units, ranges and defaults.

use serde::{Deserialize, Serialize};

use super::{Dmf, Specification};

/// PBFDroid's parameters (`†` in the design: from the released code).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct PbfdroidSettings {
    /// The specification in PBFDroid's JSON; a path from the session file's folder.
    pub spec: String,
    /// The widgets never touched at random; empty for none.
    pub keyviews: String,
    /// Which functions a test combines, and whether random events are interleaved.
    pub configuration: Configuration,
    /// l_max: events of one test (section 3.2).
    pub test_events: u32,
    /// Random events of one test that may fail before it ends; they do not count towards l_max.
    pub retries: u32,
    /// The weight of a random event relative to the proportions of the enabled functions.
    pub random_weight: u32,
    /// The paper's coin flip between functions and random events, instead of the weights.
    pub coin: bool,
    /// A test continues after a violation, as in the paper, though its data model may be wrong from then on.
    pub go_on: bool,
    /// Weight of a click among the kinds of random events.
    pub random_click: u32,
    /// Weight of a long click.
    pub random_long_click: u32,
    /// Weight of a scroll, whatever its direction.
    pub random_scroll: u32,
    /// Weight of typing into a field.
    pub random_edit: u32,
    /// Weight of the back key.
    pub random_back: u32,
    /// Weight of the home key.
    pub random_home: u32,
    /// Weight of turning the device.
    pub random_rotate: u32,
    /// Only these functions, by name; all when empty.
    pub functions: Vec<String>,
    /// What the files contained when the session began: they may change afterwards. Not in files.
    pub specification: Option<Specification>,
}

/// What is interleaved (section 4.3, RQ3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Configuration {
    /// Baseline A: one function by its shortest path, and nothing else.
    A,
    /// Baseline B: one function, interleaved with random events.
    B,
    /// All functions, interleaved with random events.
    #[default]
    Full,
}

impl PbfdroidSettings {
    /// The functions of the specification; their indices are their numbers.
    pub fn dmfs(&self) -> &[Dmf] {
        self.specification.as_ref().map_or(&[], |specification| &specification.dmfs)
    }

    /// True for a function that can be used and is selected.
    pub fn uses(&self, dmf: &Dmf) -> bool {
        dmf.fault.is_none() && (self.functions.is_empty() || self.functions.contains(&dmf.name))
    }
}

impl Default for PbfdroidSettings {
    fn default() -> Self {
        Self {
            spec: String::new(),
            keyviews: String::new(),
            configuration: Configuration::Full,
            test_events: 200,
            retries: 50,
            random_weight: 30,
            coin: false,
            go_on: false,
            random_click: 40,
            random_long_click: 30,
            random_scroll: 40,
            random_edit: 30,
            random_back: 5,
            random_home: 1,
            random_rotate: 0,
            functions: Vec::new(),
            specification: None,
        }
    }
}
