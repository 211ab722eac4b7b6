//! Genie in the table of techniques.

use super::GeniePlanner;
use crate::effects::GenieOracle;
use crate::{BatchDriver, GenieSettings, TechniqueEntry, Uses};
use droidmux_record::SettingsKind;

/// What the table knows about Genie.
pub static ENTRY: TechniqueEntry = TechniqueEntry {
    name: "genie",
    what: "functional bugs: what an independent insertion must not change",
    settings: &[SettingsKind::of::<GenieSettings>()],
    uses: Uses { roaming: true, visits: true, ..Uses::NOTHING },
    needs: None,
    inputs: None,
    planner: |definition, session, rng| Box::new(GeniePlanner::new(definition, session, rng)),
    oracle: Some(|definition, edits| Box::new(GenieOracle::new(definition, edits))),
    player: |batch, definition| {
        Box::new(BatchDriver::new(
            batch,
            &definition.app,
            Some(definition.settings.of::<GenieSettings>().pivot_likeness),
        ))
    },
    check: |_| Vec::new(),
};
