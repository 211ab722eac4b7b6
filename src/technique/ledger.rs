//! What a session has spent and may still spend, in events.

use std::collections::{BTreeMap, BTreeSet};

use super::timing::Timing;
use droidmux_record::{JobRun, RunSettings, Slot};

/// The events of a session: those performed, and those that jobs under way may take.
#[derive(Clone, Debug)]
pub struct Ledger {
    most: u64,
    /// The session's time, if it has a limit.
    timing: Option<Timing>,
    spent: u64,
    under_way: BTreeMap<Slot, u64>,
    /// Those of them on which no phase builds.
    beside: BTreeSet<Slot>,
    /// The job planned last was of a finding.
    confirmed_last: bool,
    /// Planned for confirmations, and for everything else.
    confirming: u64,
    searching: u64,
}

/// What a job is planned for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charge {
    /// The phase that plans it: the next phase builds on its results.
    Search,
    /// Exploration beside the phases.
    Roam,
    /// A finding.
    Confirm,
}

/// Part of the limit that only confirmations may use: one in this many.
const RESERVE: u64 = 10;

/// Events that confirmations may take in advance of their share.
const ADVANCE: u64 = 400;

impl Ledger {
    /// With these limits, nothing spent yet.
    pub fn of(run: &RunSettings) -> Self {
        Self { timing: Timing::of(run.time), ..Self::new(run.max_events) }
    }

    /// With this limit on events alone.
    pub fn new(most: u64) -> Self {
        let (under_way, beside) = (BTreeMap::new(), BTreeSet::new());
        Self {
            most,
            timing: None,
            spent: 0,
            under_way,
            beside,
            confirmed_last: false,
            confirming: 0,
            searching: 0,
        }
    }

    /// True when a job that looks for something new may take this many events: the reserve for
    /// confirmations stays, of events and of time.
    pub fn can_search(&self, events: u64) -> bool {
        let is_time = !self.timing.as_ref().is_some_and(Timing::is_last_part);
        is_time && self.fits(events, self.most / RESERVE)
    }

    /// True when a confirmation of this many events fits in.
    pub fn can_confirm(&self, events: u64) -> bool {
        self.fits(events, 0)
    }

    /// True while confirmations have taken less than a third of the events and may go before the search. Never twice in
    /// a row: results are taken in in order, and many short jobs behind a long one would soon be done and leave their
    /// devices idle.
    pub fn owes_confirmation(&self) -> bool {
        !self.confirmed_last && self.confirming <= self.searching / 2 + ADVANCE
    }

    pub fn plan(&mut self, slot: Slot, events: u64, charge: Charge) {
        self.under_way.insert(slot, events);
        if charge != Charge::Search {
            self.beside.insert(slot);
        }
        self.confirmed_last = charge == Charge::Confirm;
        *(if self.confirmed_last { &mut self.confirming } else { &mut self.searching }) += events;
    }

    /// Counts events that a job took, whatever it was for.
    pub fn finish(&mut self, slot: Slot, events: u64) {
        self.under_way.remove(&slot);
        self.beside.remove(&slot);
        self.spent += events;
    }

    /// Counts what a finished job took.
    pub fn absorb(&mut self, run: &JobRun) {
        self.finish(run.job.slot, run.events());
        if let Some(timing) = &mut self.timing {
            timing.count(run);
        }
    }

    /// True when jobs are under way.
    pub fn is_busy(&self) -> bool {
        !self.under_way.is_empty()
    }

    /// True when the next phase has to wait: for what the present one planned alone, or for all jobs under way.
    pub fn awaits(&self, planned_by_phase: bool) -> bool {
        if planned_by_phase { self.under_way.len() > self.beside.len() } else { self.is_busy() }
    }

    /// Events performed in absorbed jobs.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// The limit on events.
    pub fn most(&self) -> u64 {
        self.most
    }

    /// The events that the session will probably come to: its limit, or fewer when its time is up before. Phases are
    /// given their parts of this.
    pub fn horizon(&self) -> u64 {
        self.forecast().map_or(self.most, |events| events.min(self.most))
    }

    /// The events that there is time for, once that is known.
    pub fn forecast(&self) -> Option<u64> {
        self.timing.as_ref().and_then(|timing| timing.forecast(self.spent))
    }

    /// This percentage of what the session will come to, however much that is.
    pub fn share(&self, percent: u32) -> u64 {
        let (percent, all) = (u64::from(percent.min(100)), self.horizon());
        all / 100 * percent + all % 100 * percent / 100
    }

    fn fits(&self, events: u64, reserve: u64) -> bool {
        let sum = self.planned().checked_add(events).and_then(|sum| sum.checked_add(reserve));
        sum.is_some_and(|sum| sum <= self.most)
    }

    /// Events that the search may take at most.
    pub fn left_to_search(&self) -> u64 {
        let left = self.horizon().saturating_sub(self.planned());
        left.saturating_sub(self.horizon() / RESERVE)
    }

    /// Events that a confirmation may take at most.
    pub fn left(&self) -> u64 {
        self.most.saturating_sub(self.planned())
    }

    /// Events performed, and those that jobs under way may take.
    pub fn planned(&self) -> u64 {
        self.spent + self.under_way.values().sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reserve_is_for_confirmations() {
        let mut ledger = Ledger::new(100);
        ledger.plan(Slot(0), 60, Charge::Search);
        for (events, search, confirm) in
            [(30, true, true), (31, false, true), (40, false, true), (41, false, false)]
        {
            assert_eq!(
                (ledger.can_search(events), ledger.can_confirm(events)),
                (search, confirm),
                "{events}"
            );
        }
        ledger.finish(Slot(0), 10);
        assert!(ledger.can_search(80) && !ledger.is_busy());
        assert_eq!(ledger.spent(), 10, "what was not performed is free again");
    }

    #[test]
    fn phases_build_on_what_they_plan_themselves() {
        let mut ledger = Ledger::new(1_000);
        for (charge, awaits) in [(Charge::Roam, false), (Charge::Confirm, false), (Charge::Search, true)] {
            ledger.plan(Slot(0), 10, charge);
            assert_eq!((ledger.awaits(false), ledger.awaits(true)), (true, awaits), "{charge:?}");
            ledger.finish(Slot(0), 10);
            assert!(!ledger.is_busy());
        }
    }

    #[test]
    fn no_limit_is_too_large_to_count_with() {
        for (most, percent, expected) in [
            (2_000, 40, 800),
            (199, 50, 99),
            (2_305_843_009_213_693_952, 40, 922_337_203_685_477_580),
            (u64::MAX, 100, u64::MAX),
            (u64::MAX, 0, 0),
        ] {
            assert_eq!(Ledger::new(most).share(percent), expected, "{percent} % of {most}");
        }
        let mut ledger = Ledger::new(u64::MAX);
        assert!(ledger.can_search(1_000) && !ledger.can_search(u64::MAX));
        ledger.plan(Slot(0), 1_000, Charge::Search);
        assert!(!ledger.can_confirm(u64::MAX));
    }

    #[test]
    fn confirmations_do_not_crowd_out_the_search() {
        let mut ledger = Ledger::new(100_000);
        ledger.plan(Slot(0), 1_000, Charge::Search);
        // planned for findings, then whether one may go first, and once something else was planned
        for (planned, next, later) in [(500, false, true), (400, false, true), (1, false, false)] {
            ledger.plan(Slot(1), planned, Charge::Confirm);
            assert_eq!(ledger.owes_confirmation(), next, "{planned}");
            ledger.plan(Slot(2), 0, Charge::Search);
            assert_eq!(ledger.owes_confirmation(), later, "{planned}");
        }
    }
}
