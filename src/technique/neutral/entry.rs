//! Neutral insertions in the table of techniques.

use super::{NeutralOracle, NeutralPlanner, NeutralSettings};
use crate::{BatchDriver, GenieSettings, SettingComplaint, TechniqueEntry};
use droidmux_record::{SessionDefinition, SettingsKind};

/// What the table knows about neutral insertions.
pub static ENTRY: TechniqueEntry = TechniqueEntry {
    name: "neutral",
    what: "lost data and state: turned screens, sleep, ended processes, settings",
    settings: &[SettingsKind::of::<NeutralSettings>(), SettingsKind::of::<GenieSettings>()],
    planner: |definition, session, rng| Box::new(NeutralPlanner::new(definition, session, rng)),
    oracle: Some(|definition, edits| Box::new(NeutralOracle::new(definition, edits))),
    // A mutant that is not back at its pivot is what is looked for: it goes on.
    player: |batch, definition| Box::new(BatchDriver::new(batch, &definition.app, None)),
    check,
};

/// Of Genie's settings, only those for mining and seeds are used.
fn check(definition: &SessionDefinition) -> Vec<SettingComplaint> {
    let genie: GenieSettings = definition.settings.of();
    let used = GenieSettings {
        mine_events: genie.mine_events,
        episode_events: genie.episode_events,
        initial_weight: genie.initial_weight,
        stale_events: genie.stale_events,
        random_click: genie.random_click,
        random_long_click: genie.random_long_click,
        random_navigation: genie.random_navigation,
        affirmative: genie.affirmative.clone(),
        level: genie.level,
        seeds: genie.seeds,
        seed_events: genie.seed_events,
        seed_runs: genie.seed_runs,
        ..GenieSettings::default()
    };
    if genie == used {
        return Vec::new();
    }
    let what = "of `[genie]`, `technique = \"neutral\"` uses `mine-events`, `episode-events`, `initial-weight`, \
                `stale-events`, `random-click`, `random-long-click`, `random-navigation`, `affirmative`, \
                `level`, `seeds`, `seed-events` and `seed-runs` only";
    vec![SettingComplaint::new(&["genie"], what)]
}
