//! InputBlaster and its baseline in the table of techniques.

use super::{InputblasterOracle, InputblasterPlanner};
use crate::{BatchDriver, SettingComplaint, TechniqueEntry};
use droidmux_record::{SessionDefinition, Technique, TextSource};

/// What the table knows about InputBlaster.
pub static ENTRY: TechniqueEntry = entry("inputblaster");

/// Random text in the same forms, without a model.
pub static RANDOMTEXT: TechniqueEntry = entry("randomtext");

const fn entry(name: &'static str) -> TechniqueEntry {
    TechniqueEntry {
        name,
        planner: |definition, session, rng| Box::new(InputblasterPlanner::new(definition, session, rng)),
        oracle: Some(|definition, _| Box::new(InputblasterOracle::new(definition))),
        player: |batch, definition| Box::new(BatchDriver::new(batch, &definition.app, None)),
        check,
    }
}

fn check(definition: &SessionDefinition) -> Vec<SettingComplaint> {
    let no_model = definition.technique == Technique::Randomtext;
    match no_model && definition.run.text == TextSource::Inputblaster {
        true => vec![SettingComplaint::without_texts(definition)],
        false => Vec::new(),
    }
}
