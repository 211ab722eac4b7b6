//! Odin: bugs as deviant behaviour, by clustering.
//!
//! In: a session definition and an RNG seed, traces of other sessions, then finished jobs with
//! their judgements. Out: jobs that explore, calibrate (walks until every state has enough inputs),
//! manifest (events appended to inputs) and weigh (the behaviours of a state on an event, judged
//! from what is recorded), and findings with their confirmations.
//!
//! Invariants: what is planned depends only on the definition, the RNG seed, the traces taken in
//! and the absorbed jobs; the model and the clusters do not depend on the order of traces and
//! behaviours; hashes of layouts are kept, never layouts; clustering costs O(n) a round and runs
//! where all oracles run, never in the planner.

mod abstraction;
mod account;
mod anomaly;
mod calibration;
pub mod cluster;
mod corpus;
mod entry;
mod lessons;
mod manifestation;
mod oracle;
mod planner;
mod script;
mod settings;
mod strays;
mod survey;
mod telling;
#[cfg(test)]
mod tests;
mod twins;
mod walk;
mod weighing;

pub use entry::ENTRY;
pub use oracle::OdinOracle;
pub use planner::OdinPlanner;
pub use settings::OdinSettings;
pub use survey::Survey;
pub use weighing::{Behaviour, Weighing};

use super::mix;
