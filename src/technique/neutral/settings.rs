//! Settings of neutral insertions.

use serde::{Deserialize, Serialize};

use droidmux_record::{NeutralInsertion, Setting, SettingComplaint, SettingsContent, Takes};

/// `[neutral]`. How its model is mined and its seeds are recorded is defined in
/// [`GenieSettings`](crate::GenieSettings).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct NeutralSettings {
    /// What is inserted, each at most once.
    pub insertions: Vec<NeutralInsertion>,
    /// Insertions of one kind on one page of the model, over all seeds (1 to 1,000).
    pub rounds: u32,
    /// Mutants between two runs of their seed (1 to 1,000).
    pub batch: u32,
    /// The language that is chosen and taken back: a BCP 47 tag.
    pub language: String,
}

impl SettingsContent for NeutralSettings {
    const NAME: &'static str = "neutral";

    #[rustfmt::skip]
    const ROWS: &'static [Setting] = &[
        Setting::new("insertions", Takes::Other("names, each once"), "",
            "what is inserted; besides these there is `day`"),
        Setting::new("rounds", Takes::Whole(1, 1_000), "insertions",
            "of one kind on one page in one mode, over all seeds"),
        Setting::new("batch", Takes::Whole(1, 1_000), "mutants",
            "between two runs of their seed"),
        Setting::new("language", Takes::Other("a BCP 47 tag"), "",
            "the language that is chosen and taken back"),
    ];

    fn complaints(&self) -> Vec<SettingComplaint> {
        let mut found = Vec::new();
        let insertions = &self.insertions;
        let repeated = insertions.iter().enumerate().any(|(n, one)| insertions[..n].contains(one));
        if insertions.is_empty() || repeated {
            let what = "`insertions` names one insertion or more, each once";
            found.push(SettingComplaint::new(&["insertions"], what));
        }
        let is_tag =
            |part: &str| (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric());
        let language = &self.language;
        if language.len() > 35 || !language.split('-').all(is_tag) {
            let what = format!("`language` is a BCP 47 tag such as `de-DE`, not {language:?}");
            found.push(SettingComplaint::new(&["language"], what));
        }
        found
    }
}

impl Default for NeutralSettings {
    fn default() -> Self {
        Self { insertions: NeutralInsertion::USUAL.to_vec(), rounds: 3, batch: 8, language: "de-DE".into() }
    }
}
