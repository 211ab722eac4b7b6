//! Neutral insertions in the table of techniques.

use super::{NeutralOracle, NeutralPlanner, NeutralSettings};
use crate::{BatchDriver, GenieSettings, TechniqueEntry, Uses};
use droidmux_record::SettingsKind;

/// What the table knows about neutral insertions.
pub static ENTRY: TechniqueEntry = TechniqueEntry {
    name: "neutral",
    what: "lost data and state: turned screens, sleep, ended processes, settings",
    settings: &[SettingsKind::of::<NeutralSettings>(), SettingsKind::of::<GenieSettings>()],
    uses: Uses { roaming: true, visits: true, ..Uses::NOTHING },
    needs: None,
    inputs: None,
    planner: |definition, session, rng| Box::new(NeutralPlanner::new(definition, session, rng)),
    oracle: Some(|definition, edits| Box::new(NeutralOracle::new(definition, edits))),
    // A mutant that is not back at its pivot is what is looked for: it goes on.
    player: |batch, definition| Box::new(BatchDriver::new(batch, &definition.app, None)),
    check: |definition| GenieSettings::unused(definition, OF_GENIE),
};

/// What it uses of Genie's settings: those for mining and seeds.
const OF_GENIE: &[&str] = &[
    "mine-events",
    "episode-events",
    "initial-weight",
    "stale-events",
    "random-click",
    "random-long-click",
    "random-navigation",
    "affirmative",
    "level",
    "seeds",
    "seed-events",
    "seed-runs",
];
