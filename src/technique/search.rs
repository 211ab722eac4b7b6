//! The course of a session that looks for violations in one way until its events are spent, and runs
//! again what it suspects.
//!
//! In: the tests that a technique proposes, finished jobs with their judgements. Out: plans, progress,
//! findings with their confirmations.

use super::Plan;
use super::ledger::Ledger;
use super::phases::{Course, Phases};
use droidmux_record::{
    Finding, Funnel, JobRun, Judgement, Layouts, Phase, Progress, SessionDefinition, SessionId, Shrunk, Slot,
    Test, Verdict, Work,
};

/// Budget, suspects and phases of a session.
///
/// Confirmations go before the search while they have taken less than their share of the events.
#[derive(Clone, Debug)]
pub struct Search {
    course: Course<Phase>,
}

/// What a technique proposes for a slot of its only phase.
struct Proposal<F>(Option<F>);

impl<F: FnOnce() -> Option<Work>> Phases for Proposal<F> {
    type Phase = Phase;

    fn work(&mut self, _phase: &Phase, _slot: Slot, ledger: &Ledger) -> Option<Work> {
        let work = self.0.take()?()?;
        ledger.can_search(work.events()).then_some(work)
    }

    fn after(&mut self, _phase: &Phase, _slot: Slot) -> Option<Phase> {
        None
    }
}

impl Search {
    /// A session at its start; `phase` is what it is at while it searches.
    pub fn new(definition: &SessionDefinition, session: SessionId, rng: u64, phase: Phase) -> Self {
        Self { course: Course::new(definition, session, rng, phase) }
    }

    /// The same without shrinking, where a judgement costs more than a replay.
    pub fn without_shrinking(self) -> Self {
        Self { course: self.course.without_shrinking() }
    }

    /// The plan for a slot: a confirmation, or what is proposed if there is room for it. Nothing more
    /// is looked for once nothing was proposed, or it did not fit, and no job is under way.
    pub fn plan(&mut self, slot: Slot, propose: impl FnOnce() -> Option<Work>) -> Plan {
        self.course.plan(slot, &mut Proposal(Some(propose)))
    }

    /// True when a test of this many events fits into the budget of the search.
    pub fn has_room(&self, events: u64) -> bool {
        self.course.ledger().can_search(events)
    }

    /// Events that a test may take, so that this percentage of the limit stays for replays, or as much as those of what
    /// is suspected may take, if that is more, up to half of the limit.
    pub fn room(&self, percent: u32) -> u64 {
        let ledger = self.course.ledger();
        ledger.left().saturating_sub(ledger.share(percent).max(self.owed()))
    }

    /// Half of what is left and not owed to replays: as much stays for replays of what a test of so many events finds.
    pub fn half(&self) -> u64 {
        self.course.ledger().left().saturating_sub(self.owed()) / 2
    }

    /// Events that replays of what is suspected may take, at most half of the limit.
    fn owed(&self) -> u64 {
        self.course.owed().min(self.course.ledger().most() / 2)
    }

    /// Looks for nothing new: what is suspected is still replayed.
    pub fn stop_searching(&mut self) {
        self.course.stop_searching();
    }

    /// Nothing more is confirmed, because something needed for it is missing.
    pub fn give_up_confirming(&mut self) {
        self.course.give_up_confirming();
    }

    /// Counts what a finished job took and found. False for one that was about a finding, which has
    /// nothing else to tell.
    pub fn absorb(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) -> bool {
        self.absorb_shorter(run, judgement, layouts, &|_| Vec::new())
    }

    /// The same with shortened tests that may show a violation, too, the shortest first.
    pub fn absorb_shorter(
        &mut self,
        run: &JobRun,
        judgement: &Judgement,
        layouts: &dyn Layouts,
        shorter: &dyn Fn(&Verdict) -> Vec<Vec<Test>>,
    ) -> bool {
        let searched = self.course.absorb(run, judgement, layouts);
        if searched {
            self.course.suspect_shorter(run, judgement, layouts, shorter);
        }
        searched
    }

    /// How far the session is; `funnel` is what the technique knows of its beginning.
    pub fn progress(&self, funnel: Funnel) -> Progress {
        let ledger = self.course.ledger();
        self.course.progress(funnel, |_| (ledger.spent(), ledger.most(), "events"))
    }

    /// All findings so far, best rank first.
    pub fn findings(&self) -> Vec<Finding> {
        self.course.findings()
    }

    /// What findings were shrunk to so far.
    pub fn shrunk(&self) -> Vec<Shrunk> {
        self.course.shrunk()
    }
}
