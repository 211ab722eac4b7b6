//! PBFDroid in the table of techniques.

use super::{PbfdroidOracle, PbfdroidPlanner};
use crate::{BatchDriver, SettingComplaint, TechniqueEntry};
use droidmux_record::{GenieSettings, SessionDefinition};

/// What the table knows about PBFDroid.
pub static ENTRY: TechniqueEntry = TechniqueEntry {
    name: "pbfdroid",
    planner: |definition, session, rng| Box::new(PbfdroidPlanner::new(definition, session, rng)),
    oracle: Some(|definition, _| Box::new(PbfdroidOracle::new(definition))),
    player: |batch, definition| Box::new(BatchDriver::new(batch, &definition.app, None)),
    check,
};

/// It has an exploration of its own.
fn check(definition: &SessionDefinition) -> Vec<SettingComplaint> {
    match definition.genie == GenieSettings::default() {
        true => Vec::new(),
        false => {
            vec![SettingComplaint::new(&["genie"], "`[genie]` does nothing with `technique = \"pbfdroid\"`")]
        }
    }
}
