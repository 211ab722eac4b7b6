//! Language models and what belongs to them.
//!
//! In: questions, with the pixels of their pictures. Out: answers with the figures of the exchange,
//! partial replies while they come.
//!
//! Invariants: nothing here decides anything for a technique; a key leaves this module only in the
//! header of a request ([`Secret`]), whatever a server echoes; a session's budget is reserved
//! before anything is sent; every wait has a deadline and ends when it is cancelled.

mod budget;
mod client;
mod endpoints;
mod error;
mod fault;
mod place;
mod prompt;
mod reading;
mod recording;
mod request;
pub mod rules;
pub mod sandbox;
mod secret;
mod wire;

pub use budget::Spent;
pub use client::{Client, Rules, Setup};
pub use endpoints::Endpoints;
pub use error::LlmError;
pub use place::{Place, Sent};
pub use recording::About;
pub use secret::Secret;
