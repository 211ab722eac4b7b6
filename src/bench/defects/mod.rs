//! The defect bench: contenders over simulated apps, every finding judged by experiment.
//!
//! In: contenders, apps, a budget in events, RNG seeds. Each (app, contender, seed) is a *trial*: a
//! session of its own on a simulated phone with all defects on, then replays of all its findings on
//! phones with other switches. Out: a [`TrialRecord`] for each, and from them [`Figures`], tables
//! and JSON.
//!
//! Invariants: techniques and the sessions they run in never see defect ids or switches, which stay
//! on this side of the ADB socket (`stand`); a finding is a false alarm only when a replay
//! of its own recipe showed it with all defects off; the figures come from the records alone, so a
//! table made in pieces is the table made at once.

mod book;
mod contender;
mod error;
mod figures;
#[cfg(test)]
mod fixture;
mod folder;
mod plan;
mod record;
mod ruling;
mod run;
mod specifications;
mod spread;
mod stand;
mod table;
mod tables;
mod trial;

pub use contender::{CONTENDERS, Contender};
pub use error::BenchError;
pub use figures::Figures;
pub use folder::Folder;
pub use plan::{Plan, PlanOptions, Trial};
pub use record::{JudgedFinding, TrialRecord};
pub use ruling::{Naming, Ruling};
pub use run::{Done, RunEvent, RunOptions, run};
pub use tables::tables;
