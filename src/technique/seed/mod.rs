//! Seed tests: tests that exploration recorded and that techniques insert into.
//!
//! In: finished explorations, the model and the layouts. Out: [`Recording`]s, no two with the same course, and how many
//! more are wanted ([`Seeds`]); batches of mutants between runs of their seed ([`Frame`]).
//!
//! Invariants: a recording begins with a reset, stays in the app and ends with an event that changed
//! something; the same runs in the same order give the same seeds.

mod frame;
mod pool;
mod recording;

pub use frame::Frame;
pub use pool::Seeds;
pub use recording::{RecordedStep, Recording};
