//! Exploration to learn a model: how much of it, and of which kind.

use crate::ledger::Ledger;
use droidmux_model::Learned;
use droidmux_record::{Choice, Explore, Goal};

/// Model mining by exploration, as far as it is planned.
#[derive(Clone, Debug)]
pub struct Mining {
    /// Events planned, and jobs.
    events: u64,
    jobs: u64,
    /// The limit on events, and that it may be one in so many of the session's.
    most: u64,
    part: u64,
    /// Events of one job.
    episode: u64,
    /// After this many events without anything new, choice becomes random.
    patience: u32,
    /// Events in a row that taught nothing.
    stale: u32,
}

impl Mining {
    /// Nothing planned yet: `most` events, but no more than one in `part` of the session's.
    pub fn new(most: u32, part: u64, episode: u32, patience: u32) -> Self {
        let (most, part) = (most.into(), part.max(1));
        Self { events: 0, jobs: 0, most, part, episode: episode.into(), patience, stale: 0 }
    }

    /// The next exploration: systematic for the first half, then alternating with random choice;
    /// random as soon as nothing new has been learned for a long time. `None` when there has been
    /// enough.
    pub fn plan(&mut self, ledger: &Ledger) -> Option<Explore> {
        let most = self.most(ledger);
        let events = most.saturating_sub(self.events).min(self.episode);
        if events == 0 || !ledger.can_search(events) {
            return None;
        }
        let alternates = self.events >= most / 2;
        let random = self.stale >= self.patience || (alternates && self.jobs % 2 == 1);
        self.events += events;
        self.jobs += 1;
        let choice = if random { Choice::Random } else { Choice::Systematic };
        let events = u32::try_from(events).unwrap_or(u32::MAX);
        Some(Explore::new(Goal::Mine, choice, events))
    }

    /// Notes what an exploration taught.
    pub fn learn(&mut self, learned: Learned) {
        let stale = if learned.any { 0 } else { self.stale };
        self.stale = stale.saturating_add(learned.stale);
    }

    pub fn stale(&self) -> u32 {
        self.stale
    }

    /// Events planned, and the limit on them.
    pub fn events(&self, ledger: &Ledger) -> (u64, u64) {
        (self.events, self.most(ledger).max(self.events))
    }

    fn most(&self, ledger: &Ledger) -> u64 {
        // Where time is short, what was explored is to be used, too.
        let in_time = ledger.forecast().map_or(u64::MAX, |events| events / self.part.max(2));
        self.most.min(ledger.most() / self.part).min(in_time)
    }
}
