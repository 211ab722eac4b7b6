//! The course of a session that looks for violations in one way until its events are spent, and runs
//! again what it suspects.
//!
//! In: the tests that a technique proposes, finished jobs with their judgements. Out: plans, progress,
//! findings with their confirmations.

use super::findings::Findings;
use super::ledger::Ledger;
use super::suspects::Suspects;
use super::{Plan, work_plan};
use droidmux_record::{
    Finding, Funnel, JobRun, Judgement, Phase, Progress, SessionDefinition, SessionId, Shrunk, Slot, Work,
};

/// Budget, suspects and phases of a session.
///
/// Confirmations go before the search while they have taken less than their share of the events.
#[derive(Clone, Debug)]
pub struct Search {
    rng: u64,
    /// What the search is called while it lasts.
    phase: Phase,
    course: SearchPhase,
    confirms: bool,
    ledger: Ledger,
    suspects: Suspects,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SearchPhase {
    Search,
    Confirm,
    Done,
}

impl Search {
    /// A session at its start; `phase` is what it is at while it searches.
    pub fn new(definition: &SessionDefinition, session: SessionId, rng: u64, phase: Phase) -> Self {
        let (run, name) = (&definition.run, definition.technique.name());
        let findings = Findings::new(session, name, &definition.app, run.confirm, run.confirm_of);
        Self {
            rng,
            phase,
            course: SearchPhase::Search,
            confirms: true,
            ledger: Ledger::new(run.max_events),
            suspects: Suspects::new(findings, run.experiments),
        }
    }

    /// The same without shrinking, where a judgement costs more than a replay.
    pub fn without_shrinking(self) -> Self {
        Self { suspects: self.suspects.without_shrinking(), ..self }
    }

    /// The plan for a slot: a confirmation, or what is proposed if there is room for it. Nothing more
    /// is looked for once nothing was proposed, or it did not fit, and no job is under way.
    pub fn plan(&mut self, slot: Slot, propose: impl FnOnce() -> Option<Work>) -> Plan {
        let work = self.next_work(propose);
        work_plan(slot, work, self.course == SearchPhase::Done, self.rng, &mut self.ledger)
    }

    fn next_work(&mut self, propose: impl FnOnce() -> Option<Work>) -> Option<Work> {
        if (self.ledger.owes_confirmation() || self.course != SearchPhase::Search)
            && let Some(work) = self.confirmation()
        {
            return Some(work);
        }
        if self.course == SearchPhase::Search
            && let Some(work) = propose()
            && self.ledger.can_search(work.events())
        {
            return Some(work);
        }
        if self.ledger.is_busy() {
            return self.confirmation();
        }
        if self.course == SearchPhase::Search {
            self.course = SearchPhase::Confirm;
            if let Some(work) = self.confirmation() {
                return Some(work);
            }
        }
        self.course = SearchPhase::Done;
        None
    }

    fn confirmation(&mut self) -> Option<Work> {
        if self.confirms { self.suspects.confirmation(&self.ledger) } else { None }
    }

    /// True when a test of this many events fits into the budget of the search.
    pub fn has_room(&self, events: u64) -> bool {
        self.ledger.can_search(events)
    }

    /// Nothing more is confirmed, because something needed for it is missing.
    pub fn give_up_confirming(&mut self) {
        self.confirms = false;
    }

    /// Counts what a finished job took and found. False for one that was about a finding, which has
    /// nothing else to tell.
    pub fn absorb(&mut self, run: &JobRun, judgement: &Judgement) -> bool {
        self.ledger.finish(run.job.slot, run.events());
        if self.suspects.absorb(run, judgement) {
            return false;
        }
        self.suspects.absorb_violations(run, judgement);
        true
    }

    /// How far the session is; `funnel` is what the technique knows of its beginning.
    pub fn progress(&self, funnel: Funnel) -> Progress {
        let (phase, (done, total, unit)) = match self.course {
            SearchPhase::Search => (self.phase.clone(), (self.ledger.spent(), self.ledger.most(), "events")),
            SearchPhase::Confirm => (Phase::CONFIRM, self.suspects.settled()),
            SearchPhase::Done => (Phase::DONE, self.suspects.settled()),
        };
        Progress {
            phase,
            done,
            total,
            unit: unit.to_owned(),
            events: self.ledger.spent(),
            max_events: self.ledger.most(),
            funnel: self.suspects.funnel(funnel),
            ..Progress::default()
        }
    }

    /// All findings so far, best rank first.
    pub fn findings(&self) -> Vec<Finding> {
        self.suspects.findings.ranked()
    }

    /// What findings were shrunk to so far.
    pub fn shrunk(&self) -> Vec<Shrunk> {
        self.suspects.shrunk()
    }
}
