//! Exploration: choosing events on the screens as they come, to learn the model, to record a test, or to change the
//! app's data.
//!
//! In: a [`Snapshot`] of what a planner knows, observations. Out: acts; how much exploration of each kind there is, and
//! what it taught ([`Exploration`]).
//!
//! Invariants: an exploration learns on its own copy of the model; what it chooses depends only on its job, the
//! snapshot and the observations.

mod changing;
mod choice;
mod driver;
mod entered;
mod exploration;
mod field;
mod harvest;
mod mining;
mod roaming;
mod rows;
mod settings;
mod streaks;
#[cfg(test)]
mod tests;
mod typist;
mod variety;
mod visit;
mod walk;

pub use choice::manipulates;
pub use driver::{ExploreDriver, Snapshot};
pub use exploration::Exploration;
pub use field::Field;
pub use harvest::Harvest;
pub use settings::GenieSettings;
pub use typist::Typist;
pub use variety::Variety;
pub use walk::Coverage;
