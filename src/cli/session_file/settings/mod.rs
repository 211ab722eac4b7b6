//! The settings of session files: the rows that the checks and the documentation are made of. Those of a technique are
//! described in its folder, next to their type; those of every technique are here.
//!
//! In: the values of a table as they were read. Out: which of them are out of range, with their place; and the rows of
//! `docs/session-file.md`. The default of a key is not repeated here: it is taken from a definition that sets nothing.
//!
//! Invariant: every key that the reader accepts has one row, and every row has a key (a test compares them with the
//! reader). Only conditions on a single value are checked here; conditions on several values together are in
//! `complaints`.

mod described;
mod llm;
#[cfg(test)]
mod page;
mod run;

use serde::Serialize;

use super::line::KeyPath;
use droidmux_record::{Setting, out_of_range as complaints};

pub use described::settings_table;

/// A TOML table of a session file.
#[derive(Clone, Copy)]
struct Group {
    table: &'static str,
    settings: &'static [Setting],
}

/// The tables of every technique, in the order of the documentation.
const GROUPS: [&Group; 3] = [&run::LAB, &run::RUN, &llm::LLM];

/// The values of a table that are out of range: the place, and what would be accepted.
pub(super) fn out_of_range(table: &str, values: &impl Serialize) -> Vec<(KeyPath, String)> {
    let rows = GROUPS.iter().find(|group| group.table == table).map_or(&[][..], |group| group.settings);
    let place = |at: Vec<String>| std::iter::once(table.to_owned()).chain(at).collect();
    complaints(rows, values).into_iter().map(|complaint| (place(complaint.at), complaint.what)).collect()
}
