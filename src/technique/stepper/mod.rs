//! The stepper: a person leads one test of a finding over a device, event by event.
//!
//! In: a finding's recorded test and the orders of the person, which reach the driver as answers to its
//! questions. Out: acts, as of any driver; the planner makes one job of it all. What was done is read off
//! the turns: [`Stepped`] is led along them and tells where the test stands.
//!
//! Invariants: the driver is as pure as any other, since orders are observations; going back is done by
//! running again what came before, so what a person sees is what the app did from a reset on.

mod course;
mod driver;
mod opening;
mod planner;
mod rejoined;
#[cfg(test)]
mod tests;

pub use course::{Course, Move};
pub use driver::{Shot, StepDriver, Stepped, Trouble};
pub use opening::opening;
pub use planner::StepPlanner;
pub use rejoined::rejoined;
