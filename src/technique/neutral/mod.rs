//! Neutral insertions: what the platform promises to leave an app as it was.
//!
//! In: a session definition and an RNG seed; then finished jobs with their judgements. Out: jobs that mine the
//! model, record seed tests and run mutants of them between two runs of their seed, as Genie does; and findings
//! with their confirmations. What is inserted comes from a fixed list: turning the phone and back, home and
//! return, and so on.
//!
//! Invariants: a mutant is its seed with one insertion from the list; the screen after it equals the one before,
//! volatile widgets and passing windows aside, and the rest of the seed goes as before. No independence is needed for
//! that. What is planned depends only on the definition, the RNG seed and the absorbed jobs.

mod difference;
mod entry;
mod insertion;
mod lists;
mod oracle;
mod pair;
mod planner;
mod rounds;
mod sentence;
mod settings;
#[cfg(test)]
mod tests;
mod touch;
mod weight;

pub use entry::ENTRY;
pub use oracle::NeutralOracle;
pub use planner::NeutralPlanner;
pub use settings::NeutralSettings;

/// What breaks when an insertion loses something, and what its claims belong to.
const RELATION: &str = "neutral insertion";
