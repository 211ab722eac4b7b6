//! What a technique says of itself to the table: how its parts are made, and what makes no sense in its settings.
//!
//! Invariant: nothing here knows any technique; the table that lists them is [`registry`](super::registry).

use super::{Driver, Oracle, Planner};
use droidmux_record::{
    Batch, MaskEdit, RecordedFolder, SessionDefinition, SessionId, SettingComplaint, SettingsKind,
};

/// Makes the driver that runs the tests of a finding again.
pub type Player = fn(&Batch, &SessionDefinition) -> Box<dyn Driver>;

/// All that the program knows about a technique.
pub struct TechniqueEntry {
    /// As session files name it.
    pub name: &'static str,
    /// What it looks for and how, in a few words.
    pub what: &'static str,
    /// The tables of session files that it uses, its own first.
    pub settings: &'static [SettingsKind],
    /// What it uses, whatever its settings.
    pub uses: Uses,
    /// The file without which it cannot begin.
    pub needs: Option<NeededFile>,
    /// What its planner takes in before the first slot, from the definition.
    pub inputs: Option<fn(&SessionDefinition) -> Inputs>,
    /// The planner of a session at its start, from the definition and the session's RNG seed.
    pub planner: fn(&SessionDefinition, SessionId, u64) -> Box<dyn Planner>,
    /// Its oracle; `None` where only the crash oracle speaks.
    pub oracle: Option<fn(&SessionDefinition, &[MaskEdit]) -> Box<dyn Oracle>>,
    /// The driver that runs the tests of its findings again, outside of its own sessions too.
    pub player: Player,
    /// What makes no sense in a session's definition, besides single values of its settings.
    pub check: fn(&SessionDefinition) -> Vec<SettingComplaint>,
}

/// What a technique uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uses {
    /// It asks a language model.
    pub models: bool,
    /// It types texts that no key has: for these, devices need more than `input text`.
    pub unusual_texts: bool,
    /// It looks at the screenshots of all steps.
    pub screenshots: bool,
    /// It explores beside its phases: `explore-share` says how much.
    pub roaming: bool,
    /// It reads what sessions have stored, and explores no app by itself.
    pub stored: bool,
    /// Its explorations may end with a visit to what was entered: `revisit-share` says how many.
    pub visits: bool,
    /// Its explorations may begin with the data of the last test: `reset = "restart"`.
    pub restarts: bool,
}

impl Uses {
    /// None of it.
    pub const NOTHING: Self = Self {
        models: false,
        unusual_texts: false,
        screenshots: false,
        roaming: false,
        stored: false,
        visits: false,
        restarts: false,
    };
}

/// A file that a key of the technique's own table names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeededFile {
    /// The key.
    pub key: &'static str,
    /// What `droidmux init` asks for it.
    pub question: &'static str,
}

/// What a session takes in before it begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    /// Sessions of the same store: `s3`.
    pub sessions: Vec<String>,
    /// Folders with recordings of other tools.
    pub folders: Vec<RecordedFolder>,
}

/// For techniques that type no random texts of their own.
pub(crate) fn without_texts(definition: &SessionDefinition) -> SettingComplaint {
    let name = definition.technique.name();
    let what = format!("`text = \"inputblaster\"` does nothing with `technique = {name:?}`");
    SettingComplaint::new(&["run", "text"], what)
}
