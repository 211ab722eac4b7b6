//! The reader: a language model reads what sessions did and says what looks wrong.
//!
//! In: the account of a session's jobs. Out: which stretches are read within a budget, and in which questions.
//!
//! Invariants: pure and deterministic; nothing is asked that the account does not hold.

mod behaviour;
mod choice;
mod stretch;

pub use behaviour::Behaviour;
pub use choice::{choose, questions};
pub use stretch::{Stretch, stretches};
