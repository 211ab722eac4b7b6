//! Complaints about `[visiondroid]`.

use super::complaints::Complaints;
use droidmux_record::{SessionDefinition, Technique, VisiondroidSettings};

impl Complaints {
    pub(super) fn visiondroid(&mut self, definition: &SessionDefinition) {
        let settings = &definition.visiondroid;
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
