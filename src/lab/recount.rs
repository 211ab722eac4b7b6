//! The counts of a session that is over, counted again: its funnel is not stored, its jobs are.
//!
//! In: a session of the store and the planner it began with. Out: how far that planner gets when it is led along
//! everything that was judged. Nothing is written.

use std::collections::BTreeSet;

use thiserror::Error;

use super::LabError;
use super::inputs::take_in;
use super::rederive::MakePlanner;
use super::retrace::{Retrace, Stage, Stray};
use droidmux_record::{Progress, SessionId, SessionRecord, Use};
use droidmux_store::{Problem, Store, StoreError};

/// Why this version cannot say how far a session got.
#[derive(Debug, Error)]
pub enum Uncounted {
    /// No planner of any droidmux led to its traces.
    #[error("its traces were imported, not planned")]
    Imported,
    /// Its planner decided otherwise than today's would.
    #[error("another version of its planner planned it")]
    OtherPlanner,
    /// A trace that it was given is gone.
    #[error(transparent)]
    Input(LabError),
    /// Today's planner plans something else than what is stored.
    #[error("{}: {}", .0.at, .0.what)]
    Strayed(Problem),
}

/// How far a session got; or why this version cannot tell. Must be called off the async workers: it takes
/// about as long as resuming the session.
///
/// # Errors
/// When the store cannot be read.
pub fn recount(
    store: &Store,
    id: SessionId,
    record: &SessionRecord,
    make: &MakePlanner<'_>,
) -> Result<Result<Progress, Uncounted>, StoreError> {
    if record.planner_version == SessionRecord::IMPORTED {
        return Ok(Err(Uncounted::Imported));
    }
    let mut planner = make(record, id);
    if planner.version() != record.planner_version {
        return Ok(Err(Uncounted::OtherPlanner));
    }
    if let Err(error) = take_in(&mut *planner, &record.inputs, store) {
        return Ok(Err(Uncounted::Input(error)));
    }
    let mut walk = Retrace::new(store, id, record, planner);
    let (mut absorbed, mut uses) = (BTreeSet::new(), Vec::new());
    loop {
        match walk.next() {
            Ok(Some(Stage::Absorbed(run, _))) => {
                absorbed.insert(run.job.slot);
                Use::count(&mut uses, &run);
            }
            Ok(Some(Stage::Planned(..))) => {}
            Ok(None) => break,
            Err(Stray::Differs(problem)) => return Ok(Err(Uncounted::Strayed(problem))),
            Err(Stray::Store(error)) => return Err(error),
        }
    }
    let mut planner = walk.arrive().planner;
    // The walk ends with the last plan: what came in after it is absorbed here.
    for job in store.jobs(id) {
        let job = job?;
        let slot = job.slot;
        if absorbed.contains(&slot) {
            continue;
        }
        let (run, judgement) = (store.run_of(id, job)?, store.judgement(id, slot)?);
        if let (Some(run), Some(judgement)) = (run, judgement) {
            planner.absorb(&run, &judgement, store);
            Use::count(&mut uses, &run);
        }
    }
    let mut progress = Progress { uses, ..planner.progress() };
    progress.mark_true(store.marked_true(id)?);
    Ok(Ok(progress))
}
