//! The planner: tour after tour, each with what the earlier ones learnt.

use std::sync::Arc;

use super::chronicle::{Chronicle, Stage};
use super::driver::TourDriver;
use super::lore::Lore;
use crate::record::{
    Act, Batch, Ending, Finding, Funnel, Job, JobRun, Judgement, Layouts, Phase, Progress, Purpose,
    SessionDefinition, SessionId, Slot, Tour, TourTally, Work,
};
use crate::technique::findings::Findings;
use crate::technique::genie::BatchDriver;
use crate::technique::ledger::Ledger;
use crate::technique::suspects::Suspects;
use crate::technique::{Driver, Plan, Planner, batch_driver, search_progress, work_plan};

/// Plans tours until the limit of events, or until nobody answers any more, and confirms what they
/// found.
pub struct VisiondroidPlanner {
    definition: Arc<SessionDefinition>,
    rng: u64,
    phase: Phase,
    ledger: Ledger,
    suspects: Suspects,
    lore: Arc<Lore>,
    tally: TourTally,
    /// Tours in a row that came to nothing: no event was performed, or nobody answered.
    fruitless: u32,
    /// The session's budget for questions is used up.
    cut_off: bool,
}

/// Tours in a row that may come to nothing.
const MOST_FRUITLESS: u32 = 3;

/// Questions for each event of a tour: what to do, what came of it, and, now and then, whether it is
/// right; with room for questions asked again.
const CALLS_PER_EVENT: u32 = 4;

impl VisiondroidPlanner {
    /// A planner at the start of a session; `rng` seeds every random choice of it.
    pub fn new(definition: &SessionDefinition, session: SessionId, rng: u64) -> Self {
        let run = &definition.run;
        let findings = Findings::new(session, "visiondroid", &definition.app, run.confirm, run.confirm_of);
        Self {
            definition: Arc::new(definition.clone()),
            rng,
            phase: Phase::Tour,
            ledger: Ledger::new(run.max_events),
            suspects: Suspects::new(findings),
            lore: Arc::default(),
            tally: TourTally::default(),
            fruitless: 0,
            cut_off: false,
        }
    }

    /// The next work; `None` when there is none now.
    fn next_work(&mut self) -> Option<Work> {
        if (self.ledger.owes_confirmation() || self.phase != Phase::Tour)
            && !self.cut_off
            && let Some(work) = self.suspects.confirmation(&self.ledger)
        {
            return Some(work);
        }
        let events = self.definition.visiondroid.test_events.max(1);
        let goes_on = self.phase == Phase::Tour && !self.cut_off && self.fruitless < MOST_FRUITLESS;
        if goes_on && self.ledger.can_search(events.into()) {
            let calls = events.saturating_mul(CALLS_PER_EVENT).max(20);
            return Some(Work::Tour(Tour { events, calls }));
        }
        if !self.ledger.is_busy() {
            let confirmed = self.phase == Phase::Confirm;
            self.phase = if confirmed { Phase::Done } else { Phase::Confirm };
            if !confirmed {
                return self.next_work();
            }
        }
        None
    }

    fn learn(&mut self, run: &JobRun, layouts: &dyn Layouts) {
        for chronicle in Chronicle::of_run(run, &self.definition.app, layouts) {
            let judged = chronicle.functions.iter().filter_map(|function| match &function.stage {
                Stage::Judged(detection) => Some(detection.opinion.meets),
                _ => None,
            });
            let judged: Vec<bool> = judged.collect();
            let (tally, counts) = (&mut self.tally, chronicle.counts);
            tally.tests += 1;
            tally.functions += chronicle.functions.len() as u64;
            tally.judged += judged.len() as u64;
            tally.mismatches += judged.iter().filter(|meets| !**meets).count() as u64;
            tally.steps += chronicle.steps.len() as u64;
            tally.questions += counts.questions;
            tally.in_vain += counts.in_vain;
            tally.wrong_operations += counts.wrong_operations;
            self.cut_off |= counts.cut_off;
            Arc::make_mut(&mut self.lore).learn(&chronicle);
        }
        let unanswered = run.turns.last().is_some_and(|turn| turn.act == Act::Finish(Ending::Unanswered));
        let fruitless = run.events() == 0 || unanswered && self.is_silent(run);
        self.fruitless = if fruitless { self.fruitless + 1 } else { 0 };
    }

    /// Whether a tour ended because nobody answered, not because its own questions were used up.
    fn is_silent(&self, run: &JobRun) -> bool {
        let asked = run.turns.iter().filter(|turn| matches!(turn.act, Act::Consult(_))).count();
        (asked as u64) < run.job.work.calls()
    }
}

impl Planner for VisiondroidPlanner {
    fn plan(&mut self, slot: Slot) -> Plan {
        let work = self.next_work();
        work_plan(slot, work, self.phase, self.rng, &mut self.ledger)
    }

    fn driver(&self, job: &Job) -> Box<dyn Driver> {
        match &job.work {
            Work::Batch(batch) => batch_driver(batch, &self.definition),
            Work::Tour(tour) => {
                let settings = Arc::new(self.definition.visiondroid.clone());
                Box::new(TourDriver::new(job, tour, &self.definition.app, &settings, &self.lore))
            }
            // Never planned here.
            Work::Explore(_) | Work::Weigh(_) | Work::Properties(_) | Work::Form(_) => {
                Box::new(BatchDriver::idle())
            }
        }
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        self.ledger.finish(run.job.slot, run.events());
        match &run.job.work {
            Work::Batch(Batch { purpose: Purpose::Confirm { finding, .. }, tests }) => {
                return self.suspects.absorb_confirmation(finding, tests, run, judgement);
            }
            Work::Tour(_) => self.learn(run, layouts),
            _ => {}
        }
        self.suspects.absorb_violations(run, judgement);
    }

    fn progress(&self) -> Progress {
        let funnel = Funnel { violations: self.tally.mismatches, ..Funnel::default() };
        let progress = search_progress((self.phase, Phase::Tour), &self.ledger, &self.suspects, funnel);
        Progress { tour: self.tally, ..progress }
    }

    fn findings(&self) -> Vec<Finding> {
        self.suspects.findings.ranked()
    }

    fn version(&self) -> u32 {
        1
    }
}
