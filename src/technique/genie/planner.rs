//! The planner of Genie: phases, jobs, and what is learned from them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::prefixes::Prefixes;
use super::rounds::Rounds;
use crate::GenieSettings;
use crate::explore::{Harvest, Mining, Roaming, Variety};
use crate::findings::Findings;
use crate::ledger::Ledger;
use crate::seed::Seeds;
use crate::suspects::Suspects;
use crate::{BatchDriver, Driver, ExploreDriver, Plan, Planner, Snapshot, work_plan};
use droidmux_model::{EventShape, Familiar, GuiModel};
use droidmux_record::{
    Batch, Explore, Finding, Funnel, FunnelStage, Job, JobRun, Judgement, Layouts, Phase, Progress, Purpose,
    Role, SessionDefinition, SessionId, Shrunk, Slot, Test, Work,
};

/// Plans a Genie session: mine the model, record seed tests, run their mutants, confirm.
pub struct GeniePlanner {
    pub(super) app: String,
    pub(super) settings: Arc<GenieSettings>,
    pub(super) rng: u64,
    pub(super) model: Arc<GuiModel>,
    /// What the model has read.
    pub(super) familiar: Familiar,
    phase: GeniePhase,
    pub(super) ledger: Ledger,
    pub(super) mining: Mining,
    pub(super) roaming: Roaming,
    variety: Variety,
    /// What events did to the app's data.
    pub(super) harvest: Arc<Harvest>,
    pub(super) seeds: Seeds,
    pub(super) rounds: Rounds,
    /// What the mutants of each batch under way insert.
    pub(super) inserted: BTreeMap<Slot, Vec<Box<[EventShape]>>>,
    pub(super) prefixes: Prefixes,
    pub(super) suspects: Suspects,
    pub(super) funnel: Funnel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GeniePhase {
    Mine,
    Seeds,
    Mutants,
    Confirm,
    Done,
}

impl From<GeniePhase> for Phase {
    fn from(phase: GeniePhase) -> Self {
        match phase {
            GeniePhase::Mine => Self::new("mine", "mining the model"),
            GeniePhase::Seeds => Self::new("seeds", "recording seeds"),
            GeniePhase::Mutants => Self::new("mutants", "testing mutants"),
            GeniePhase::Confirm => Self::CONFIRM,
            GeniePhase::Done => Self::DONE,
        }
    }
}

/// One in this many events of the limit may go into mining, however much is asked for.
const MINING_SHARE: u64 = 3;

impl GeniePlanner {
    /// A planner at the start of a session; `rng` seeds all its random choices.
    pub fn new(definition: &SessionDefinition, session: SessionId, rng: u64) -> Self {
        let (run, settings): (_, GenieSettings) = (&definition.run, definition.settings.of());
        let most = u64::from(settings.mine_events).min(run.max_events / MINING_SHARE);
        Self {
            app: definition.app.clone(),
            rng,
            model: Arc::new(GuiModel::new(settings.level, settings.initial_weight)),
            familiar: Familiar::default(),
            phase: GeniePhase::Mine,
            ledger: Ledger::new(run.max_events),
            mining: Mining::new(most, settings.episode_events, settings.stale_events),
            roaming: Roaming::new(run.explore_share, settings.episode_events),
            variety: Variety::new(run.revisit_share),
            harvest: Arc::default(),
            seeds: Seeds::new(&settings),
            rounds: Rounds::default(),
            inserted: BTreeMap::new(),
            prefixes: Prefixes::default(),
            suspects: Suspects::new(
                Findings::new(session, "genie", &definition.app, run.confirm, run.confirm_of),
                run.experiments,
            ),
            funnel: Funnel::default(),
            settings: Arc::new(settings),
        }
    }

    /// The GUI model mined so far.
    pub fn model(&self) -> &GuiModel {
        &self.model
    }

    /// The next work and whether it confirms a finding; `None` when there is none at the moment.
    fn next_work(&mut self, slot: Slot) -> Option<Work> {
        if (self.ledger.owes_confirmation() || self.phase == GeniePhase::Confirm)
            && let Some(work) = self.suspects.confirmation(&self.ledger)
        {
            return Some(work);
        }
        if matches!(self.phase, GeniePhase::Seeds | GeniePhase::Mutants)
            && let Some(explore) = self.roaming.plan(&self.ledger)
        {
            return Some(self.explore(explore));
        }
        loop {
            let work = match self.phase {
                GeniePhase::Mine => self.mine(),
                GeniePhase::Seeds => self.record_seed(),
                // A seed that turned out not to replay is made up for.
                GeniePhase::Mutants => self.record_seed().or_else(|| self.mutate(slot)),
                GeniePhase::Confirm | GeniePhase::Done => None,
            };
            if let Some(work) = work {
                return Some(work);
            }
            // Each phase builds on all results of the one before, but not on what is done while it waits for them.
            let begins = matches!(self.phase, GeniePhase::Mine | GeniePhase::Seeds);
            if self.ledger.awaits(begins) {
                let ahead = begins.then(|| self.roaming.ahead(&self.ledger)).flatten();
                let ahead = ahead.map(|explore| self.explore(explore));
                return ahead.or_else(|| self.suspects.confirmation(&self.ledger));
            }
            self.phase = match self.phase {
                GeniePhase::Mine => GeniePhase::Seeds,
                GeniePhase::Seeds => GeniePhase::Mutants,
                GeniePhase::Mutants => GeniePhase::Confirm,
                GeniePhase::Confirm | GeniePhase::Done => match self.suspects.confirmation(&self.ledger) {
                    Some(work) => return Some(work),
                    None => GeniePhase::Done,
                },
            };
            if self.phase == GeniePhase::Done {
                return None;
            }
        }
    }

    fn mine(&mut self) -> Option<Work> {
        let explore = self.mining.plan(&self.ledger)?;
        Some(self.explore(explore))
    }

    fn record_seed(&mut self) -> Option<Work> {
        let explore = self.seeds.plan(&self.ledger)?;
        Some(self.explore(explore))
    }

    fn explore(&mut self, explore: Explore) -> Work {
        Work::Explore(self.variety.next(explore, |events| self.ledger.can_search(events)))
    }

    fn mutate(&mut self, slot: Slot) -> Option<Work> {
        let runs = self.settings.seed_runs.max(2);
        let longest = self.seeds.longest() + u64::from(self.settings.insert_events);
        let mutants = u64::from(self.settings.batch.max(1));
        // The last batch is as large as what is left of the budget.
        let fits = (1..=mutants).rev().find(|n| self.ledger.can_search((n + u64::from(runs)) * longest))?;
        let chosen = self.rounds.batch(usize::try_from(fits).unwrap_or(1), &self.prefixes)?;
        let events = self.rounds.events(chosen.seed)?;
        let own = Test { role: Role::Seed, events: events.iter().map(|e| (**e).clone()).collect() };
        let mut tests = vec![own.clone()];
        tests.extend(chosen.tests);
        if runs > 2 {
            tests.insert(tests.len() / 2 + 1, own.clone());
        }
        tests.push(own);
        self.inserted.insert(slot, chosen.shapes);
        Some(Work::Batch(Batch { purpose: Purpose::Mutants { seed: chosen.seed }, tests }))
    }
}

impl Planner for GeniePlanner {
    fn plan(&mut self, slot: Slot) -> Plan {
        let work = self.next_work(slot);
        work_plan(slot, work, self.phase == GeniePhase::Done, self.rng, &mut self.ledger)
    }

    fn batch_driver(&self, batch: &Batch) -> Box<dyn Driver> {
        Box::new(BatchDriver::new(batch, &self.app, Some(self.settings.pivot_likeness)))
    }

    fn explore_driver(&self, job: &Job, explore: &Explore) -> Box<dyn Driver> {
        let snapshot = Snapshot {
            app: self.app.clone(),
            settings: self.settings.clone(),
            model: self.model.clone(),
            coverage: self.seeds.coverage(),
            harvest: self.harvest.clone(),
            stale: self.mining.stale(),
        };
        Box::new(ExploreDriver::new(job, explore, snapshot))
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        self.learn(run, judgement, layouts);
    }

    fn progress(&self) -> Progress {
        let limit = self.ledger.most();
        let (planned, most) = self.mining.events();
        let (done, total, unit) = match self.phase {
            GeniePhase::Mine => (planned.min(self.ledger.spent()), most, "events"),
            GeniePhase::Seeds => (self.seeds.kept().into(), self.settings.seeds.into(), "seeds"),
            GeniePhase::Mutants => {
                (self.funnel.executed, self.funnel.executed + self.rounds.waiting(), "mutants")
            }
            GeniePhase::Confirm | GeniePhase::Done => self.suspects.settled(),
        };
        let funnel =
            self.suspects.funnel(Funnel { seeds_dropped: self.seeds.dropped().into(), ..self.funnel });
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Progress {
            phase: self.phase.into(),
            done,
            total,
            unit: unit.to_owned(),
            events: self.ledger.spent(),
            max_events: limit,
            states: count(self.model.state_count()),
            transitions: count(self.model.transition_count()),
            stages: stages(&funnel),
            summary: vec![summary(&funnel)],
            funnel,
            ..Progress::default()
        }
    }

    fn findings(&self) -> Vec<Finding> {
        self.suspects.findings.ranked()
    }

    fn shrunk(&self) -> Vec<Shrunk> {
        self.suspects.shrunk()
    }

    fn version(&self) -> u32 {
        4
    }
}

fn stages(funnel: &Funnel) -> Vec<FunnelStage> {
    FunnelStage::list(
        &[
            ("seeds", funnel.seeds),
            ("mutants", funnel.generated),
            ("run", funnel.executed),
            ("dropped", funnel.dropped),
            ("unmasked", funnel.unmasked),
            ("violations", funnel.violations),
            ("distinct", funnel.distinct),
            ("once", funnel.once_only),
            ("confirmed", funnel.confirmed),
            (FunnelStage::MARKED_TRUE, funnel.marked_true),
        ],
        &["unmasked", "once", "dropped", "seeds", FunnelStage::MARKED_TRUE, "distinct", "confirmed"],
    )
}

fn summary(f: &Funnel) -> String {
    format!(
        "mutants: {} generated, {} executed, {} dropped, {} unmasked violations, {} after masks, {} distinct, {} seen once",
        f.generated, f.executed, f.dropped, f.unmasked, f.violations, f.distinct, f.once_only
    )
}
