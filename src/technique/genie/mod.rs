//! Genie: independent-view fuzzing.
//!
//! In: a session definition and an RNG seed; then finished jobs with their judgements. Out: jobs
//! that explore, record seed tests and run mutants of them between two runs of their seed, and
//! findings with their confirmations.
//!
//! Invariants: a mutant is its seed with an inserted trace that starts on an inactive view and is
//! expected to come back to the pivot's state; what is planned depends on the definition, the RNG
//! seed and the absorbed jobs alone; layouts are looked at while a job is absorbed and not kept.

mod canonical;
mod comparison;
mod hint;
mod mask;
mod oracle;
mod planner;
mod playback;

pub use mask::Masks;
pub use oracle::GenieOracle;
pub use planner::GeniePlanner;
