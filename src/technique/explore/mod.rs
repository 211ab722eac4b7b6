//! Exploration: choosing events on the screens as they come, to learn the model or to record a test.
//!
//! In: a [`Snapshot`] of what a planner knows, observations. Out: acts; how much exploration there
//! is of which kind ([`Mining`]).
//!
//! Invariants: an exploration learns on its own copy of the model; what it chooses depends on its job,
//! the snapshot and the observations alone.

mod choice;
mod driver;
mod mining;
mod walk;

pub use choice::manipulates;
pub use driver::{ExploreDriver, Snapshot};
pub use mining::Mining;
pub use walk::Coverage;
