//! What tests of several crates share.
//!
//! In: nothing but what a test asks for. Out: hostile bytes, small packages of apps, views of a lab that a cockpit can
//! show, traces written in a few lines, scripts to run in the place of programs, and what authors of simulated apps test them
//! with.
//!
//! Invariants: the program never contains any of it; what is wrong with a test is said by a panic.

// As in tests: numbers here are known.
#![allow(
    missing_docs,
    clippy::cast_lossless,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::missing_errors_doc
)]

pub mod apk_writer;
pub mod app;
pub mod fixtures;
mod mangled;
pub mod script;
mod selectors;
mod shell_script;

pub use mangled::mangled;
pub use selectors::selector;
pub use shell_script::write_shell_script;
