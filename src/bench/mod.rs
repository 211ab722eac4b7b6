//! Benches: how good the techniques are, measured.
//!
//! In: contenders, simulated apps with known defects, a budget, RNG seeds. Out: figures and tables.
//!
//! Invariants: everything goes through the same client code as on phones; the technique under test learns nothing about
//! what it is measured by.

pub mod defects;
pub mod soak;
