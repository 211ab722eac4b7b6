//! Genie in the table of techniques.

use super::GeniePlanner;
use crate::effects::GenieOracle;
use crate::{BatchDriver, TechniqueEntry};

/// What the table knows about Genie.
pub static ENTRY: TechniqueEntry = TechniqueEntry {
    name: "genie",
    planner: |definition, session, rng| Box::new(GeniePlanner::new(definition, session, rng)),
    oracle: Some(|definition, edits| Box::new(GenieOracle::new(definition, edits))),
    player: |batch, definition| {
        Box::new(BatchDriver::new(batch, &definition.app, Some(definition.genie.pivot_likeness)))
    },
    check: |_| Vec::new(),
};
