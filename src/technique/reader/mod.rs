//! The reader: a language model reads what sessions did and says what looks wrong.
//!
//! In: the account of a session's jobs; replies of a model. Out: which stretches are read within a budget, and in which
//! questions; suspicions, and whether their evidence exists.
//!
//! Invariants: pure and deterministic; nothing is asked that the account does not hold, and nothing is believed that is
//! not found there.

mod behaviour;
mod choice;
mod evidence;
mod stretch;
mod suspicion;
#[cfg(test)]
mod tests;

pub use behaviour::Behaviour;
pub use choice::{choose, questions};
pub use evidence::{NoEvidence, Screens, lines};
pub use stretch::{Stretch, stretches};
pub use suspicion::{Check, Reading, StepName, Suspicion, Unusable, reading, schema};
