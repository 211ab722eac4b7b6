//! InputBlaster and its baseline in the table of techniques.

use super::{InputblasterOracle, InputblasterPlanner, InputblasterSettings};
use crate::entry::without_texts;
use crate::{BatchDriver, GenieSettings, SettingComplaint, TechniqueEntry, Uses};
use droidmux_record::{SessionDefinition, SettingsKind, Technique, TextSource};

/// What the table knows about InputBlaster.
pub static ENTRY: TechniqueEntry =
    entry("inputblaster", "forms that fall over unusual texts; asks a language model, or fixed rules", true);

/// Random text in the same forms, without a model.
pub static RANDOMTEXT: TechniqueEntry = entry("randomtext", "the same forms filled with random texts", false);

/// The tables that texts by InputBlaster's generators use, whatever the technique.
pub const TEXTS: &[SettingsKind] = &[SettingsKind::of::<InputblasterSettings>()];

/// A complaint about `learn` where InputBlaster's generators only lend texts to another technique.
pub fn unlearnt(definition: &SessionDefinition) -> Option<SettingComplaint> {
    let of_its_own = matches!(definition.technique, Technique::Inputblaster | Technique::Randomtext);
    let lends = definition.run.text == TextSource::Inputblaster && !of_its_own;
    let technique = definition.technique.name();
    (lends && definition.settings.of::<InputblasterSettings>().learn).then(|| {
        let what = format!("`learn` does nothing with `technique = {technique:?}`");
        SettingComplaint::new(&["inputblaster", "learn"], what)
    })
}

/// Its own, and those of the exploration that looks for forms.
const SETTINGS: &[SettingsKind] =
    &[SettingsKind::of::<InputblasterSettings>(), SettingsKind::of::<GenieSettings>()];

const fn entry(name: &'static str, what: &'static str, models: bool) -> TechniqueEntry {
    TechniqueEntry {
        name,
        what,
        settings: SETTINGS,
        uses: Uses { models, unusual_texts: true, visits: true, ..Uses::NOTHING },
        needs: None,
        inputs: None,
        planner: |definition, session, rng| Box::new(InputblasterPlanner::new(definition, session, rng)),
        oracle: Some(|definition, _| Box::new(InputblasterOracle::new(definition))),
        player: |batch, definition| Box::new(BatchDriver::new(batch, &definition.app, None)),
        check,
    }
}

fn check(definition: &SessionDefinition) -> Vec<SettingComplaint> {
    let no_model = definition.technique == Technique::Randomtext;
    match no_model && definition.run.text == TextSource::Inputblaster {
        true => vec![without_texts(definition)],
        false => Vec::new(),
    }
}
