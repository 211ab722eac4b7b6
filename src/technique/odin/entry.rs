//! Odin in the table of techniques.

use super::{OdinOracle, OdinPlanner, OdinSettings};
use crate::{BatchDriver, GenieSettings, Inputs, TechniqueEntry, Uses};
use droidmux_record::SettingsKind;

/// What the table knows about Odin.
pub static ENTRY: TechniqueEntry = TechniqueEntry {
    name: "odin",
    what: "functional bugs: behaviours that deviate from what most do",
    settings: &[SettingsKind::of::<OdinSettings>(), SettingsKind::of::<GenieSettings>()],
    uses: Uses { roaming: true, visits: true, ..Uses::NOTHING },
    needs: None,
    inputs: Some(|definition| {
        let OdinSettings { from, folders, .. } = definition.settings.of();
        Inputs { sessions: from, folders }
    }),
    planner: |definition, session, rng| Box::new(OdinPlanner::new(definition, session, rng)),
    oracle: Some(|definition, _| Box::new(OdinOracle::new(definition))),
    player: |batch, definition| Box::new(BatchDriver::new(batch, &definition.app, Some(0.0))),
    check: |definition| GenieSettings::unused(definition, OF_GENIE),
};

/// What it uses of Genie's settings: those for exploration.
const OF_GENIE: &[&str] = &[
    "episode-events",
    "level",
    "initial-weight",
    "stale-events",
    "random-click",
    "random-long-click",
    "random-navigation",
    "affirmative",
];
