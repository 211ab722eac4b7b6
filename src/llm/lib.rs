//! Language models and what belongs to them: generated code, word vectors, examples.
//!
//! In: questions, with the pixels of their pictures; replies of people who answer in place of a model; code that models
//! wrote; words. Out: answers with
//! the figures of the exchange, partial replies while they come; generated texts; the nearest examples.
//!
//! Invariants: nothing here decides anything for a technique; a key leaves this module only in the
//! header of a request ([`Secret`]), whatever a server echoes; a session's budget is reserved
//! before anything is sent; generated code runs in a child that can do nothing else; every wait has a
//! deadline and ends when it is cancelled.

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

mod budget;
mod client;
mod disguise;
mod endpoints;
mod error;
mod fault;
#[cfg(any(test, fuzzing))]
pub mod hostile;
pub mod library;
mod manner;
mod outcome;
mod people;
mod place;
mod prompt;
mod reading;
mod recording;
mod request;
pub mod rules;
pub mod sandbox;
mod schema;
mod secret;
pub mod vectors;
mod way;
mod wire;

pub use budget::UsedUp;
pub use client::{Client, Rules, Setup};
pub use endpoints::Endpoints;
pub use error::LlmError;
pub use library::Library;
pub use people::{NotTaken, People, Waiting};
pub use place::{QuestionPlace, Sent};
pub use request::{OptionsError, options};
pub use sandbox::Sandbox;
pub use schema::skeleton;
pub use secret::Secret;
pub use vectors::{VectorsError, WordVectors};
