//! The planner: tour after tour, each with what the earlier ones learnt.

use std::sync::Arc;

use super::chronicle::{Chronicle, Stage};
use super::driver::TourDriver;
use super::entry::player;
use super::excerpt::excerpts;
use super::lore::Lore;
use super::tour::Tour;
use crate::VisiondroidSettings;
use crate::{Driver, IdleDriver, Plan, Planner, Search};
use droidmux_record::{
    Act, Batch, Ending, Errand, Evidence, Finding, Funnel, FunnelStage, Job, JobRun, Judgement, Layouts,
    Phase, Progress, SessionDefinition, SessionId, Shrunk, Slot, TourTally, Turn, Verdict, Work,
};

/// Plans tours until the limit of events, or until nobody answers any more, and confirms what they
/// found.
pub struct VisiondroidPlanner {
    definition: Arc<SessionDefinition>,
    search: Search,
    lore: Arc<Lore>,
    tally: TourTally,
    /// Tours that are under way.
    under_way: u64,
    /// Tours in a row that came to nothing: no event was performed, or nobody answered.
    fruitless: u32,
    /// The session's budget for questions is used up.
    cut_off: bool,
}

/// Tours in a row that may come to nothing.
const MOST_FRUITLESS: u32 = 3;

/// Tours that are done for each one that may run beside another: what it could not learn from.
const DONE_FOR_ONE: u64 = 2;

/// Percent of the events that are kept for replays.
const RESERVE: u32 = 20;

/// Events of the shortest tour that is worth a reset, unless the settings ask for shorter ones.
const SHORTEST: u32 = 8;

/// Questions for each event of a tour: what to do, what came of it, and, now and then, whether it is
/// right; with room for questions asked again.
const CALLS_PER_EVENT: u32 = 4;

impl VisiondroidPlanner {
    /// A planner at the start of a session; `rng` seeds all its random choices.
    pub fn new(definition: &SessionDefinition, session: SessionId, rng: u64) -> Self {
        Self {
            definition: Arc::new(definition.clone()),
            search: Search::new(definition, session, rng, Phase::new("tour", "testing functions"))
                .without_shrinking(),
            lore: Arc::default(),
            tally: TourTally::default(),
            under_way: 0,
            fruitless: 0,
            cut_off: false,
        }
    }

    /// The next tour; `None` when nobody answers any more, or only the replays' events are left.
    fn tour(&self) -> Option<Tour> {
        let wanted = self.definition.settings.of::<VisiondroidSettings>().test_events.max(1);
        let room = self.search.room(RESERVE);
        // The first test takes what there is: without it nothing is found.
        let is_first = self.tally.tests + self.under_way == 0;
        let room = if is_first { room } else { room.min(self.search.half()) };
        let room = u32::try_from(room).unwrap_or(u32::MAX);
        let events = wanted.min(room);
        if events < wanted.min(SHORTEST) {
            return None;
        }
        let calls = events.saturating_mul(CALLS_PER_EVENT).max(20);
        // The first tests run one after the other: what they learn is worth more than the time.
        let may_begin = self.under_way <= self.tally.tests / DONE_FOR_ONE;
        let goes_on = may_begin && !self.cut_off && self.fruitless < MOST_FRUITLESS;
        let number = self.tally.tests + self.under_way + 1;
        goes_on.then_some(Tour { events, calls, number })
    }

    fn learn(&mut self, run: &JobRun, chronicles: &[Chronicle]) {
        for chronicle in chronicles {
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
            if self.cut_off {
                self.search.give_up_confirming();
            }
            Arc::make_mut(&mut self.lore).learn(chronicle);
        }
        let unanswered = run.turns.last().is_some_and(|turn| turn.act == Act::Finish(Ending::Unanswered));
        let fruitless = run.events() == 0 || unanswered && self.is_silent(run);
        self.fruitless = if fruitless { self.fruitless + 1 } else { 0 };
    }

    /// Whether a tour ended because nobody answered, not because its own questions were used up.
    fn is_silent(&self, run: &JobRun) -> bool {
        let is_question =
            |turn: &&Turn| matches!(&turn.act, Act::Consult(asked) if asked.question().is_some());
        let asked = run.turns.iter().filter(is_question).count();
        (asked as u64) < run.job.work.calls()
    }
}

impl Planner for VisiondroidPlanner {
    fn plan(&mut self, slot: Slot) -> Plan {
        let tour = self.tour();
        let plan = self.search.plan(slot, || tour.map(Work::errand));
        if let Plan::Job(job) = &plan
            && matches!(job.work, Work::Errand(_))
        {
            self.under_way += 1;
        }
        plan
    }

    fn batch_driver(&self, batch: &Batch) -> Box<dyn Driver> {
        player(batch, &self.definition)
    }

    fn errand_driver(&self, _: &Job, errand: &Errand) -> Box<dyn Driver> {
        match errand.content::<Tour>() {
            Some(tour) => {
                let settings = Arc::new(self.definition.settings.of());
                Box::new(TourDriver::new(&tour, &self.definition, &settings, &self.lore))
            }
            None => Box::new(IdleDriver),
        }
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        if !matches!(run.job.work, Work::Errand(_)) {
            self.search.absorb(run, judgement, layouts);
            return;
        }
        let chronicles = Chronicle::of_run(run, &Chronicle::blank(&self.definition), layouts);
        // What replays begin with: nothing is shrunk later.
        let shorter = |verdict: &Verdict| {
            let Evidence::Mismatch(mismatch) = &verdict.evidence else { return Vec::new() };
            let chronicle = chronicles.get(usize::from(verdict.test));
            let found = chronicle.map(|chronicle| excerpts(chronicle, mismatch, layouts));
            found.unwrap_or_default().into_iter().map(|test| vec![test]).collect()
        };
        self.search.absorb_shorter(run, judgement, layouts, &shorter);
        self.under_way = self.under_way.saturating_sub(1);
        self.learn(run, &chronicles);
    }

    fn stop_searching(&mut self) {
        self.search.stop_searching();
    }

    fn progress(&self) -> Progress {
        let tour = self.tally;
        let progress = self.search.progress(Funnel { violations: tour.mismatches, ..Funnel::default() });
        Progress {
            stages: stages(&tour, &progress.funnel),
            summary: summary(&tour, &progress.funnel),
            tour,
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
        9
    }
}

fn stages(tour: &TourTally, funnel: &Funnel) -> Vec<FunnelStage> {
    FunnelStage::list(
        &[
            ("tests", tour.tests),
            ("steps", tour.steps),
            ("questions", tour.questions),
            ("in vain", tour.in_vain),
            ("functions", tour.functions),
            ("judged", tour.judged),
            ("wrong operations", tour.wrong_operations),
            ("violations", tour.mismatches),
            ("distinct", funnel.distinct),
            ("confirmed", funnel.confirmed),
        ],
        &["wrong operations", "in vain", "tests", "steps", "distinct", "confirmed"],
    )
}

fn summary(tour: &TourTally, funnel: &Funnel) -> Vec<String> {
    vec![
        format!(
            "functions: {} in {} tests of {} steps; {} judged, {} with a violation, {} distinct",
            tour.functions, tour.tests, tour.steps, tour.judged, tour.mismatches, funnel.distinct
        ),
        format!(
            "questions: {} to the three agents, {} in vain; {} wrong operations",
            tour.questions, tour.in_vain, tour.wrong_operations
        ),
    ]
}
