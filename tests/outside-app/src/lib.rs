//! Simulated apps in a crate of their own: proof that the toolkit is enough, and apps that droidmux is benched on
//! without having been made with them in view.
//!
//! [`tally`] is the smallest app that can be benched. The others are modelled on kinds of apps that everybody
//! knows; each has defects that crash nothing, and traps: correct behaviour that looks like a defect. Their
//! `cases` hold them to that, `examples/bench.rs` benches them.

use droidmux::sim::SimApp;

pub mod agenda;
pub mod basket;
pub mod chat;
#[cfg(test)]
mod check;
pub mod gallery;
pub mod habits;
pub mod kitchen;
pub mod mail;
mod selection;
pub mod tally;
pub mod vault;

/// The apps to bench: all but [`tally`].
pub fn benched() -> Vec<SimApp> {
    vec![
        mail::app(),
        kitchen::app(),
        gallery::app(),
        vault::app(),
        agenda::app(),
        basket::app(),
        chat::app(),
        habits::app(),
    ]
}
