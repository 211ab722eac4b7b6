//! The settings of session files: the rows that the checks and the documentation are made of. Those of a technique are
//! described in its folder, next to their type; those of every technique are here.
//!
//! In: the values of a table as they were read. Out: which of them are out of range, with their place; and the rows of
//! `docs/session-file.md`. The default of a key is not repeated here: it is taken from a definition that sets nothing.
//!
//! Invariant: every key that the reader accepts has one row, and every row has a key (a test compares them with the
//! reader). Only conditions on a single value are checked here; conditions on several values together are in
//! `complaints`.

mod app;
mod common;
mod described;
mod group;
mod llm;
#[cfg(test)]
mod page;
mod run;

pub(super) use common::out_of_range;
pub use described::settings_table;
