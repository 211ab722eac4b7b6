//! Complaints about `[visiondroid]`.

use super::complaints::Complaints;
use crate::cli::ranges;
use crate::record::{ScreenPolicy, SessionDefinition, Technique, VisiondroidSettings};

impl Complaints {
    pub(super) fn visiondroid(&mut self, definition: &SessionDefinition) {
        let settings = &definition.visiondroid;
        self.ranges(
            "visiondroid",
            [
                ("test-events", u64::from(settings.test_events), 1..10_001),
                ("history", settings.history.into(), 1..31),
                ("examples", settings.examples.into(), 0..21),
            ],
        );
        self.within("visiondroid", "picture", settings.picture, &ranges::PICTURE);
        let is_used = definition.technique == Technique::Visiondroid;
        if !is_used && *settings != VisiondroidSettings::default() {
            let technique = definition.technique.name();
            self.add(
                &["visiondroid"],
                format!("`[visiondroid]` does nothing with `technique = {technique:?}`"),
            );
        }
        if is_used && matches!(definition.run.screens, ScreenPolicy::Changed | ScreenPolicy::Verdicts) {
            let what = "`technique = \"visiondroid\"` looks at every step: say `screens = \"all\"`, or \
                        `screens = \"never\"` for a model that cannot see";
            self.add(&["run", "screens"], what.into());
        }
    }
}
