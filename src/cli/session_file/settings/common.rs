//! The tables that every technique has, and what is out of range in them.

use serde::Serialize;

use super::group::Group;
use super::{app, llm, run};
use crate::session_file::line::KeyPath;
use droidmux_record::out_of_range as complaints;

/// In the order of the documentation.
pub(super) const GROUPS: [&Group; 4] = [&app::APP, &run::LAB, &run::RUN, &llm::LLM];

/// The values of a table that are out of range: the place, and what would be accepted.
pub fn out_of_range(table: &str, values: &impl Serialize) -> Vec<(KeyPath, String)> {
    let rows = GROUPS.iter().find(|group| group.table == table).map_or(&[][..], |group| group.settings);
    let place = |at: Vec<String>| std::iter::once(table.to_owned()).chain(at).collect();
    complaints(rows, values).into_iter().map(|complaint| (place(complaint.at), complaint.what)).collect()
}
