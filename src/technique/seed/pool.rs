//! The seeds of a session: how many are wanted, which there are.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Recording;
use super::recording::Course;
use crate::GenieSettings;
use crate::explore::{Coverage, Exploration};
use crate::ledger::Ledger;
use droidmux_model::GuiModel;
use droidmux_record::{Choice, Explore, Goal, JobRun, Layouts};

/// The seeds recorded so far.
#[derive(Clone, Debug)]
pub struct Seeds {
    /// Wanted for their own sake, and events of each at most.
    wanted: u32,
    events: u32,
    tried: u32,
    under_way: u32,
    recorded: u32,
    /// Taken from explorations with another goal.
    adopted: u32,
    dropped: u32,
    /// Events of the longest.
    longest: usize,
    courses: BTreeSet<Course>,
    coverage: Arc<Coverage>,
}

/// Attempts at a seed test for each one wanted.
const TRIES: u32 = 3;

/// An adopted seed may have this many times the events of one recorded for its own sake.
const LONGER: usize = 2;

impl Seeds {
    /// No seeds; `settings` say how many of which length.
    pub fn new(settings: &GenieSettings) -> Self {
        Self {
            wanted: settings.seeds,
            events: settings.seed_events.max(2),
            tried: 0,
            under_way: 0,
            recorded: 0,
            adopted: 0,
            dropped: 0,
            longest: 0,
            courses: BTreeSet::new(),
            coverage: Arc::default(),
        }
    }

    /// An exploration that records a seed; `None` when enough are there or under way, or for want of budget.
    pub fn plan(&mut self, ledger: &Ledger) -> Option<Explore> {
        let in_use = self.recorded.saturating_sub(self.dropped);
        let enough = in_use + self.under_way >= self.wanted;
        if enough || self.tried >= self.wanted.saturating_mul(TRIES) || !ledger.can_search(self.events.into())
        {
            return None;
        }
        self.tried += 1;
        self.under_way += 1;
        Some(Explore::new(Goal::Seed, Choice::Systematic, self.events))
    }

    /// Keeps what an exploration with this goal recorded, if it is worth a seed; `fresh` is the event, from 1, up to
    /// which it changed data in ways that none had before. Returns the seed's number, from 0.
    pub fn take(
        &mut self,
        run: &JobRun,
        goal: Goal,
        fresh: Option<usize>,
        exploration: &Exploration,
        layouts: &dyn Layouts,
    ) -> Option<(u32, Recording)> {
        let (app, model) = (exploration.app(), exploration.model());
        match goal {
            Goal::Mine => None,
            Goal::Seed => self.absorb(run, app, model, layouts),
            Goal::Roam => self.adopt(run, fresh?, app, model, layouts),
        }
    }

    /// Keeps a recorded test when more are wanted and it is not one of those already there; returns its number, from 0.
    fn absorb(
        &mut self,
        run: &JobRun,
        app: &str,
        model: &GuiModel,
        layouts: &dyn Layouts,
    ) -> Option<(u32, Recording)> {
        self.under_way = self.under_way.saturating_sub(1);
        if self.recorded.saturating_sub(self.dropped) >= self.wanted {
            return None;
        }
        let recording = Recording::read(run, app, model, layouts)?;
        let number = self.keep(&recording)?;
        self.recorded += 1;
        Some((number, recording))
    }

    /// Keeps a test of an exploration with another goal, up to its event number `events`, from 1; at most half
    /// of the seeds wanted are adopted, rounded up.
    fn adopt(
        &mut self,
        run: &JobRun,
        events: usize,
        app: &str,
        model: &GuiModel,
        layouts: &dyn Layouts,
    ) -> Option<(u32, Recording)> {
        let most = LONGER * usize::try_from(self.events).unwrap_or(usize::MAX);
        if events > most || self.adopted >= self.wanted.div_ceil(2) {
            return None;
        }
        let recording = Recording::read_first(run, events, app, model, layouts)?;
        let number = self.keep(&recording)?;
        self.adopted += 1;
        Some((number, recording))
    }

    fn keep(&mut self, recording: &Recording) -> Option<u32> {
        if !self.courses.insert(recording.course()) {
            return None;
        }
        let coverage = Arc::make_mut(&mut self.coverage);
        for (activity, shape) in recording.deeds() {
            coverage.count(activity, shape);
        }
        self.longest = self.longest.max(recording.steps.len());
        Some(self.recorded + self.adopted)
    }

    /// Notes that a seed is left out: it does not replay.
    pub fn drop_one(&mut self) {
        self.dropped += 1;
    }

    /// How many were kept, including those left out later.
    pub fn kept(&self) -> u32 {
        self.recorded + self.adopted
    }

    /// How many were left out later.
    pub fn dropped(&self) -> u32 {
        self.dropped
    }

    /// Events of the longest.
    pub fn longest(&self) -> u64 {
        self.longest as u64
    }

    /// What the seeds did, and how many of them.
    pub fn coverage(&self) -> Arc<Coverage> {
        self.coverage.clone()
    }
}
