//! `[reader]`: what of a session a language model reads, and what that may cost.

use serde::{Deserialize, Serialize};

use droidmux_record::{
    LlmSettings, Provider, RecordedFolder, SessionDefinition, Setting, SettingComplaint, SettingsContent,
    Takes,
};

/// The reader's parameters. A session file that has this table, even an empty one, is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct ReaderSettings {
    /// The session of the same store that is read, with `technique = "reader"`: `s3`.
    pub from: Vec<String>,
    /// The folder with a recording of another tool that is read, with `technique = "reader"`.
    pub folders: Vec<RecordedFolder>,
    /// Tokens of account that are read, about (0 to 100,000,000).
    pub budget: u32,
    /// Tokens of account in one question, about (1,000 to 200,000).
    pub question: u32,
    /// The percentage of the session's events after which it is read again; it always is at its end (1 to 100).
    pub every: u32,
    /// Events that replays and experiments may take, besides those of the session (0 to 1,000,000).
    pub events: u32,
    /// Experiments that the reader may have made (0 to 1,000).
    pub experiments: u32,
    /// Findings, of whatever oracle, that get a second opinion (0 to 10,000).
    pub reviews: u32,
}

impl SettingsContent for ReaderSettings {
    const NAME: &'static str = "reader";

    #[rustfmt::skip]
    const ROWS: &'static [Setting] = &[
        Setting::new("from", Takes::Other("sessions"), "",
            "the session of the same store that is read, with `technique = \"reader\"`: `[\"s3\"]`").unset("none"),
        Setting::new("folders", Takes::Other("tables"), "",
            "a folder with a recording of another tool, with `technique = \"reader\"`: \
             `[{ path = \"out\", format = \"droidbot\" }]`").unset("none"),
        Setting::new("budget", Takes::Whole(0, 100_000_000), "tokens",
            "that are read of a session, about"),
        Setting::new("question", Takes::Whole(1_000, 200_000), "tokens",
            "of the account in one question, about"),
        Setting::new("every", Takes::Whole(1, 100), "%",
            "of the session's events, after which it is read again; it always is at its end"),
        Setting::new("events", Takes::Whole(0, 1_000_000), "events",
            "that replays and experiments may take, besides those of the session"),
        Setting::new("experiments", Takes::Whole(0, 1_000), "experiments",
            "that the reader may have made"),
        Setting::new("reviews", Takes::Whole(0, 10_000), "findings",
            "that get a second opinion, whichever oracle they are of"),
    ];

    const SESSIONS: &'static [&'static str] = &["from"];

    fn complaints(&self) -> Vec<SettingComplaint> {
        let several = self.from.len() + self.folders.len() > 1;
        let complaint = || SettingComplaint::new(&["from"], "one session or folder is read at a time");
        several.then(complaint).into_iter().collect()
    }
}

impl Default for ReaderSettings {
    fn default() -> Self {
        Self {
            from: Vec::new(),
            folders: Vec::new(),
            budget: 60_000,
            question: 10_000,
            every: 10,
            events: 2_000,
            experiments: 10,
            reviews: 40,
        }
    }
}

/// Whether a session is to be read: its file has a table for that.
pub fn is_wanted(definition: &SessionDefinition) -> bool {
    definition.replayed().is_none() && definition.settings.names().any(|name| name == ReaderSettings::NAME)
}

/// Whether the findings of a session get a second opinion: it is read, or it asks a model anyway. Of other sessions
/// nothing is told to anybody, whatever the user's configuration knows.
pub fn is_reviewed(definition: &SessionDefinition, asks: bool) -> bool {
    is_wanted(definition) || (asks && has_reader(&definition.llm) && definition.replayed().is_none())
}

/// Whether somebody is there who can read: no fixed rule stands in for a reader.
pub fn has_reader(llm: &LlmSettings) -> bool {
    llm.provider != Provider::Rules
}
