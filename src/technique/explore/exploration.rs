//! Exploration as a session plans it: how much of each kind, what it taught, and what its drivers set out with.

use std::sync::Arc;

use super::mining::Mining;
use super::roaming::Roaming;
use super::variety::Variety;
use super::{Coverage, ExploreDriver, GenieSettings, Harvest, Snapshot};
use crate::Driver;
use crate::ledger::Ledger;
use crate::questions::Questions;
use droidmux_model::{Familiar, GuiModel, Learned};
use droidmux_record::{Explore, Goal, Job, JobRun, Layouts, SessionDefinition, Work};

/// What the explorations of a session are, and what they taught.
#[derive(Clone, Debug)]
pub struct Exploration {
    app: String,
    settings: Arc<GenieSettings>,
    model: Arc<GuiModel>,
    /// What the model has read.
    familiar: Familiar,
    /// What events did to the app's data.
    harvest: Arc<Harvest>,
    mining: Mining,
    roaming: Roaming,
    variety: Variety,
    /// Variants of a page on which an event is tried before it waits on the others; `None` where it never waits.
    spread: Option<u32>,
}

/// With a model that is mined for seeds, an event is tried on so many variants of a page: that is enough to know ways.
const SPREAD: u32 = 2;

/// One in this many events of the session may go into mining for seeds, however much is asked for.
const MINING_SHARE: u64 = 3;

impl Exploration {
    /// Nothing explored yet, where seed tests are to be recorded with the model.
    pub fn for_seeds(definition: &SessionDefinition, settings: GenieSettings) -> Self {
        let mining =
            Mining::new(settings.mine_events, MINING_SHARE, settings.episode_events, settings.stale_events);
        Self { spread: Some(SPREAD), ..Self::with(definition, settings, mining) }
    }

    /// Nothing explored yet, where the same event is to be seen on as many variants of a page as there are. The model is
    /// mined with `most` events, if the session has so many, or with half of those that it has time for, in jobs of
    /// `episode` each.
    pub fn new(definition: &SessionDefinition, settings: GenieSettings, most: u32, episode: u32) -> Self {
        let mining = Mining::new(most, 1, episode, settings.stale_events);
        Self::with(definition, settings, mining)
    }

    fn with(definition: &SessionDefinition, settings: GenieSettings, mining: Mining) -> Self {
        let run = &definition.run;
        Self {
            app: definition.app.clone(),
            model: Arc::new(GuiModel::new(settings.level, settings.initial_weight)),
            familiar: Familiar::default(),
            harvest: Arc::default(),
            mining,
            roaming: Roaming::new(run.explore_share, settings.episode_events),
            variety: Variety::new(run.revisit_share),
            settings: Arc::new(settings),
            spread: None,
        }
    }

    /// The package of the app under test.
    pub fn app(&self) -> &str {
        &self.app
    }

    /// What exploration goes by.
    pub fn settings(&self) -> &GenieSettings {
        &self.settings
    }

    /// The GUI model mined so far.
    pub fn model(&self) -> &GuiModel {
        &self.model
    }

    /// The next exploration that mines the model; `None` when there has been enough.
    pub fn mine(&mut self, ledger: &Ledger) -> Option<Work> {
        let explore = self.mining.plan(ledger)?;
        Some(self.work(explore, ledger))
    }

    /// The next exploration that changes data, if one is due.
    pub fn roam(&mut self, ledger: &Ledger) -> Option<Work> {
        let explore = self.roaming.plan(ledger)?;
        Some(self.work(explore, ledger))
    }

    /// One before it is due.
    pub fn roam_ahead(&mut self, ledger: &Ledger) -> Option<Work> {
        let explore = self.roaming.ahead(ledger)?;
        Some(self.work(explore, ledger))
    }

    /// The work of an exploration that something else planned, one kind after the other.
    pub fn work(&mut self, explore: Explore, ledger: &Ledger) -> Work {
        Work::Explore(self.variety.next(explore, |events| ledger.can_search(events)))
    }

    /// The driver of an exploration. Of earlier seed tests it knows what they covered, for a further one to do something else;
    /// of all jobs, what questions are open.
    pub fn driver(
        &self,
        job: &Job,
        explore: &Explore,
        coverage: Arc<Coverage>,
        questions: Arc<Questions>,
    ) -> Box<dyn Driver> {
        let snapshot = Snapshot {
            app: self.app.clone(),
            settings: self.settings.clone(),
            model: self.model.clone(),
            coverage,
            questions,
            harvest: self.harvest.clone(),
            stale: self.mining.stale(),
            spread: self.spread,
        };
        Box::new(ExploreDriver::new(job, explore, snapshot))
    }

    /// Learns the model from a job of another session.
    pub fn take_in(&mut self, run: &JobRun, layouts: &dyn Layouts) -> Learned {
        Arc::make_mut(&mut self.model).absorb(run, &mut self.familiar, layouts)
    }

    /// Learns the model from a finished job, whatever its work was.
    pub fn learn(&mut self, run: &JobRun, layouts: &dyn Layouts) {
        let learned = self.take_in(run, layouts);
        if matches!(run.job.work, Work::Explore(Explore { goal: Goal::Mine, .. })) {
            self.mining.learn(learned);
        }
    }

    /// Learns from a finished exploration what events do to the app's data. Returns up to which event, from 1, it changed
    /// data in ways that none had before.
    pub fn harvest(&mut self, run: &JobRun, layouts: &dyn Layouts) -> Option<usize> {
        Arc::make_mut(&mut self.harvest).absorb(run, layouts)
    }

    /// Events mined, and to be mined.
    pub fn mined(&self, ledger: &Ledger) -> (u64, u64, &'static str) {
        let (planned, most) = self.mining.events(ledger);
        (planned.min(ledger.spent()), most, "events")
    }
}
