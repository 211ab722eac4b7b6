//! Odin in the table of techniques.

use super::{OdinOracle, OdinPlanner, OdinSettings};
use crate::{BatchDriver, GenieSettings, SettingComplaint, TechniqueEntry};
use droidmux_record::{SessionDefinition, SettingsKind};

/// What the table knows about Odin.
pub static ENTRY: TechniqueEntry = TechniqueEntry {
    name: "odin",
    what: "functional bugs: behaviours that deviate from what most do",
    settings: &[SettingsKind::of::<OdinSettings>(), SettingsKind::of::<GenieSettings>()],
    planner: |definition, session, rng| Box::new(OdinPlanner::new(definition, session, rng)),
    oracle: Some(|definition, _| Box::new(OdinOracle::new(definition))),
    player: |batch, definition| Box::new(BatchDriver::new(batch, &definition.app, Some(0.0))),
    check,
};

/// Of Genie's settings, only those for exploration are used.
fn check(definition: &SessionDefinition) -> Vec<SettingComplaint> {
    let genie: GenieSettings = definition.settings.of();
    let used = GenieSettings {
        episode_events: genie.episode_events,
        initial_weight: genie.initial_weight,
        stale_events: genie.stale_events,
        random_click: genie.random_click,
        random_long_click: genie.random_long_click,
        random_navigation: genie.random_navigation,
        affirmative: genie.affirmative.clone(),
        level: genie.level,
        ..GenieSettings::default()
    };
    if genie == used {
        return Vec::new();
    }
    let what = "of `[genie]`, `technique = \"odin\"` uses `episode-events`, `level`, `initial-weight`, `stale-events`, \
                `random-click`, `random-long-click`, `random-navigation` and `affirmative` only";
    vec![SettingComplaint::new(&["genie"], what)]
}
