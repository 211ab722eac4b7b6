//! PBFDroid in the table of techniques.

use super::{PbfdroidOracle, PbfdroidPlanner, PbfdroidSettings};
use crate::{BatchDriver, NeededFile, TechniqueEntry, Uses};
use droidmux_record::SettingsKind;

/// What the table knows about PBFDroid.
pub static ENTRY: TechniqueEntry = TechniqueEntry {
    name: "pbfdroid",
    what: "broken functions: a specification of what they do to the app's data",
    settings: &[SettingsKind::of::<PbfdroidSettings>()],
    uses: Uses::NOTHING,
    needs: Some(NeededFile {
        key: "spec",
        question: "file with the specification of its functions (`droidmux dmf record` writes one)?",
    }),
    inputs: None,
    planner: |definition, session, rng| Box::new(PbfdroidPlanner::new(definition, session, rng)),
    oracle: Some(|definition, _| Box::new(PbfdroidOracle::new(definition))),
    player: |batch, definition| Box::new(BatchDriver::new(batch, &definition.app, None)),
    check: |_| Vec::new(),
};
