//! The tables of settings in words, as `docs/session-file.md` has them; for a technique of another crate, its own
//! documentation can have them, too.

use super::common::GROUPS;
use droidmux_record::{SessionDefinition, Setting, Takes, Technique};
use droidmux_technique::kinds;
use droidmux_words::figure::thousands;

/// The table of this name in session files as a table in Markdown: each key with its range, unit, default and meaning.
/// `None` when neither all techniques nor one of those that are registered have such a table.
pub fn settings_table(name: &str) -> Option<String> {
    described().into_iter().find(|described| described.table == name).map(|described| described.markdown())
}

/// A table with the values it has in a session file that sets nothing.
pub(super) struct Described {
    pub(super) table: &'static str,
    pub(super) settings: &'static [Setting],
    pub(super) defaults: toml::Table,
    /// Where its rows are.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the page, which a test writes"))]
    pub(super) source: &'static str,
}

/// All tables: those of every technique, then those of techniques.
pub(super) fn described() -> Vec<Described> {
    let definition = SessionDefinition::new(Technique::Genie, "a.b");
    let mut whole = toml::Table::try_from(definition).unwrap_or_default();
    let mut defaults =
        |table: &str| whole.remove(table).and_then(|value| value.as_table().cloned()).unwrap_or_default();
    let common = GROUPS.iter().map(|group| Described {
        table: group.table,
        settings: group.settings,
        defaults: defaults(group.table),
        source: "src/cli/session_file/settings",
    });
    let common: Vec<Described> = common.collect();
    let own = kinds().into_iter().map(|kind| Described {
        table: kind.name,
        settings: kind.rows,
        defaults: kind.defaults().unwrap_or_default(),
        source: "src/technique",
    });
    common.into_iter().chain(own).collect()
}

impl Described {
    /// The rows in Markdown.
    pub(super) fn markdown(&self) -> String {
        let lines: String = self.settings.iter().map(|setting| line(setting, &self.defaults)).collect();
        format!("| key | range | unit | default | meaning |\n|---|---|---|---|---|\n{lines}")
    }
}

fn range(takes: &Takes) -> String {
    match takes {
        Takes::Whole(least, most) => format!("{} to {}", thousands(*least), thousands(*most)),
        Takes::OffOrWhole(least, most) => format!("0, {} to {}", thousands(*least), thousands(*most)),
        Takes::Count => "0 or more".into(),
        Takes::Share => "0.0 to 1.0".into(),
        Takes::ShareAboveZero => "above 0.0, to 1.0".into(),
        Takes::AboveZero => "above 0.0".into(),
        Takes::Amount => "0.0 or more".into(),
        Takes::Name(names) => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
        Takes::Switch => "`true`, `false`".into(),
        Takes::Other(words) => (*words).into(),
    }
}

/// The default in words; empty where only [`Setting::unset`] says it.
pub(super) fn default(value: Option<&toml::Value>) -> String {
    match value {
        None => String::new(),
        Some(toml::Value::String(text)) if text.is_empty() => String::new(),
        Some(toml::Value::String(text)) => format!("`{text}`"),
        Some(toml::Value::Array(items)) => {
            items.iter().map(|item| default(Some(item))).collect::<Vec<_>>().join(", ")
        }
        Some(value) => value.to_string(),
    }
}

fn line(setting: &Setting, defaults: &toml::Table) -> String {
    let default = default(setting.value_in(defaults));
    let default = if default.is_empty() { setting.unset } else { &default };
    let (key, range) = (setting.key, range(&setting.takes));
    format!("| `{key}` | {range} | {} | {default} | {} |\n", setting.unit, setting.meaning)
}
