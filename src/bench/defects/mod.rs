//! The defect bench: contenders over simulated apps, every finding judged by experiment.
//!
//! In: contenders, apps (those of the simulated lab or anybody's, see [`Apps`]), a budget in events, RNG seeds. Each
//! (app, contender, seed) is two *trials*: a session of its own on a simulated phone with all defects on, then replays
//! of all its findings on phones with other switches; and a session with all defects off. Out: a [`TrialRecord`] for
//! each, and from them [`Figures`], tables and JSON.
//!
//! Invariants: techniques and the sessions they run in never see defect ids or switches, nor what triggered defects;
//! these stay on this side of the ADB socket (`stand`); a defect is found only by a finding that shows each time with
//! that defect alone on and never with all off; the figures come from the records alone, so a table made in pieces
//! equals the table made at once.

mod apps;
mod book;
mod cells;
mod contender;
mod error;
mod figures;
#[cfg(test)]
pub(crate) mod fixture;
mod folder;
mod group;
mod judgements;
mod own;
mod plan;
mod record;
mod ruling;
mod run;
mod set;
mod sheet;
mod specifications;
mod spread;
mod stand;
mod subject;
mod table;
mod tables;
mod trial;

pub use apps::Apps;
pub use contender::Contender;
pub use error::BenchError;
pub use figures::Figures;
pub use folder::Folder;
pub use group::Scope;
pub use judgements::{Judged, Judgement, Judgements};
pub use own::{KindFigures, OwnLine};
pub use plan::{Plan, PlanOptions, Trial};
pub use record::{JudgedFinding, TrialRecord};
pub use ruling::Ruling;
pub use run::{Done, RunEvent, RunOptions, run};
pub use set::DefectSet;
pub use specifications::ShippedSpecification;
pub(crate) use stand::Stand;
pub use subject::{Planted, Subject};
pub use tables::tables;
