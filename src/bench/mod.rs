//! Benches: what the techniques are worth, measured.
//!
//! In: contenders, simulated apps with known defects, a budget, RNG seeds. Out: figures and tables.
//!
//! Invariants: everything goes through the same client code as on phones; what is measured learns
//! nothing of what it is measured by.

pub mod defects;
pub mod soak;
