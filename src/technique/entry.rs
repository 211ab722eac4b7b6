//! What a technique says of itself to the table: how its parts are made, and what makes no sense in its settings.
//!
//! Invariant: nothing here knows any technique; the table that lists them is [`registry`](super::registry).

use super::{Driver, Oracle, Planner};
use droidmux_record::{Batch, MaskEdit, SessionDefinition, SessionId, SettingComplaint, SettingsKind};

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
    /// The planner of a session at its start, from the definition and the session's RNG seed.
    pub planner: fn(&SessionDefinition, SessionId, u64) -> Box<dyn Planner>,
    /// Its oracle; `None` where only the crash oracle speaks.
    pub oracle: Option<fn(&SessionDefinition, &[MaskEdit]) -> Box<dyn Oracle>>,
    /// The driver that runs the tests of its findings again, outside of its own sessions too.
    pub player: Player,
    /// What makes no sense in a session's definition, besides single values of its settings.
    pub check: fn(&SessionDefinition) -> Vec<SettingComplaint>,
}

/// For techniques that type no random texts of their own.
pub(crate) fn without_texts(definition: &SessionDefinition) -> SettingComplaint {
    let name = definition.technique.name();
    let what = format!("`text = \"inputblaster\"` does nothing with `technique = {name:?}`");
    SettingComplaint::new(&["run", "text"], what)
}
