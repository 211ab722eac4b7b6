//! The reader in the table of techniques: a session that does nothing but read another one.

use super::settings::ReaderSettings;
use crate::entry::without_texts;
use crate::{BatchDriver, Inputs, Plan, Planner, SettingComplaint, TechniqueEntry, Uses};
use droidmux_record::{
    Finding, JobRun, Judgement, Layouts, Phase, Progress, SessionDefinition, SettingsKind, Slot, TextSource,
};

/// The technique's name.
pub const NAME: &str = "reader";

/// What the table knows about the reader.
pub static ENTRY: TechniqueEntry = TechniqueEntry {
    name: NAME,
    what: "what a language model sees in what another session did",
    settings: &[SettingsKind::of::<ReaderSettings>()],
    uses: Uses { models: true, stored: true, ..Uses::NOTHING },
    needs: None,
    inputs: Some(|definition| {
        let ReaderSettings { from, folders, .. } = definition.settings.of();
        Inputs { sessions: from, folders }
    }),
    planner: |_, _, _| Box::new(Nothing),
    oracle: None,
    player: |batch, definition| Box::new(BatchDriver::new(batch, &definition.app, None)),
    check,
};

fn check(definition: &SessionDefinition) -> Vec<SettingComplaint> {
    let mut complaints = Vec::new();
    if definition.run.text == TextSource::Inputblaster {
        complaints.push(without_texts(definition));
    }
    let ReaderSettings { from, folders, .. } = definition.settings.of();
    if from.is_empty() && folders.is_empty() {
        let what = "`technique = \"reader\"` needs a session to read: `from = [\"s3\"]`, or `folders`";
        complaints.push(SettingComplaint::new(&[NAME, "from"], what));
    }
    complaints
}

/// Plans nothing of its own.
struct Nothing;

impl Planner for Nothing {
    fn plan(&mut self, _slot: Slot) -> Plan {
        Plan::Done
    }

    fn absorb(&mut self, _run: &JobRun, _judgement: &Judgement, _layouts: &dyn Layouts) {}

    fn progress(&self) -> Progress {
        Progress { phase: Phase::new("read", "reading what was done"), ..Progress::default() }
    }

    fn findings(&self) -> Vec<Finding> {
        Vec::new()
    }

    fn version(&self) -> u32 {
        1
    }
}
