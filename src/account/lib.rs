//! Screens, events and what they change, in words: the one way to say them to models and to people.
//!
//! In: layouts, and the turns of a job. Out: the parts of a screen that people see (rows, fields, titles), and lines of
//! text.
//!
//! Invariants: pure, so that what is said of a stored turn is always the same; nothing of a password is revealed;
//! nothing that a terminal would obey comes out; texts of the app stand in quotation marks, so that they are never taken
//! for words of our own.

#![cfg_attr(
    test,
    allow(
        clippy::cast_lossless,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::missing_errors_doc
    )
)]

mod apart;
mod change;
pub mod facts;
mod find;
mod line;
pub mod look;
pub mod mode;
pub mod place;
pub mod quote;
pub mod row;
mod screen;
pub mod sentence;
pub mod snackbar;
mod target;
mod telling;
mod unseen;
mod veil;
pub mod words;

#[cfg(test)]
mod tests;

pub use apart::{apart, differences};
pub use change::{Change, Difference, DifferenceKind, change};
pub use find::find_event;
pub use line::Line;
pub use screen::Told;
pub use target::{target, target_kind};
pub use telling::{NOTHING, NoPixels, Pixels, StepTold, Teller, TestTold, failure_words, tell};
pub use veil::{Veil, Volatile};
