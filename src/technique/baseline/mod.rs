//! Baselines: what the techniques are compared with.
//!
//! In: a session definition and an RNG seed, then finished jobs with their verdicts. Out: jobs and
//! findings, as from every technique.
//!
//! Invariants: a baseline shares devices, oracles, store and confirmation with the techniques, but
//! has nothing of what makes them work. Other baselines are settings of a technique: `[genie]
//! dependent-insertions` and `[odin] calibrate = false`.

mod monkey;

pub use monkey::{MONKEY, MonkeyPlanner};
