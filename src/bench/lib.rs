//! Benches: how good the techniques are, measured.
//!
//! In: contenders, apps with known defects (simulated ones, or real ones with mutants), a budget, RNG seeds. Out: figures and tables.
//!
//! Invariants: everything goes through the same client code as on phones; the technique under test learns nothing about
//! what it is measured by.

#![cfg_attr(
    test,
    allow(
        clippy::cast_lossless,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::missing_errors_doc
    )
)]

pub mod apps;
pub mod defects;
pub mod soak;
