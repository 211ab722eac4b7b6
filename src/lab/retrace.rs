//! The walk along a stored session: a fresh planner plans and absorbs again what the session
//! planned and absorbed, in the order of the [`Schedule`].
//!
//! In: a planner in its first state, the stored jobs, runs and judgements. Out: stage by stage what
//! was planned and absorbed, the planner then knowing what it knew at that stage; in the end the
//! planner as it was when the last stored job was planned. Oracles are not asked again. Sessions
//! that go on and the re-derivation of stored ones both walk this way.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::iter::Peekable;
use std::sync::Arc;

use super::schedule::{Next, Schedule};
use droidmux_record::{Job, JobRun, Judgement, SessionId, SessionRecord, Slot};
use droidmux_store::{Problem, Records, Store, StoreError};
use droidmux_technique::{Plan, Planner};

/// Characters of a job or an act that a problem shows.
const SHOWN: usize = 300;

pub(super) struct Retrace {
    store: Store,
    session: SessionId,
    planner: Box<dyn Planner>,
    schedule: Schedule,
    stored: Peekable<Records<Job>>,
    /// The slots planned and not absorbed yet, with their jobs.
    waiting: BTreeMap<Slot, Option<Arc<Job>>>,
}

/// What the planner has just done.
pub(super) enum Stage {
    /// Planned this slot: the stored job, or none.
    Planned(Slot, Option<Arc<Job>>),
    Absorbed(Box<JobRun>, Box<Judgement>),
}

/// Why the walk cannot go on.
#[derive(Debug)]
pub(super) enum Stray {
    /// The planner plans something other than what is stored, or not everything it learned from is there.
    Differs(Problem),
    Store(StoreError),
}

/// Where the walk ended.
pub(super) struct Arrived {
    pub(super) planner: Box<dyn Planner>,
    pub(super) schedule: Schedule,
    /// Slots planned without a job and not absorbed yet.
    pub(super) idle: BTreeSet<Slot>,
}

impl Retrace {
    /// `planner` has taken in the session's inputs and nothing else.
    pub(super) fn new(
        store: &Store,
        session: SessionId,
        record: &SessionRecord,
        planner: Box<dyn Planner>,
    ) -> Self {
        Self {
            store: store.clone(),
            session,
            planner,
            schedule: Schedule::new(record.definition.run.window),
            stored: store.jobs(session).peekable(),
            waiting: BTreeMap::new(),
        }
    }

    /// The planner as it is after the last stage.
    pub(super) fn planner(&self) -> &dyn Planner {
        &*self.planner
    }

    /// Goes on to the next stage; `None` after the last stored job was planned.
    pub(super) fn next(&mut self) -> Result<Option<Stage>, Stray> {
        while self.stored.peek().is_some() {
            match self.schedule.next() {
                Next::Plan(slot) => return self.plan(slot).map(Some),
                Next::Absorb(slot) => {
                    let job = self.waiting.remove(&slot).flatten();
                    let absorbed = job.map(|job| self.absorb(job)).transpose()?;
                    self.schedule.absorbed();
                    if absorbed.is_some() {
                        return Ok(absorbed);
                    }
                }
            }
        }
        Ok(None)
    }

    pub(super) fn arrive(self) -> Arrived {
        let Self { planner, schedule, waiting, .. } = self;
        let idle = waiting.into_iter().filter(|(_, job)| job.is_none()).map(|(slot, _)| slot).collect();
        Arrived { planner, schedule, idle }
    }

    fn plan(&mut self, slot: Slot) -> Result<Stage, Stray> {
        let job = self.stored.next_if(|job| job.as_ref().map_or(true, |job| job.slot == slot));
        let job = job.transpose()?;
        let plan = self.planner.plan(slot);
        if let Some(what) = strays(&plan, job.as_ref()) {
            return Err(Stray::Differs(Problem { at: format!("job {} {slot}", self.session), what }));
        }
        let job = job.map(Arc::new);
        self.waiting.insert(slot, job.clone());
        self.schedule.planned();
        Ok(Stage::Planned(slot, job))
    }

    fn absorb(&mut self, job: Arc<Job>) -> Result<Stage, Stray> {
        let (session, slot) = (self.session, job.slot);
        let run = self.store.run_of(session, Arc::unwrap_or_clone(job))?;
        let judgement = self.store.judgement(session, slot)?;
        let missing = |missing: &str| {
            let what = format!("later jobs were planned though it is not {missing}");
            Stray::Differs(Problem { at: format!("job {session} {slot}"), what })
        };
        let run = run.ok_or_else(|| missing("finished"))?;
        let judgement = judgement.ok_or_else(|| missing("judged"))?;
        self.planner.absorb(&run, &judgement, &self.store);
        Ok(Stage::Absorbed(Box::new(run), Box::new(judgement)))
    }
}

impl From<StoreError> for Stray {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// How a plan differs from what is stored for its slot.
fn strays(plan: &Plan, stored: Option<&Job>) -> Option<String> {
    match (plan, stored) {
        (Plan::Job(planned), Some(stored)) if **planned == *stored => None,
        (Plan::Idle, None) => None,
        (Plan::Job(planned), Some(stored)) => Some(difference("the stored job is", stored, planned)),
        (Plan::Job(planned), None) => Some(format!("there is no job; derived: {}", shown(planned))),
        (Plan::Idle, Some(_)) => Some("there is a job; derived: none for this slot".to_owned()),
        (Plan::Done, _) => Some("there are jobs from here on; derived: the session is over".to_owned()),
    }
}

/// What is stored beside what was derived instead, in words.
pub(super) fn difference<T: Debug>(what: &str, stored: &T, derived: &T) -> String {
    format!("{what} {}; derived: {}", shown(stored), shown(derived))
}

fn shown<T: Debug>(value: &T) -> String {
    let text = format!("{value:?}");
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
