//! Genie: independent-view fuzzing.
//!
//! In: a session definition and an RNG seed; then finished jobs with their judgements. Out: jobs
//! that explore, record seed tests and run mutants of them between two runs of their seed, and
//! findings with their confirmations.
//!
//! Invariants: a mutant is its seed with an inserted trace that starts on an inactive view and is
//! expected to come back to the pivot's state; what is planned depends only on the definition, the
//! RNG seed and the absorbed jobs; layouts are looked at while a job is absorbed, and are not kept.

pub mod active;
mod detours;
mod entry;
mod lessons;
pub mod mutants;
mod planner;
mod prefixes;
mod rounds;
mod seeds;
#[cfg(test)]
mod tests;
mod trials;
mod waiting;
mod ways;

use super::mix;
pub use entry::ENTRY;
pub use planner::GeniePlanner;
pub use prefixes::Prefixes;
pub use ways::Ways;
