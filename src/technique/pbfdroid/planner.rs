//! The planner of PBFDroid: test after test, each with a seed of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::driver::PropertyDriver;
use super::errand::PropertyTest;
use super::oracle::redrive;
use crate::{BatchDriver, Driver, IdleDriver, Plan, Planner, Search};
use crate::{Configuration, PbfdroidSettings};
use droidmux_record::{
    Batch, DmfTally, Errand, Evidence, Finding, Funnel, FunnelStage, Job, JobRun, Judgement, Layouts,
    Outcome, Phase, Progress, SessionDefinition, SessionId, Shrunk, Slot, Work,
};

/// Plans tests until the limit of events, and confirms what they found.
pub struct PbfdroidPlanner {
    app: String,
    settings: Arc<PbfdroidSettings>,
    search: Search,
    tally: DmfTally,
    /// The functions that were carried out, by number.
    reached: BTreeSet<u16>,
    /// Functions whose violation is known: every second test goes without them.
    known: BTreeSet<u16>,
    /// Tests in a row that did not reach the function they were for: a test without events costs
    /// time but nothing of the budget.
    missed: BTreeMap<u16, u32>,
}

/// Tests in a row that may miss their function before no more are planned for it.
const MOST_MISSED: u32 = 8;

impl PbfdroidPlanner {
    /// A planner at the start of a session; `rng` seeds all its random choices.
    pub fn new(definition: &SessionDefinition, session: SessionId, rng: u64) -> Self {
        let settings: Arc<PbfdroidSettings> = Arc::new(definition.settings.of());
        let functions = settings.dmfs().iter().filter(|dmf| settings.uses(dmf)).count() as u64;
        Self {
            app: definition.app.clone(),
            settings,
            search: Search::new(definition, session, rng, Phase::new("properties", "checking properties")),
            tally: DmfTally { functions, ..DmfTally::default() },
            reached: BTreeSet::new(),
            known: BTreeSet::new(),
            missed: BTreeMap::new(),
        }
    }

    /// The test of a slot; `None` when no function can be used.
    fn test(&self, slot: Slot) -> Option<PropertyTest> {
        let settings = &self.settings;
        let used: Vec<u16> = (0..)
            .zip(settings.dmfs())
            .filter(|(number, dmf)| settings.uses(dmf) && !self.is_out_of_reach(*number))
            .map(|(number, _)| number)
            .collect();
        let turn = slot.0.checked_rem(used.len() as u64)?;
        let only = match settings.configuration {
            Configuration::Full => None,
            Configuration::A | Configuration::B => Some(*used.get(usize::try_from(turn).ok()?)?),
        };
        // A test ends with its first violation, so a function that fails at once hides the others.
        let without: Vec<u16> =
            if slot.0 % 2 == 1 { self.known.iter().copied().collect() } else { Vec::new() };
        let without = if without.len() < used.len() { without } else { Vec::new() };
        let events = match settings.configuration {
            Configuration::A => self.path_events(),
            Configuration::B | Configuration::Full => settings.test_events,
        };
        Some(PropertyTest { only, without, events, retries: settings.retries })
    }

    fn is_out_of_reach(&self, dmf: u16) -> bool {
        self.missed.get(&dmf).is_some_and(|missed| *missed >= MOST_MISSED)
    }

    /// Events that a test of configuration A can take: a function after a few others.
    fn path_events(&self) -> u32 {
        let longest = self.settings.dmfs().iter().map(|dmf| dmf.events.len()).max().unwrap_or(0);
        u32::try_from(longest * 4).unwrap_or(u32::MAX).clamp(1, self.settings.test_events.max(1))
    }

    fn count(&mut self, run: &JobRun, test: &PropertyTest, judgement: &Judgement, layouts: &dyn Layouts) {
        let driven = redrive(run, test, &self.app, &self.settings, layouts);
        let counts = driven.counts();
        self.reached.extend(driven.calls().iter().map(|call| call.dmf));
        if let Some(only) = test.only.filter(|_| self.settings.configuration == Configuration::A) {
            let came_to_it = driven.calls().iter().any(|call| call.dmf == only);
            let missed = self.missed.entry(only).or_default();
            *missed = if came_to_it { 0 } else { *missed + 1 };
        }
        let tally = &mut self.tally;
        tally.tests += 1;
        tally.reached = self.reached.len() as u64;
        tally.completed += u64::from(counts.completed);
        tally.partial += u64::from(counts.partial);
        tally.random += u64::from(counts.random);
        let conditions = |dmf: u16| {
            self.settings.dmfs().get(usize::from(dmf)).map_or(0, |dmf| dmf.postconditions.len() as u64)
        };
        tally.checked += driven.calls().iter().map(|call| conditions(call.dmf)).sum::<u64>();
        for verdict in judgement.verdicts.iter().filter(|v| v.outcome == Outcome::Violation) {
            if let Evidence::Breach(breach) = &verdict.evidence {
                tally.violated += 1;
                self.known.extend(breach.trace.last().map(|call| call.dmf));
            }
        }
    }
}

impl Planner for PbfdroidPlanner {
    fn plan(&mut self, slot: Slot) -> Plan {
        let test = self.test(slot);
        self.search.plan(slot, || test.map(Work::errand))
    }

    fn batch_driver(&self, batch: &Batch) -> Box<dyn Driver> {
        Box::new(BatchDriver::new(batch, &self.app, None))
    }

    fn errand_driver(&self, job: &Job, errand: &Errand) -> Box<dyn Driver> {
        match errand.content::<PropertyTest>() {
            Some(test) => Box::new(PropertyDriver::new(job, &test, &self.app, &self.settings)),
            None => Box::new(IdleDriver),
        }
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        let searched = self.search.absorb(run, judgement, layouts);
        if let Some(test) = run.job.work.content::<PropertyTest>().filter(|_| searched) {
            self.count(run, &test, judgement, layouts);
        }
    }

    fn stop_searching(&mut self) {
        self.search.stop_searching();
    }

    fn progress(&self) -> Progress {
        let dmf = self.tally;
        let progress = self.search.progress(Funnel { violations: dmf.violated, ..Funnel::default() });
        Progress {
            stages: stages(&dmf, &progress.funnel),
            summary: summary(&dmf, &progress.funnel),
            dmf,
            ..progress
        }
    }

    fn findings(&self) -> Vec<Finding> {
        self.search.findings()
    }

    fn shrunk(&self) -> Vec<Shrunk> {
        self.search.shrunk()
    }

    fn version(&self) -> u32 {
        8
    }
}

fn stages(dmf: &DmfTally, funnel: &Funnel) -> Vec<FunnelStage> {
    FunnelStage::list(
        &[
            ("functions", dmf.functions),
            ("reached", dmf.reached),
            ("tests", dmf.tests),
            ("carried out", dmf.completed),
            ("failed", dmf.partial),
            ("random events", dmf.random),
            ("checked", dmf.checked),
            ("violations", dmf.violated),
            ("distinct", funnel.distinct),
            ("confirmed", funnel.confirmed),
        ],
        &["random events", "failed", "functions", "distinct", "tests", "confirmed"],
    )
}

fn summary(d: &DmfTally, f: &Funnel) -> Vec<String> {
    vec![
        format!(
            "functions: {} of {} reached in {} tests; {} carried out, {} failed on the way, {} random events",
            d.reached, d.functions, d.tests, d.completed, d.partial, d.random
        ),
        format!(
            "properties: {} checked, {} violated, {} distinct, {} seen once",
            d.checked, d.violated, f.distinct, f.once_only
        ),
    ]
}
