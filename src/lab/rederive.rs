//! Re-deriving stored sessions: the proof that planners and drivers are pure.
//!
//! A fresh planner is led along the stored runs and judgements ([`Retrace`]) and must plan the
//! stored jobs; the drivers it makes are fed the stored observations of every attempt and must give
//! the stored acts. No device, no clock, nothing is written.

use serde::Serialize;

use super::inputs::take_in;
use super::retrace::{Retrace, Stage, Stray, difference};
use droidmux_record::{Act, Job, Observation, SessionId, SessionRecord, Slot};
use droidmux_store::{Problem, Store, StoreError};
use droidmux_technique::{Driver, Planner};

/// The most problems listed; the rest are only counted.
const LISTED: usize = 1_000;

/// Makes the planner that a session began with.
pub type MakePlanner<'a> = dyn Fn(&SessionRecord, SessionId) -> Box<dyn Planner> + 'a;

/// What was derived again and where it came out differently.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "rederive"))]
pub struct RederiveReport {
    /// Sessions of the store, those skipped included.
    pub sessions: u64,
    /// Jobs that came out as they are stored.
    pub jobs: u64,
    /// Attempts at jobs, including those that lost their device.
    pub attempts: u64,
    /// Turns whose acts were derived, up to the first difference of an attempt.
    pub turns: u64,
    /// Sessions that this version cannot derive, and why. Not a problem of the store.
    pub skipped: Vec<Problem>,
    /// The first 1,000.
    pub problems: Vec<Problem>,
    /// Further problems.
    pub more: u64,
}

impl RederiveReport {
    /// True when nothing came out differently; sessions that were skipped do not count.
    pub fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }

    fn problem(&mut self, at: String, what: String) {
        if self.problems.len() < LISTED {
            self.problems.push(Problem { at, what });
        } else {
            self.more += 1;
        }
    }
}

/// Derives every job and act of the store again.
///
/// # Errors
/// When the database itself cannot be read; values that cannot be read are in the report.
pub fn rederive(store: &Store, make: &MakePlanner<'_>) -> Result<RederiveReport, StoreError> {
    let mut report = RederiveReport::default();
    for (id, record) in store.sessions()? {
        report.sessions += 1;
        let mut planner = make(&record, id);
        if record.planner_version == SessionRecord::IMPORTED {
            let what = "its traces were imported, not planned".to_owned();
            report.skipped.push(Problem { at: format!("session {id}"), what });
            continue;
        }
        if planner.version() != record.planner_version {
            let what = format!(
                "it was planned by version {} of its planner, this droidmux has version {}",
                record.planner_version,
                planner.version()
            );
            report.skipped.push(Problem { at: format!("session {id}"), what });
            continue;
        }
        if let Err(error) = take_in(&mut *planner, &record.inputs, store) {
            report.problem(format!("session {id}"), error.to_string());
            continue;
        }
        let mut session = Rederived { store, id, report: &mut report };
        match session.plan_all(planner, &record) {
            Err(StoreError::Corrupt { key, damage }) => report.problem(key, damage.to_string()),
            other => other?,
        }
    }
    Ok(report)
}

struct Rederived<'a> {
    store: &'a Store,
    id: SessionId,
    report: &'a mut RederiveReport,
}

impl Rederived<'_> {
    /// Plans every slot up to the last stored job, or up to the first that comes out differently:
    /// what follows from a difference says nothing.
    fn plan_all(&mut self, planner: Box<dyn Planner>, record: &SessionRecord) -> Result<(), StoreError> {
        let mut walk = Retrace::new(self.store, self.id, record, planner);
        loop {
            match walk.next() {
                Ok(Some(Stage::Planned(_, Some(job)))) => {
                    self.report.jobs += 1;
                    self.drive_all(&job, &*walk.planner().driver(&job))?;
                }
                Ok(Some(Stage::Planned(_, None) | Stage::Absorbed(..))) => {}
                Ok(None) => return Ok(()),
                Err(Stray::Differs(Problem { at, what })) => {
                    self.report.problem(at, what);
                    return Ok(());
                }
                Err(Stray::Store(error)) => return Err(error),
            }
        }
    }

    /// Drives every attempt at a job from its stored observations.
    fn drive_all(&mut self, job: &Job, driver: &dyn Driver) -> Result<(), StoreError> {
        let finished = self.store.run(self.id, job.slot)?.map(|run| run.attempt);
        for attempt in self.store.attempts(self.id, job.slot)? {
            self.report.attempts += 1;
            let whole = finished == Some(attempt);
            self.drive(driver.fresh(), job.slot, attempt, whole)?;
        }
        Ok(())
    }

    /// `whole` attempts end with their driver's last act; others may end anywhere.
    fn drive(
        &mut self,
        mut driver: Box<dyn Driver>,
        slot: Slot,
        attempt: u32,
        whole: bool,
    ) -> Result<(), StoreError> {
        let at = |turn: usize| format!("turn {turn} of {} {slot}, attempt {attempt}", self.id);
        let turns = self.store.turns(self.id, slot, attempt)?;
        let mut before = &Observation::Started;
        for (number, turn) in turns.iter().enumerate() {
            let act = driver.next(before, self.store);
            self.report.turns += 1;
            if act != turn.act {
                let what = difference("the stored act is", &turn.act, &act);
                self.report.problem(at(number), what);
                return Ok(());
            }
            if matches!(act, Act::Finish(_)) && number + 1 < turns.len() {
                self.report.problem(at(number), "turns follow the driver's last act".to_owned());
                return Ok(());
            }
            before = &turn.observation;
        }
        if whole && !turns.last().is_some_and(|turn| matches!(turn.act, Act::Finish(_))) {
            let what = "the job is noted as finished, its driver is not".to_owned();
            self.report.problem(at(turns.len().saturating_sub(1)), what);
        }
        Ok(())
    }
}
