//! Complaints about `[visiondroid]`.

use super::complaints::Complaints;
use crate::cli::ranges;
use crate::record::{SessionDefinition, Technique, VisiondroidSettings};

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
    }
}
