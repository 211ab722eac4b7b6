//! GUI effects compared: what a run lacks of what another run of the same events did.
//!
//! In: a finished batch of a seed and its mutants, or two runs of the same events. Out: a verdict for each mutant, in
//! the terms of Genie's oracle, or what two runs that should be alike do not have in common.
//!
//! Invariants: whoever planned a batch, its mutants are judged in the same way: Genie's own, those with which another
//! technique examines a finding, and recorded ones that are looked at again; what is volatile is never a difference.

mod canonical;
mod comparison;
mod couple;
mod hint;
mod lost;
mod oracle;
mod repeats;
#[cfg(test)]
mod sentences;
mod telling;

pub use oracle::GenieOracle;
pub use repeats::{Inconsistency, RepeatOracle};
