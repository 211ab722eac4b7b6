//! The settings of session files: one table that the checks and the documentation are made of.
//!
//! In: the values of a TOML table as they were read. Out: which of them are out of range, with their place; and the
//! rows of `docs/session-file.md`. The default of a key is not repeated here: it is taken from a definition that sets
//! nothing.
//!
//! Invariant: every key that the reader accepts has one row, and every row has a key (a test compares them with the
//! reader). Only conditions on a single value are checked here; conditions on several values together are in
//! `complaints`.

mod llm;
#[cfg(test)]
mod page;
mod run;
mod setting;
mod techniques;

use super::line::KeyPath;
use setting::{Group, Setting};

/// All tables that have rows, in the order of the documentation.
const GROUPS: [&Group; 9] = [
    &run::LAB,
    &run::RUN,
    &llm::LLM,
    &techniques::GENIE,
    &techniques::NEUTRAL,
    &techniques::ODIN,
    &techniques::PBFDROID,
    &techniques::INPUTBLASTER,
    &techniques::VISIONDROID,
];

/// The values of a table that are out of range: the place, and what would be accepted.
pub(super) fn out_of_range(table: &str, values: &toml::Table) -> Vec<(KeyPath, String)> {
    let settings = GROUPS.iter().filter(|group| group.table == table).flat_map(|group| group.settings);
    let complaint = |setting: &Setting| {
        let value = value_of(values, setting.key)?;
        let name = setting.key.rsplit('.').next().unwrap_or(setting.key);
        let what = format!("`{name}` {}", setting.takes.complaint(value)?);
        Some((std::iter::once(table).chain(setting.key.split('.')).map(str::to_owned).collect(), what))
    };
    settings.filter_map(complaint).collect()
}

/// The value that a table holds for a key, which may lead into inner tables.
fn value_of<'v>(values: &'v toml::Table, key: &str) -> Option<&'v toml::Value> {
    match key.split_once('.') {
        Some((table, rest)) => value_of(values.get(table)?.as_table()?, rest),
        None => values.get(key),
    }
}
