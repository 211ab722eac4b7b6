//! The reader: a language model reads what sessions did and says what looks wrong; the reviewer gives a second opinion
//! on what anybody reports.
//!
//! In: the account of a session's jobs; replies of a model. Out: which stretches are read within a budget, and in which
//! questions; suspicions, and whether their evidence exists; the jobs that replay and review them; the findings.
//!
//! Invariants: pure and deterministic; nothing is asked that the account does not hold, and nothing is believed that is
//! not found there.

mod agenda;
mod asking;
mod behaviour;
mod choice;
mod entry;
mod errand;
mod evidence;
mod headline;
mod notes;
mod oracle;
mod planner;
mod question;
mod review;
mod reviews;
#[cfg(test)]
mod session_tests;
mod settings;
mod shelf;
mod shown;
mod stretch;
mod suspect;
mod suspicion;
#[cfg(test)]
mod tests;
mod trial;

pub use behaviour::Behaviour;
pub use choice::{choose, questions};
pub(super) use entry::ENTRY;
pub use entry::NAME;
pub use errand::{Part, ReadStretches, ReviewFinding, TryOut};
pub use evidence::{NoEvidence, Proof, Screens, lines};
pub use headline::headline;
pub use oracle::{ORACLE, ReaderOracle};
pub use planner::ReaderPlanner;
pub use settings::{ReaderSettings, has_reader, is_reviewed, is_wanted};
pub use stretch::{Stretch, stretches};
pub use suspicion::{Check, Reading, StepName, Suspicion, Unusable, reading, schema};
