//! `[genie]`: how Genie mines, mutates and compares; the exploration of other techniques follows it, too.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use droidmux_gui::{EffectForm, Level};
use droidmux_record::{SessionDefinition, Setting, SettingComplaint, SettingsContent, Takes};

/// Genie's parameters (`†` in the design: from the released code).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct GenieSettings {
    /// Events of model mining.
    pub mine_events: u32,
    /// Events of one mining episode, between two resets.
    pub episode_events: u32,
    /// Weight of an event never executed (Υ₁).
    pub initial_weight: f64,
    /// Events without anything new after which the choice becomes random.
    pub stale_events: u32,
    /// Percentage of the random choice: clicks, including edits and scrolling.
    pub random_click: u32,
    /// Percentage of the random choice: long clicks.
    pub random_long_click: u32,
    /// Percentage of the random choice: back, rotate, menu and home.
    pub random_navigation: u32,
    /// Labels preferred when weights tie: lower-case words.
    pub affirmative: Vec<String>,
    /// When two layouts count as one state of the model.
    pub level: Level,
    /// Seed tests to mutate; those discarded later are replaced.
    pub seeds: u32,
    /// The most events of one seed test.
    pub seed_events: u32,
    /// Longest inserted trace, m.
    pub insert_events: u32,
    /// Mutants kept per position.
    pub mutants: u32,
    /// Mutants between two runs of their seed.
    pub batch: u32,
    /// The most similar states of the same activity that are searched in addition to the pivot's own.
    pub similar_states: u32,
    /// The most times a cycle may occur in an inserted trace.
    pub cycle_repeats: u32,
    /// Inactive widgets of a group tried as first receivers.
    pub group_widgets: u32,
    /// Self-loops in a row.
    pub self_loops: u32,
    /// The minimum similarity of the layout after the insertion to the pivot's, 0 to 1.
    pub pivot_likeness: f64,
    /// The minimum ratio for an active view to be carried over, 0 to 1.
    pub carry_ratio: f64,
    /// What the oracle regards as the difference between two layouts.
    pub effects: EffectForm,
    /// Runs of the seed in a batch (2 or 3).
    pub seed_runs: u32,
    /// Insertions may begin on any view, not only on inactive ones: the baseline that shows the value of independence.
    pub dependent_insertions: bool,
}

impl SettingsContent for GenieSettings {
    const NAME: &'static str = "genie";

    #[rustfmt::skip]
    const ROWS: &'static [Setting] = &[
        Setting::new("mine-events", Takes::Whole(1, 10_000_000), "events",
            "model mining"),
        Setting::new("episode-events", Takes::Whole(1, 100_000), "events",
            "between two resets while mining"),
        Setting::new("initial-weight", Takes::AboveZero, "",
            "weight of an event that was never executed"),
        Setting::new("stale-events", Takes::Whole(0, 10_000_000), "events",
            "without anything new, after which events are chosen at random"),
        Setting::new("random-click", Takes::Whole(0, 100), "%",
            "of random choice: clicks, edits and scrolling; the three add up to 100"),
        Setting::new("random-long-click", Takes::Whole(0, 100), "%",
            "of random choice: long clicks"),
        Setting::new("random-navigation", Takes::Whole(0, 100), "%",
            "of random choice: back, rotate, menu and home"),
        Setting::new("affirmative", Takes::Other("words, lower case"), "",
            "labels preferred when weights tie"),
        Setting::new("level", Takes::Name(&["package", "activity", "types", "widgets", "events", "content"]), "",
            "when two layouts are one state of the model"),
        Setting::new("seeds", Takes::Whole(1, 10_000), "tests",
            "seed tests to mutate"),
        Setting::new("seed-events", Takes::Whole(1, 1_000), "events",
            "of each seed test at most"),
        Setting::new("insert-events", Takes::Whole(1, 50), "events",
            "of an inserted trace at most"),
        Setting::new("mutants", Takes::Whole(1, 100_000), "mutants",
            "kept for one position of a seed"),
        Setting::new("batch", Takes::Whole(1, 1_000), "mutants",
            "between two runs of their seed"),
        Setting::new("seed-runs", Takes::Whole(2, 3), "runs",
            "of the seed in a batch"),
        Setting::new("dependent-insertions", Takes::Switch, "",
            "insertions may begin on any view, not only on inactive ones: the baseline that shows what independence \
             is worth"),
        Setting::new("similar-states", Takes::Whole(0, 100), "states",
            "of the same activity that are searched besides the pivot's own"),
        Setting::new("cycle-repeats", Takes::Whole(1, 10), "times",
            "a cycle may occur in an insertion"),
        Setting::new("self-loops", Takes::Whole(0, 50), "events",
            "in a row that lead back to the same state"),
        Setting::new("group-widgets", Takes::Whole(1, 100), "widgets",
            "inactive ones of a group that are tried first"),
        Setting::new("pivot-likeness", Takes::Share, "",
            "least likeness of the layout after the insertion to the pivot's"),
        Setting::new("carry-ratio", Takes::Share, "",
            "least ratio under which an active view is carried over"),
        Setting::new("effects", Takes::Name(&["tree", "sets"]), "",
            "form of GUI effects: an edit mapping of trees, or a difference of sets"),
    ];

    fn complaints(&self) -> Vec<SettingComplaint> {
        let shares = [self.random_click, self.random_long_click, self.random_navigation];
        let percent: u64 = shares.into_iter().map(u64::from).sum();
        if percent == 100 {
            return Vec::new();
        }
        let what = format!(
            "`random-click`, `random-long-click` and `random-navigation` add up to {percent}, not 100"
        );
        vec![SettingComplaint::new(&["random-click"], what)]
    }
}

impl GenieSettings {
    /// A complaint when a session sets any other of these settings than `used`, the keys that its technique goes by.
    pub fn unused(definition: &SessionDefinition, used: &[&str]) -> Vec<SettingComplaint> {
        let values = |settings: Self| serde_json::to_value(settings).unwrap_or_default();
        let (set, usual) = (values(definition.settings.of()), values(Self::default()));
        let rest = |all: &Value| -> Map<String, Value> {
            let all = all.as_object().into_iter().flatten();
            let rest = all.filter(|(key, _)| !used.contains(&key.as_str()));
            rest.map(|(key, value)| (key.clone(), value.clone())).collect()
        };
        if rest(&set) == rest(&usual) {
            return Vec::new();
        }
        let technique = definition.technique.name();
        let what = format!("of `[genie]`, `technique = {technique:?}` uses {} only", listed(used));
        vec![SettingComplaint::new(&[Self::NAME], what)]
    }
}

/// `a`, `b` and `c`, each as code.
fn listed(keys: &[&str]) -> String {
    let quoted: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    match quoted.as_slice() {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

impl Default for GenieSettings {
    fn default() -> Self {
        let affirmative = ["yes", "ok", "allow", "add", "save", "rename", "delete", "done"];
        Self {
            mine_events: 2_000,
            episode_events: 50,
            initial_weight: 100.0,
            stale_events: 100,
            random_click: 60,
            random_long_click: 35,
            random_navigation: 5,
            affirmative: affirmative.map(String::from).to_vec(),
            level: Level::Widgets,
            seeds: 20,
            seed_events: 15,
            insert_events: 8,
            mutants: 200,
            batch: 8,
            similar_states: 2,
            cycle_repeats: 2,
            group_widgets: 3,
            self_loops: 3,
            pivot_likeness: 0.5,
            carry_ratio: 0.5,
            effects: EffectForm::Tree,
            seed_runs: 2,
            dependent_insertions: false,
        }
    }
}
