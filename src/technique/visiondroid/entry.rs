//! VisionDroid in the table of techniques.

use super::{InspectionDriver, VisiondroidOracle, VisiondroidPlanner, VisiondroidSettings};
use crate::entry::without_texts;
use crate::{BatchDriver, Driver, SettingComplaint, TechniqueEntry, Uses};
use droidmux_record::{Batch, Role, ScreenPolicy, SessionDefinition, SettingsKind, TextSource};

/// What the table knows about VisionDroid.
pub static ENTRY: TechniqueEntry = TechniqueEntry {
    name: "visiondroid",
    what: "what looks wrong on screenshots; asks a language model, or fixed rules",
    settings: &[SettingsKind::of::<VisiondroidSettings>()],
    uses: Uses { models: true, screenshots: true, ..Uses::NOTHING },
    needs: None,
    inputs: None,
    planner: |definition, session, rng| Box::new(VisiondroidPlanner::new(definition, session, rng)),
    oracle: Some(|definition, _| Box::new(VisiondroidOracle::new(definition))),
    player,
    check,
};

/// Consults the Detector when functions are to be judged again; crashes need no question.
pub(super) fn player(batch: &Batch, definition: &SessionDefinition) -> Box<dyn Driver> {
    if batch.tests.iter().any(|test| matches!(test.role, Role::Toured(_))) {
        return Box::new(InspectionDriver::new(batch, definition));
    }
    Box::new(BatchDriver::new(batch, &definition.app, None))
}

fn check(definition: &SessionDefinition) -> Vec<SettingComplaint> {
    let mut complaints = Vec::new();
    if definition.run.text == TextSource::Inputblaster {
        complaints.push(without_texts(definition));
    }
    if matches!(definition.run.screens, ScreenPolicy::Changed | ScreenPolicy::Verdicts) {
        let what = "`technique = \"visiondroid\"` looks at every step: say `screens = \"all\"`, or \
                    `screens = \"never\"` for a model that cannot see";
        complaints.push(SettingComplaint::new(&["run", "screens"], what));
    }
    complaints
}
