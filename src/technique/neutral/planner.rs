//! The planner of neutral insertions: phases, jobs, and what is learned from them.

use std::sync::Arc;

use super::insertion::{RoundTrips, insertions, kind_of};
use super::rounds::Rounds;
use crate::explore::{Harvest, Mining, Roaming, Variety};
use crate::findings::Findings;
use crate::ledger::Ledger;
use crate::seed::{Recording, Seeds};
use crate::suspects::Suspects;
use crate::{BatchDriver, Driver, ExploreDriver, Plan, Planner, Snapshot, work_plan};
use crate::{GenieSettings, NeutralSettings};
use droidmux_model::{Familiar, GuiModel};
use droidmux_record::{
    Batch, Explore, Failure, Finding, Funnel, FunnelStage, Goal, Job, JobRun, Judgement, Layouts, Outcome,
    Phase, Progress, Purpose, Role, SessionDefinition, SessionId, Shrunk, Slot, Test, Work,
};

/// Plans a session: mine the model, record seed tests, insert, confirm.
pub struct NeutralPlanner {
    app: String,
    settings: NeutralSettings,
    /// How mining and seeds choose events.
    genie: Arc<GenieSettings>,
    rng: u64,
    model: Arc<GuiModel>,
    /// What the model has read.
    familiar: Familiar,
    phase: NeutralPhase,
    ledger: Ledger,
    mining: Mining,
    roaming: Roaming,
    variety: Variety,
    /// What events did to the app's data.
    harvest: Arc<Harvest>,
    seeds: Seeds,
    rounds: Rounds,
    suspects: Suspects,
    funnel: Funnel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NeutralPhase {
    Mine,
    Seeds,
    Insert,
    Confirm,
    Done,
}

impl From<NeutralPhase> for Phase {
    fn from(phase: NeutralPhase) -> Self {
        match phase {
            NeutralPhase::Mine => Self::new("mine", "mining the model"),
            NeutralPhase::Seeds => Self::new("seeds", "recording seeds"),
            NeutralPhase::Insert => Self::new("insert", "inserting what is neutral"),
            NeutralPhase::Confirm => Self::CONFIRM,
            NeutralPhase::Done => Self::DONE,
        }
    }
}

/// One in this many events of the limit may go into mining, however much is asked for.
const MINING_SHARE: u64 = 3;

/// Events of the longest insertion.
const LONGEST: u64 = 3;

impl NeutralPlanner {
    /// A planner at the start of a session; `rng` seeds all its random choices.
    pub fn new(definition: &SessionDefinition, session: SessionId, rng: u64) -> Self {
        let (run, genie): (_, GenieSettings) = (&definition.run, definition.settings.of());
        let settings: NeutralSettings = definition.settings.of();
        let most = u64::from(genie.mine_events).min(run.max_events / MINING_SHARE);
        let findings = Findings::new(session, "neutral", &definition.app, run.confirm, run.confirm_of);
        Self {
            app: definition.app.clone(),
            rng,
            model: Arc::new(GuiModel::new(genie.level, genie.initial_weight)),
            familiar: Familiar::default(),
            phase: NeutralPhase::Mine,
            ledger: Ledger::new(run.max_events),
            mining: Mining::new(most, genie.episode_events, genie.stale_events),
            roaming: Roaming::new(run.explore_share, genie.episode_events),
            variety: Variety::new(run.revisit_share),
            harvest: Arc::default(),
            seeds: Seeds::new(&genie),
            rounds: Rounds::new(settings.rounds),
            suspects: Suspects::new(findings, run.experiments),
            funnel: Funnel::default(),
            genie: Arc::new(genie),
            settings,
        }
    }

    /// The next work; `None` when there is none for this slot.
    fn next_work(&mut self) -> Option<Work> {
        if (self.ledger.owes_confirmation() || self.phase == NeutralPhase::Confirm)
            && let Some(work) = self.suspects.confirmation(&self.ledger)
        {
            return Some(work);
        }
        if matches!(self.phase, NeutralPhase::Seeds | NeutralPhase::Insert)
            && let Some(explore) = self.roaming.plan(&self.ledger)
        {
            return Some(self.explore(explore));
        }
        loop {
            let work = match self.phase {
                NeutralPhase::Mine => self.mine(),
                NeutralPhase::Seeds => self.record_seed(),
                // A seed that turned out not to replay is made up for.
                NeutralPhase::Insert => self.record_seed().or_else(|| self.insert()),
                NeutralPhase::Confirm => self.suspects.confirmation(&self.ledger),
                NeutralPhase::Done => None,
            };
            if let Some(work) = work {
                return Some(work);
            }
            // Each phase builds on all results of the one before, but not on what is done while it waits for them.
            let begins = matches!(self.phase, NeutralPhase::Mine | NeutralPhase::Seeds);
            if self.ledger.awaits(begins) {
                let ahead = begins.then(|| self.roaming.ahead(&self.ledger)).flatten();
                let ahead = ahead.map(|explore| self.explore(explore));
                return ahead.or_else(|| self.suspects.confirmation(&self.ledger));
            }
            self.phase = match self.phase {
                NeutralPhase::Mine => NeutralPhase::Seeds,
                NeutralPhase::Seeds => NeutralPhase::Insert,
                NeutralPhase::Insert => NeutralPhase::Confirm,
                NeutralPhase::Confirm | NeutralPhase::Done => {
                    self.phase = NeutralPhase::Done;
                    return None;
                }
            };
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

    fn insert(&mut self) -> Option<Work> {
        let runs = self.genie.seed_runs.max(2);
        let longest = self.seeds.longest() + LONGEST;
        let mutants = u64::from(self.settings.batch.max(1));
        // The last batch is as large as what is left of the budget.
        let fits = (1..=mutants).rev().find(|n| self.ledger.can_search((n + u64::from(runs)) * longest))?;
        let chosen = self.rounds.batch(usize::try_from(fits).unwrap_or(1))?;
        let own = Test { role: Role::Seed, events: chosen.events.iter().map(|e| (**e).clone()).collect() };
        let mut tests = vec![own.clone()];
        tests.extend(chosen.tests);
        if runs > 2 {
            tests.insert(tests.len() / 2 + 1, own.clone());
        }
        tests.push(own);
        Some(Work::Batch(Batch { purpose: Purpose::Mutants { seed: chosen.seed }, tests }))
    }

    fn learn(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        self.ledger.finish(run.job.slot, run.events());
        if self.suspects.absorb(run, judgement) {
            return;
        }
        match &run.job.work {
            Work::Explore(explore) => {
                let learned = Arc::make_mut(&mut self.model).absorb(run, &mut self.familiar, layouts);
                let fresh = Arc::make_mut(&mut self.harvest).absorb(run, layouts);
                match explore.goal {
                    Goal::Mine => self.mining.learn(learned),
                    Goal::Seed => self.absorb_seed(run, layouts),
                    Goal::Roam => self.adopt_seed(run, fresh, layouts),
                }
            }
            Work::Batch(Batch { purpose: Purpose::Mutants { seed }, tests }) => {
                self.absorb_mutants(*seed, run, tests);
                let violations = judgement.verdicts.iter().filter(|v| v.outcome == Outcome::Violation);
                self.funnel.violations += violations.filter(|v| v.oracle == "neutral").count() as u64;
                self.funnel.unmasked += u64::from(judgement.unmasked);
            }
            Work::Batch(_) | Work::Errand(_) => return,
        }
        self.suspects.absorb_violations(run, judgement);
    }

    fn absorb_seed(&mut self, run: &JobRun, layouts: &dyn Layouts) {
        if let Some((number, recording)) = self.seeds.absorb(run, &self.app, &self.model, layouts) {
            self.add_seed(number, &recording);
        }
    }

    /// Keeps an exploration that changed data in a way none had before as a seed, up to where it did.
    fn adopt_seed(&mut self, run: &JobRun, fresh: Option<usize>, layouts: &dyn Layouts) {
        let Some(events) = fresh else { return };
        if let Some((number, recording)) = self.seeds.adopt(run, events, &self.app, &self.model, layouts) {
            self.add_seed(number, &recording);
        }
    }

    fn add_seed(&mut self, number: u32, recording: &Recording) {
        let trips = RoundTrips::of(&self.model);
        let inserted = |step| insertions(step, &self.model, &trips, &self.settings);
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

impl Planner for NeutralPlanner {
    fn plan(&mut self, slot: Slot) -> Plan {
        let work = self.next_work();
        work_plan(slot, work, self.phase == NeutralPhase::Done, self.rng, &mut self.ledger)
    }

    fn batch_driver(&self, batch: &Batch) -> Box<dyn Driver> {
        Box::new(BatchDriver::new(batch, &self.app, None))
    }

    fn explore_driver(&self, job: &Job, explore: &Explore) -> Box<dyn Driver> {
        let snapshot = Snapshot {
            app: self.app.clone(),
            settings: self.genie.clone(),
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
        let (planned, most) = self.mining.events();
        let (done, total, unit) = match self.phase {
            NeutralPhase::Mine => (planned.min(self.ledger.spent()), most, "events"),
            NeutralPhase::Seeds => (self.seeds.kept().into(), self.genie.seeds.into(), "seeds"),
            NeutralPhase::Insert => {
                (self.funnel.executed, self.funnel.executed + self.rounds.waiting(), "mutants")
            }
            NeutralPhase::Confirm | NeutralPhase::Done => self.suspects.settled(),
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
            max_events: self.ledger.most(),
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
        3
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
