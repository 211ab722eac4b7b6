//! PBFDroid: properties of data manipulation functions (CRUD and search), checked against a data
//! model while functions and random events are interleaved.
//!
//! In: a specification of the app's functions, in the tool's own JSON, then screens. Out: tests,
//! and violations of postconditions, each with the data model and the functions before it.
//!
//! Invariants: what is checked is what the specification says, and nothing is added to it. The data
//! model changes only when a function has been carried out to its end. Tests and data model can be
//! derived again from a job's seed and its observations.

mod account;
pub mod conclusion;
pub mod condition;
mod data_model;
mod driver;
mod entry;
mod errand;
pub mod execution;
pub mod format;
pub mod lint;
pub mod locate;
mod oracle;
pub mod passage;
mod planner;
mod random;
pub mod recording;
mod sentence;
mod settings;
mod system_key;
#[cfg(test)]
mod tests;
pub mod xpath;

pub use data_model::DataModel;
pub use driver::PropertyDriver;
pub use entry::ENTRY;
pub use errand::PropertyTest;
pub use oracle::PbfdroidOracle;
pub use planner::PbfdroidPlanner;
pub use settings::{Configuration, PbfdroidSettings};
