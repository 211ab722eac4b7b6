//! The hunt of Genie: its phases and their jobs.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::prefixes::Prefixes;
use super::rounds::Rounds;
use crate::explore::{Coverage, Exploration};
use crate::hunt::{Hunt, HuntPlanner};
use crate::ledger::Ledger;
use crate::phases::{Phases, Reached};
use crate::seed::{Frame, Seeds};
use crate::{BatchDriver, Driver, GenieSettings};
use droidmux_model::EventShape;
use droidmux_record::{
    Batch, Funnel, FunnelStage, JobRun, Judgement, Layouts, Phase, Progress, SessionDefinition, SessionId,
    Slot, Work,
};

/// Plans a Genie session: mine the model, record seed tests, run their mutants, confirm.
pub type GeniePlanner = HuntPlanner<GenieHunt>;

/// Mines the model, records seed tests and runs their mutants.
pub struct GenieHunt {
    pub(super) rng: u64,
    pub(super) exploration: Exploration,
    pub(super) seeds: Seeds,
    frame: Frame,
    pub(super) rounds: Rounds,
    /// What the mutants of each batch under way insert.
    pub(super) inserted: BTreeMap<Slot, Vec<Box<[EventShape]>>>,
    pub(super) prefixes: Prefixes,
    pub(super) funnel: Funnel,
}

/// The phases of Genie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeniePhase {
    /// Mining the model.
    Mine,
    /// Recording seeds.
    Seeds,
    /// Running their mutants.
    Mutants,
}

impl From<GeniePhase> for Phase {
    fn from(phase: GeniePhase) -> Self {
        match phase {
            GeniePhase::Mine => Self::new("mine", "mining the model"),
            GeniePhase::Seeds => Self::new("seeds", "recording seeds"),
            GeniePhase::Mutants => Self::new("mutants", "testing mutants"),
        }
    }
}

impl GenieHunt {
    pub(super) fn settings(&self) -> &GenieSettings {
        self.exploration.settings()
    }

    fn record_seed(&mut self, ledger: &Ledger) -> Option<Work> {
        let explore = self.seeds.plan(ledger)?;
        Some(self.exploration.work(explore, ledger))
    }

    fn mutate(&mut self, slot: Slot, ledger: &Ledger) -> Option<Work> {
        let longest = self.seeds.longest() + u64::from(self.settings().insert_events);
        let fits = self.frame.fits(longest, ledger)?;
        let chosen = self.rounds.batch(fits, &self.prefixes)?;
        let events = self.rounds.events(chosen.seed)?;
        let work = self.frame.batch(chosen.seed, events, chosen.tests);
        self.inserted.insert(slot, chosen.shapes);
        Some(work)
    }
}

impl Phases for GenieHunt {
    type Phase = GeniePhase;

    fn work(&mut self, phase: &GeniePhase, slot: Slot, ledger: &Ledger) -> Option<Work> {
        match phase {
            GeniePhase::Mine => self.exploration.mine(ledger),
            GeniePhase::Seeds => self.record_seed(ledger),
            // A seed that turned out not to replay is made up for.
            GeniePhase::Mutants => self.record_seed(ledger).or_else(|| self.mutate(slot, ledger)),
        }
    }

    fn after(&mut self, phase: &GeniePhase, _slot: Slot) -> Option<GeniePhase> {
        match phase {
            GeniePhase::Mine => Some(GeniePhase::Seeds),
            GeniePhase::Seeds => Some(GeniePhase::Mutants),
            GeniePhase::Mutants => None,
        }
    }

    fn stands_alone(&self, phase: &GeniePhase) -> bool {
        *phase != GeniePhase::Mutants
    }

    fn beside(&mut self, phase: &GeniePhase, ledger: &Ledger) -> Option<Work> {
        if *phase == GeniePhase::Mine { None } else { self.exploration.roam(ledger) }
    }

    fn meanwhile(&mut self, ledger: &Ledger) -> Option<Work> {
        self.exploration.roam_ahead(ledger)
    }
}

impl Hunt for GenieHunt {
    const FIRST: GeniePhase = GeniePhase::Mine;
    const VERSION: u32 = 19;

    fn new(definition: &SessionDefinition, _session: SessionId, rng: u64) -> Self {
        let settings: GenieSettings = definition.settings.of();
        Self {
            rng,
            seeds: Seeds::new(&settings),
            frame: Frame::new(settings.batch, settings.seed_runs),
            rounds: Rounds::default(),
            inserted: BTreeMap::new(),
            prefixes: Prefixes::default(),
            funnel: Funnel::default(),
            exploration: Exploration::for_seeds(definition, settings),
        }
    }

    fn exploration(&self) -> &Exploration {
        &self.exploration
    }

    fn coverage(&self) -> Arc<Coverage> {
        self.seeds.coverage()
    }

    fn batch_driver(&self, batch: &Batch) -> Box<dyn Driver> {
        let likeness = self.settings().pivot_likeness;
        Box::new(BatchDriver::new(batch, self.exploration.app(), Some(likeness)))
    }

    fn learn(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        self.learn_from(run, judgement, layouts);
    }

    fn reached(&self, phase: &GeniePhase, ledger: &Ledger) -> Reached {
        match phase {
            GeniePhase::Mine => self.exploration.mined(ledger),
            GeniePhase::Seeds => (self.seeds.kept().into(), self.settings().seeds.into(), "seeds"),
            GeniePhase::Mutants => {
                (self.funnel.executed, self.funnel.executed + self.rounds.waiting(), "mutants")
            }
        }
    }

    fn funnel(&self) -> Funnel {
        Funnel { seeds_dropped: self.seeds.dropped().into(), ..self.funnel }
    }

    fn told(&self, _phase: Option<&GeniePhase>, progress: Progress) -> Progress {
        let funnel = &progress.funnel;
        Progress { stages: stages(funnel), summary: summary(funnel), ..progress }
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

fn summary(f: &Funnel) -> Vec<String> {
    let mutants = format!(
        "mutants: {} generated, {} executed, {} dropped, {} unmasked violations, {} after masks, {} distinct, {} seen once",
        f.generated, f.executed, f.dropped, f.unmasked, f.violations, f.distinct, f.once_only
    );
    let cuts: Vec<String> =
        f.cuts.causes().iter().map(|(cause, number)| format!("{cause} {number}")).collect();
    let cuts = (!cuts.is_empty()).then(|| format!("mutants dropped by: {}", cuts.join(", ")));
    std::iter::once(mutants).chain(cuts).collect()
}
