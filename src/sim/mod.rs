//! The simulated lab: phones whose apps have known defects.
//!
//! In: which apps, which defects, how many devices, an RNG seed; then taps, keys and shell commands
//! as a real phone gets them. Out: UI dumps, screenshots, logcat text as a real phone gives them.
//!
//! Invariants: a [`Phone`] is a plain state machine, without sockets and without a wall clock, and
//! the same calls give the same answers; its clock moves only with input, launches and clears;
//! nothing outside this module knows the name of a simulated app.

pub mod apps;
pub mod phone;
pub mod render;
pub mod toolkit;

pub use phone::{Phone, PhoneOptions};
pub use toolkit::{Defect, DefectSwitches, SimApp};
