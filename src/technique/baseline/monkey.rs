//! Monkey: random events that can find only crashes and ANRs.

use std::sync::Arc;

use crate::explore::Variety;
use crate::{
    BatchDriver, Driver, ExploreDriver, GenieSettings, Plan, Planner, Search, Snapshot, TechniqueEntry, Uses,
};
use droidmux_model::GuiModel;
use droidmux_record::{
    Batch, Choice, Explore, Finding, Funnel, FunnelStage, Goal, Job, JobRun, Judgement, Layouts, Phase,
    Progress, SessionDefinition, SessionId, SettingsKind, Shrunk, Slot, Work,
};

/// Monkey in the table of techniques.
pub static MONKEY: TechniqueEntry = TechniqueEntry {
    name: "monkey",
    what: "crashes and hangs: random events",
    settings: &[SettingsKind::of::<GenieSettings>()],
    uses: Uses { visits: true, restarts: true, ..Uses::NOTHING },
    needs: None,
    inputs: None,
    planner: |definition, session, rng| Box::new(MonkeyPlanner::new(definition, session, rng)),
    oracle: None,
    player: |batch, definition| Box::new(BatchDriver::new(batch, &definition.app, None)),
    check: |definition| GenieSettings::unused(definition, OF_GENIE),
};

/// What it uses of Genie's settings: those for random choice.
const OF_GENIE: &[&str] = &["episode-events", "random-click", "random-long-click", "random-navigation"];

/// Plans tests of random events until the limit, and confirms what crashed.
///
/// It learns nothing: every test chooses as the first one did.
pub struct MonkeyPlanner {
    app: String,
    /// The shares of event types, and the events of a test.
    settings: Arc<GenieSettings>,
    search: Search,
    variety: Variety,
}

impl MonkeyPlanner {
    /// A planner at the start of a session; `rng` seeds all its random choices.
    pub fn new(definition: &SessionDefinition, session: SessionId, rng: u64) -> Self {
        let phase = Phase::new("mine", "trying random events");
        Self {
            app: definition.app.clone(),
            settings: Arc::new(definition.settings.of()),
            search: Search::new(definition, session, rng, phase),
            variety: Variety::new(definition.run.revisit_share),
        }
    }
}

impl Planner for MonkeyPlanner {
    fn plan(&mut self, slot: Slot) -> Plan {
        let events = self.settings.episode_events.max(1);
        let test = Explore::new(Goal::Mine, Choice::Random, events);
        let has_room = self.search.has_room(test.most_events() + u64::from(Explore::VISIT));
        let variety = &mut self.variety;
        self.search.plan(slot, || Some(Work::Explore(variety.next(test, |_| has_room))))
    }

    fn batch_driver(&self, batch: &Batch) -> Box<dyn Driver> {
        Box::new(BatchDriver::new(batch, &self.app, None))
    }

    fn explore_driver(&self, job: &Job, explore: &Explore) -> Box<dyn Driver> {
        let genie = &self.settings;
        let snapshot = Snapshot {
            app: self.app.clone(),
            settings: genie.clone(),
            model: Arc::new(GuiModel::new(genie.level, genie.initial_weight)),
            coverage: Arc::default(),
            questions: Arc::default(),
            harvest: Arc::default(),
            stale: 0,
            spread: None,
        };
        Box::new(ExploreDriver::new(job, explore, snapshot))
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        self.search.absorb(run, judgement, layouts);
    }

    fn stop_searching(&mut self) {
        self.search.stop_searching();
    }

    fn progress(&self) -> Progress {
        let progress = self.search.progress(Funnel::default());
        let funnel = &progress.funnel;
        let stages =
            [("crashes", funnel.distinct), ("once", funnel.once_only), ("confirmed", funnel.confirmed)];
        let summary = format!("crashes: {} distinct, {} seen once", funnel.distinct, funnel.once_only);
        Progress { stages: FunnelStage::list(&stages, &[]), summary: vec![summary], ..progress }
    }

    fn findings(&self) -> Vec<Finding> {
        self.search.findings()
    }

    fn shrunk(&self) -> Vec<Shrunk> {
        self.search.shrunk()
    }

    fn version(&self) -> u32 {
        11
    }
}
