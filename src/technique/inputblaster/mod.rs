//! InputBlaster: unusual text by a language model's generators ("Testing the Limits"), and its baseline,
//! random text.
//!
//! In: a session definition and an RNG seed; then finished jobs with their judgements. Out: jobs
//! that explore, that fill in one form again and again, and findings with their confirmations.
//! [`with_texts`] makes it the source of texts for other techniques.
//!
//! Invariants: every filling of a form begins with a reset and the way to the form, so that it is a
//! test of its own and what a finding needs can be run again; the last edit of such a test is that
//! of the field under test, and what comes after it submits the form; each job fills the form in
//! with valid texts twice before it tries unusual ones, so that the oracle can judge a job from
//! what is stored of it alone; the texts that pages show in password fields never enter a question.

mod answer;
mod context;
mod driver;
mod dumped;
mod entry;
mod errand;
mod feedback;
mod fill;
mod form;
mod forms;
mod ground;
mod history;
#[cfg(any(test, fuzzing))]
pub mod hostile;
mod landing;
mod lesson;
mod like;
mod oracle;
mod passing;
mod planner;
mod prompt;
mod relation;
mod rounds;
mod settings;
mod shut;
mod source;
#[cfg(test)]
mod tests;
mod text_kind;

pub use entry::{ENTRY, RANDOMTEXT, TEXTS, unlearnt};
pub use errand::{Expectation, FormKnown, FormRound, FormTest, Reaction, TriedText};
pub use lesson::lesson;
pub use oracle::InputblasterOracle;
pub use planner::InputblasterPlanner;
pub use settings::InputblasterSettings;
pub use source::with_texts;
