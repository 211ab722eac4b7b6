//! Language models and what belongs to them.
//!
//! In: questions, with the pixels of their pictures; generated code; texts to find examples by. Out:
//! answers with the figures of the exchange, partial replies while they come; what the code
//! yielded; the nearest examples.
//!
//! Invariants: nothing here decides anything for a technique; a key leaves this module only in the
//! header of a request ([`Secret`]), whatever a server echoes; a session's budget is reserved
//! before anything is sent; every wait has a deadline and ends when it is cancelled.

mod budget;
mod client;
mod endpoints;
mod error;
mod fault;
pub mod library;
mod place;
mod prompt;
mod reading;
mod recording;
mod request;
pub mod sandbox;
mod secret;
pub mod vectors;
mod wire;

pub use budget::Spent;
pub use client::{Client, Rules, Setup};
pub use endpoints::Endpoints;
pub use error::LlmError;
pub use library::Library;
pub use place::{Place, Sent};
pub use recording::About;
pub use sandbox::Sandbox;
pub use secret::Secret;
pub use vectors::{VectorsError, WordVectors};
