//! `[odin]`: whose traces Odin uses, how it explores and calibrates, and what it calls deviant.

use serde::{Deserialize, Serialize};

use droidmux_record::{
    Abstraction, RecordedFolder, SessionId, Setting, SettingComplaint, SettingsContent, Takes, not_fewer,
};

/// Odin's parameters. How its exploration chooses events is in [`GenieSettings`](crate::GenieSettings): `level`,
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

impl SettingsContent for OdinSettings {
    const NAME: &'static str = "odin";

    #[rustfmt::skip]
    const ROWS: &'static [Setting] = &[
        Setting::new("from", Takes::Other("sessions"), "",
            "sessions of the same store whose traces are taken in: `[\"s3\", \"s4\"]`").unset("none"),
        Setting::new("folders", Takes::Other("tables"), "",
            "folders with recordings of other tools: `[{ path = \"out\", format = \"droidbot\" }]`; formats as in \
             `droidmux check`").unset("none"),
        Setting::new("explore-events", Takes::Whole(0, 10_000_000), "events",
            "of its own exploration; 0 only with `from` or `folders`"),
        Setting::new("episode-events", Takes::Whole(1, 1_000), "events",
            "of one trace of the exploration"),
        Setting::new("calibrate", Takes::Switch, "",
            "`false` leaves calibration out"),
        Setting::new("inputs", Takes::Whole(1, 10_000), "inputs",
            "that are enough for a state"),
        Setting::new("walk-events", Takes::Whole(1, 1_000), "events",
            "of a walk at most"),
        Setting::new("calibrate-share", Takes::Whole(0, 100), "% of `max-events`",
            "that calibration may take"),
        Setting::new("behaviours", Takes::Whole(2, 100_000), "behaviours",
            "of one state on one event at most; not fewer than `fewest`"),
        Setting::new("batch", Takes::Whole(1, 1_000), "tests",
            "of one job"),
        Setting::new("rules", Takes::Other("names, each once"), "",
            "abstractions that clustering may use: attribute values dropped; widgets without events removed; equal \
             siblings taken once"),
        Setting::new("fewest", Takes::Whole(2, 10_000), "behaviours",
            "that a state and event need to be judged"),
        Setting::new("majority", Takes::ShareAboveZero, "",
            "the fewest largest clusters that hold this share of the behaviours are the majority"),
        Setting::new("z", Takes::AboveZero, "deviations",
            "below the majority's mean, from which on a behaviour is an anomaly"),
        Setting::new("deviation-floor", Takes::Switch, "",
            "the deviation counts as max(1, √mean) at least"),
        Setting::new("text", Takes::Other("1 to 1,000 characters"), "",
            "what is typed when an edit is appended to inputs"),
    ];

    const SESSIONS: &'static [&'static str] = &["from"];

    fn complaints(&self) -> Vec<SettingComplaint> {
        let mut found: Vec<SettingComplaint> =
            not_fewer(&["behaviours"], self.behaviours, self.fewest, 100_000).into_iter().collect();
        let mut add = |at: &[&str], what: String| found.push(SettingComplaint::new(at, what));
        let repeated = self.rules.iter().enumerate().any(|(n, rule)| self.rules[..n].contains(rule));
        if self.rules.is_empty() || repeated {
            add(&["rules"], "`rules` names one abstraction or more, each once".into());
        }
        if self.text.is_empty() || self.text.chars().count() > 1_000 {
            add(&["text"], "`text` has 1 to 1000 characters".into());
        }
        for (number, name) in self.from.iter().enumerate() {
            if let Err(what) = name.parse::<SessionId>() {
                add(&["from", &number.to_string()], what.to_string());
            }
        }
        if self.explore_events == 0 && self.from.is_empty() && self.folders.is_empty() {
            let what = "without exploration there are no traces; name some with `from` or `folders`";
            add(&["explore-events"], what.into());
        }
        found
    }
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
