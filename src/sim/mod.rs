//! The simulated lab: phones whose apps have known defects.
//!
//! In: which apps, which defects, how many devices, an RNG seed; then taps, keys and shell commands
//! as a real phone gets them. Out: UI dumps, screenshots, logcat text as a real phone gives them.
//!
//! Invariants: a [`Phone`] is a plain state machine, without sockets and without a wall clock, and
//! the same calls give the same answers; its clock moves only with input, launches and clears;
//! nothing outside this module knows the name of a simulated app.

mod adbd;
pub mod apps;
mod command;
mod device;
mod error;
mod fault;
mod files;
mod lab;
mod latency;
mod pattern;
pub mod phone;
pub mod render;
mod server;
mod service;
mod shell;
mod text;
pub mod toolkit;

pub use device::{LinkState, SimDevice};
pub use error::SimError;
pub use fault::Fault;
pub use lab::{SimLab, SimOptions};
pub use latency::Latency;
pub use phone::{Phone, PhoneOptions};
pub use toolkit::{Defect, DefectSwitches, SimApp};

#[cfg(test)]
mod tests;
