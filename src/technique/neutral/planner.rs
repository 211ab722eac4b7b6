//! The hunt of neutral insertions: its phases, their jobs, and what is learned from them.

use std::sync::Arc;

use super::insertion::{RoundTrips, insertions, kind_of};
use super::rounds::Rounds;
use crate::explore::{Coverage, Exploration};
use crate::hunt::{Hunt, HuntPlanner};
use crate::ledger::Ledger;
use crate::phases::{Phases, Reached};
use crate::seed::{Frame, Recording, Seeds};
use crate::{BatchDriver, Driver, GenieSettings, NeutralSettings};
use droidmux_record::{
    Batch, Failure, Funnel, FunnelStage, JobRun, Judgement, Layouts, Outcome, Phase, Progress, Purpose, Role,
    SessionDefinition, SessionId, Slot, Test, Work,
};

/// Plans a session: mine the model, record seed tests, insert, confirm.
pub type NeutralPlanner = HuntPlanner<NeutralHunt>;

/// Mines the model, records seed tests and inserts into them.
pub struct NeutralHunt {
    settings: NeutralSettings,
    exploration: Exploration,
    seeds: Seeds,
    frame: Frame,
    rounds: Rounds,
    funnel: Funnel,
}

/// The phases of neutral insertions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeutralPhase {
    /// Mining the model.
    Mine,
    /// Recording seeds.
    Seeds,
    /// Inserting into them.
    Insert,
}

impl From<NeutralPhase> for Phase {
    fn from(phase: NeutralPhase) -> Self {
        match phase {
            NeutralPhase::Mine => Self::new("mine", "mining the model"),
            NeutralPhase::Seeds => Self::new("seeds", "recording seeds"),
            NeutralPhase::Insert => Self::new("insert", "inserting what is neutral"),
        }
    }
}

/// Events of the longest insertion.
const LONGEST: u64 = 3;

impl NeutralHunt {
    fn record_seed(&mut self, ledger: &Ledger) -> Option<Work> {
        let explore = self.seeds.plan(ledger)?;
        Some(self.exploration.work(explore, ledger))
    }

    fn insert(&mut self, ledger: &Ledger) -> Option<Work> {
        let fits = self.frame.fits(self.seeds.longest() + LONGEST, ledger)?;
        let chosen = self.rounds.batch(fits)?;
        Some(self.frame.batch(chosen.seed, &chosen.events, chosen.tests))
    }

    fn add_seed(&mut self, number: u32, recording: &Recording) {
        let model = self.exploration.model();
        let trips = RoundTrips::of(model);
        let inserted = |step| insertions(step, model, &trips, &self.settings);
        let positions = recording.steps.iter().map(inserted).collect();
        self.funnel.seeds += 1;
        self.funnel.generated += self.rounds.add(number, &recording.steps, positions);
    }

    /// Counts what ran, leaves out seeds that do not replay, and learns what devices cannot do.
    fn absorb_mutants(&mut self, seed: u32, run: &JobRun, tests: &[Test]) {
        for trace in run.traces() {
            let Some(test) = tests.get(usize::from(trace.test)) else { continue };
            let lost = |failure: &Failure| *failure != Failure::TimedOut;
            let lost = trace.steps.iter().position(|step| step.after.is_err_and(lost));
            let Role::Mutant(insertion) = test.role else {
                if lost.is_some() && self.rounds.drop_seed(seed) {
                    self.seeds.drop_one();
                }
                continue;
            };
            self.funnel.executed += 1;
            let first = usize::from(insertion.pivot).saturating_sub(1);
            let end = first + usize::from(insertion.length);
            let through = trace.steps.iter().take(end).filter(|step| step.after.is_ok()).count() == end;
            self.funnel.dropped += u64::from(!through);
            let failed = lost.is_some_and(|at| (first..end).contains(&at));
            let inserted = test.events.iter().skip(first).take(end - first);
            if let Some(kind) = kind_of(inserted).filter(|_| through || failed) {
                self.rounds.ended(kind, through);
            }
        }
    }
}

impl Phases for NeutralHunt {
    type Phase = NeutralPhase;

    fn work(&mut self, phase: &NeutralPhase, _slot: Slot, ledger: &Ledger) -> Option<Work> {
        match phase {
            NeutralPhase::Mine => self.exploration.mine(ledger),
            NeutralPhase::Seeds => self.record_seed(ledger),
            // A seed that turned out not to replay is made up for.
            NeutralPhase::Insert => self.record_seed(ledger).or_else(|| self.insert(ledger)),
        }
    }

    fn after(&mut self, phase: &NeutralPhase, _slot: Slot) -> Option<NeutralPhase> {
        match phase {
            NeutralPhase::Mine => Some(NeutralPhase::Seeds),
            NeutralPhase::Seeds => Some(NeutralPhase::Insert),
            NeutralPhase::Insert => None,
        }
    }

    fn stands_alone(&self, phase: &NeutralPhase) -> bool {
        *phase != NeutralPhase::Insert
    }

    fn beside(&mut self, phase: &NeutralPhase, ledger: &Ledger) -> Option<Work> {
        if *phase == NeutralPhase::Mine { None } else { self.exploration.roam(ledger) }
    }

    fn meanwhile(&mut self, ledger: &Ledger) -> Option<Work> {
        self.exploration.roam_ahead(ledger)
    }
}

impl Hunt for NeutralHunt {
    const FIRST: NeutralPhase = NeutralPhase::Mine;
    const VERSION: u32 = 17;

    fn new(definition: &SessionDefinition, _session: SessionId, _rng: u64) -> Self {
        let (settings, genie): (NeutralSettings, GenieSettings) =
            (definition.settings.of(), definition.settings.of());
        Self {
            seeds: Seeds::new(&genie),
            frame: Frame::new(settings.batch, genie.seed_runs),
            rounds: Rounds::new(settings.rounds),
            funnel: Funnel::default(),
            exploration: Exploration::for_seeds(definition, genie),
            settings,
        }
    }

    fn exploration(&self) -> &Exploration {
        &self.exploration
    }

    fn coverage(&self) -> Arc<Coverage> {
        self.seeds.coverage()
    }

    fn batch_driver(&self, batch: &Batch) -> Box<dyn Driver> {
        Box::new(BatchDriver::new(batch, self.exploration.app(), None))
    }

    fn learn(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        match &run.job.work {
            Work::Explore(explore) => {
                self.exploration.learn(run, layouts);
                let fresh = self.exploration.harvest(run, layouts);
                let kept = self.seeds.take(run, explore.goal, fresh, &self.exploration, layouts);
                if let Some((number, recording)) = kept {
                    self.add_seed(number, &recording);
                }
            }
            Work::Batch(Batch { purpose: Purpose::Mutants { seed }, tests }) => {
                self.absorb_mutants(*seed, run, tests);
                let violations = judgement.verdicts.iter().filter(|v| v.outcome == Outcome::Violation);
                self.funnel.violations += violations.filter(|v| v.oracle == "neutral").count() as u64;
                self.funnel.unmasked += u64::from(judgement.unmasked);
            }
            Work::Batch(_) | Work::Errand(_) => {}
        }
    }

    fn reached(&self, phase: &NeutralPhase, ledger: &Ledger) -> Reached {
        match phase {
            NeutralPhase::Mine => self.exploration.mined(ledger),
            NeutralPhase::Seeds => {
                (self.seeds.kept().into(), self.exploration.settings().seeds.into(), "seeds")
            }
            NeutralPhase::Insert => {
                (self.funnel.executed, self.funnel.executed + self.rounds.waiting(), "mutants")
            }
        }
    }

    fn funnel(&self) -> Funnel {
        Funnel { seeds_dropped: self.seeds.dropped().into(), ..self.funnel }
    }

    fn told(&self, _phase: Option<&NeutralPhase>, progress: Progress) -> Progress {
        let funnel = &progress.funnel;
        Progress { stages: stages(funnel), summary: vec![summary(funnel)], ..progress }
    }
}

fn stages(funnel: &Funnel) -> Vec<FunnelStage> {
    FunnelStage::list(
        &[
            ("seeds", funnel.seeds),
            ("mutants", funnel.generated),
            ("run", funnel.executed),
            ("dropped", funnel.dropped),
            ("violations", funnel.violations),
            ("distinct", funnel.distinct),
            ("confirmed", funnel.confirmed),
            (FunnelStage::MARKED_TRUE, funnel.marked_true),
        ],
        &["dropped", "seeds", FunnelStage::MARKED_TRUE, "distinct", "confirmed"],
    )
}

fn summary(f: &Funnel) -> String {
    format!(
        "neutral insertions: {} generated, {} executed, {} dropped, {} that changed something, {} distinct, {} seen once",
        f.generated, f.executed, f.dropped, f.violations, f.distinct, f.once_only
    )
}
