//! `[pbfdroid]`: the specification that is tested, and how tests are made of it.

use serde::{Deserialize, Serialize};

use super::format::{FormatError, read_dmfs, read_key_views};
use super::lint;
use droidmux_gui::nearest;
use droidmux_record::{
    Dmf, NamedFile, ReadNamed, Setting, SettingComplaint, SettingsContent, Specification, Takes,
};

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

    /// The weights of the kinds of random events.
    fn kinds(&self) -> [u32; 7] {
        [
            self.random_click,
            self.random_long_click,
            self.random_scroll,
            self.random_edit,
            self.random_back,
            self.random_home,
            self.random_rotate,
        ]
    }

    /// Checks that the chosen functions exist and that at least one can be carried out.
    fn check_choice(&self, specification: &Specification) -> Result<(), SettingComplaint> {
        let spec = &self.spec;
        let dmfs = &specification.dmfs;
        if dmfs.is_empty() {
            return Err(SettingComplaint::new(&["spec"], format!("{spec}: has no functions")));
        }
        for (number, name) in self.functions.iter().enumerate() {
            let complaint = |what| {
                Err(SettingComplaint::new(&["functions", &number.to_string()], format!("{spec}: {what}")))
            };
            let mut called = dmfs.iter().filter(|dmf| dmf.name == *name).peekable();
            if called.peek().is_none() {
                let near = nearest(name, dmfs.iter().map(|dmf| dmf.name.as_str()));
                let hint = near.map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default();
                return complaint(format!("has no function `{name}`{hint}"));
            }
            let faults: Option<Vec<&str>> = called.map(|dmf| dmf.fault.as_deref()).collect();
            if let Some(fault) = faults.and_then(|faults| faults.first().copied()) {
                return complaint(format!("`{name}` cannot be used: {fault}"));
            }
        }
        let functions = &self.functions;
        let chosen = || dmfs.iter().filter(|dmf| functions.is_empty() || functions.contains(&dmf.name));
        let mut usable = chosen().filter(|dmf| dmf.fault.is_none()).peekable();
        if usable.peek().is_none() {
            let why = chosen().find_map(|dmf| Some(format!("; `{}`: {}", dmf.name, dmf.fault.as_ref()?)));
            let what = format!("{spec}: no function can be used{}", why.unwrap_or_default());
            return Err(SettingComplaint::new(&["spec"], what));
        }
        if self.configuration == Configuration::Full && usable.all(|dmf| dmf.proportion == 0) {
            let what = format!("{spec}: all functions have the proportion 0: none would be carried out");
            return Err(SettingComplaint::new(&["spec"], what));
        }
        Ok(())
    }
}

impl SettingsContent for PbfdroidSettings {
    const NAME: &'static str = "pbfdroid";

    #[rustfmt::skip]
    const ROWS: &'static [Setting] = &[
        Setting::new("spec", Takes::Other("a path"), "",
            "the specification in PBFDroid's JSON ([properties](properties.md))").unset("needed"),
        Setting::new("keyviews", Takes::Other("a path"), "",
            "the widgets that are never touched at random, in PBFDroid's JSON").unset("none"),
        Setting::new("configuration", Takes::Name(&["a", "b", "full"]), "",
            "`full`: all functions, interleaved with random events; `b`: one function, interleaved with random events; \
             `a`: one function alone"),
        Setting::new("test-events", Takes::Whole(1, 100_000), "events",
            "of one test"),
        Setting::new("retries", Takes::Whole(0, 100_000), "events",
            "random ones of a test that may fail before it ends; they do not count as events"),
        Setting::new("random-weight", Takes::Whole(0, 1_000_000), "weight",
            "of a random event beside the proportions of the enabled functions; 0 for none"),
        Setting::new("coin", Takes::Switch, "",
            "`true`: a coin decides between functions and random events, instead of the weights"),
        Setting::new("go-on", Takes::Switch, "",
            "`true`: a test goes on after a violation, though its data model may be wrong from then on"),
        Setting::new("random-click", Takes::Whole(0, 1_000), "weight",
            "of clicks among random events"),
        Setting::new("random-long-click", Takes::Whole(0, 1_000), "weight",
            "of long clicks"),
        Setting::new("random-scroll", Takes::Whole(0, 1_000), "weight",
            "of scrolling, in any direction"),
        Setting::new("random-edit", Takes::Whole(0, 1_000), "weight",
            "of typing into a field"),
        Setting::new("random-back", Takes::Whole(0, 1_000), "weight",
            "of the back key"),
        Setting::new("random-home", Takes::Whole(0, 1_000), "weight",
            "of the home key"),
        Setting::new("random-rotate", Takes::Whole(0, 1_000), "weight",
            "of turning the device"),
        Setting::new("functions", Takes::Other("names, each once"), "",
            "only these functions: `[\"add note\", \"delete note\"]`").unset("all"),
    ];

    /// The checks that do not need the specification.
    fn complaints(&self) -> Vec<SettingComplaint> {
        let mut found = Vec::new();
        let mut add = |at: &[&str], what: String| found.push(SettingComplaint::new(at, what));
        if self.specification.is_some() {
            let what = "`specification` is not for session files; name a file with `spec`";
            add(&["specification"], what.into());
        }
        if self.spec.is_empty() {
            let what =
                "`technique = \"pbfdroid\"` needs a specification: `spec = \"FILE.json\"` in `[pbfdroid]`";
            add(&["spec"], what.into());
        }
        if self.kinds().into_iter().all(|weight| weight == 0) {
            let what =
                "the weights `random-…` of all kinds are 0; for no random events set `random-weight = 0`";
            add(&["random-click"], what.into());
        }
        for (number, name) in self.functions.iter().enumerate() {
            if self.functions[..number].contains(name) {
                add(&["functions", &number.to_string()], format!("`functions` names `{name}` twice"));
            }
        }
        found
    }

    /// Reads the specification and makes it part of the settings.
    fn freeze(&mut self, read: ReadNamed<'_>) -> Result<(), SettingComplaint> {
        let dmfs = file("spec", &self.spec, read, read_dmfs)?;
        let key_views = match self.keyviews.as_str() {
            "" => Vec::new(),
            path => file("keyviews", path, read, read_key_views)?,
        };
        let specification = lint::specification(dmfs, key_views);
        self.check_choice(&specification)?;
        self.specification = Some(specification);
        Ok(())
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

/// Reads a file that a key names.
fn file<T>(
    key: &str,
    path: &str,
    read: ReadNamed<'_>,
    parse: fn(&str, &str) -> Result<T, FormatError>,
) -> Result<T, SettingComplaint> {
    let NamedFile { path, text } = read(path);
    let text = text.map_err(|error| SettingComplaint::new(&[key], format!("{path}: {error}")))?;
    parse(&path, &text).map_err(|error| SettingComplaint::new(&[key], error.to_string()))
}
