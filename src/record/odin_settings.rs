//! `[odin]`: whose traces Odin uses, how it explores and calibrates, and what it calls deviant.

use serde::{Deserialize, Serialize};

use super::{Abstraction, RecordedFolder};

/// Odin's parameters. How its exploration chooses events is in [`GenieSettings`](super::GenieSettings): `level`,
/// `initial-weight`, `stale-events`, `random-*` and `affirmative`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct OdinSettings {
    /// Sessions of the same store whose traces are used: `s3`.
    pub from: Vec<String>,
    /// Folders with recordings of other tools whose traces are used.
    pub folders: Vec<RecordedFolder>,
    /// Events of its own exploration; 0 explores nothing and needs `from` or `folders`.
    pub explore_events: u32,
    /// Events of one trace of the exploration.
    pub episode_events: u32,
    /// False skips calibration: the baseline of its evaluation.
    pub calibrate: bool,
    /// The number of inputs that suffices for a state.
    pub inputs: u32,
    /// The most events of a walk.
    pub walk_events: u32,
    /// The largest percentage of the events used for calibration.
    pub calibrate_share: u32,
    /// The most behaviours of one state on one event.
    pub behaviours: u32,
    /// Tests of one job.
    pub batch: u32,
    /// The abstractions that clustering may use.
    pub rules: Vec<Abstraction>,
    /// Fewer behaviours than this are not judged.
    pub fewest: u32,
    /// The largest clusters that together hold this share of the behaviours are the majority,
    /// above 0 to 1.
    pub majority: f64,
    /// An anomaly is at least this many deviations below the mean.
    pub z: f64,
    /// s is never taken lower than max(1, √μ).
    pub deviation_floor: bool,
    /// The text typed when an edit is appended to inputs.
    pub text: String,
}

impl Default for OdinSettings {
    fn default() -> Self {
        Self {
            from: Vec::new(),
            folders: Vec::new(),
            explore_events: 2_000,
            episode_events: 20,
            calibrate: true,
            inputs: 30,
            walk_events: 20,
            calibrate_share: 40,
            behaviours: 40,
            batch: 4,
            rules: Abstraction::ALL.to_vec(),
            fewest: 12,
            majority: 0.75,
            z: 3.0,
            deviation_floor: true,
            text: "alpha".into(),
        }
    }
}
