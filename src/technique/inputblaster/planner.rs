//! The planner of InputBlaster and of its baseline: exploration, then one job after the other on
//! each form.
//!
//! The attempts of a page are split into jobs of one generator each, so that several devices can
//! work on one app, and so that the minutes of a page can be kept: they are counted here, from the
//! stored times of absorbed turns. That is the one place where time decides; a session rebuilt from
//! its store decides the same.

use std::sync::Arc;

use super::driver::{FormDriver, Terms};
use super::fill::OVERHEAD;
use super::forms::{Forms, Outcome};
use super::history::History;
use crate::model::{Familiar, GuiModel};
use crate::record::{
    Act, Batch, Ending, Finding, FormTally, FormTest, Funnel, GenieSettings, InputblasterSettings, Job,
    JobRun, Judgement, Layouts, Observation, Phase, Progress, Purpose, SessionDefinition, SessionId, Slot,
    Work,
};
use crate::technique::findings::Findings;
use crate::technique::genie::{BatchDriver, ExploreDriver, Snapshot};
use crate::technique::ledger::Ledger;
use crate::technique::mining::Mining;
use crate::technique::suspects::Suspects;
use crate::technique::{Driver, Plan, Planner, work_plan};

/// Plans exploration, tests of forms and confirmations.
pub struct InputblasterPlanner {
    terms: Arc<Terms>,
    settings: InputblasterSettings,
    /// What exploration goes by.
    genie: Arc<GenieSettings>,
    rng: u64,
    phase: Phase,
    ledger: Ledger,
    mining: Mining,
    model: Arc<GuiModel>,
    familiar: Familiar,
    forms: Forms,
    suspects: Suspects,
    tally: FormTally,
    /// Jobs in a row whose question was not answered.
    silent: u32,
}

/// Jobs in a row without an answer after which no further questions are planned.
const MOST_SILENT: u32 = 3;

impl InputblasterPlanner {
    /// A planner at the start of a session; `rng` seeds every random choice of it.
    pub fn new(definition: &SessionDefinition, session: SessionId, rng: u64) -> Self {
        let (run, settings, genie) = (&definition.run, &definition.inputblaster, &definition.genie);
        let name = definition.technique.name();
        let findings = Findings::new(session, name, &definition.app, run.confirm, run.confirm_of);
        let most = u64::from(settings.explore_events).min(run.max_events);
        Self {
            terms: Arc::new(Terms::of(definition)),
            settings: settings.clone(),
            genie: Arc::new(genie.clone()),
            rng,
            phase: Phase::Mine,
            ledger: Ledger::new(run.max_events),
            mining: Mining::new(most, genie.episode_events, genie.stale_events),
            model: Arc::new(GuiModel::new(genie.level, genie.initial_weight)),
            familiar: Familiar::default(),
            forms: Forms::default(),
            suspects: Suspects::new(findings),
            tally: FormTally::default(),
            silent: 0,
        }
    }

    /// The next work; `None` when there is none now.
    fn next_work(&mut self) -> Option<Work> {
        if (self.ledger.owes_confirmation() || self.phase == Phase::Confirm)
            && let Some(work) = self.suspects.confirmation(&self.ledger)
        {
            return Some(work);
        }
        loop {
            let work = match self.phase {
                Phase::Mine => self.mining.plan(&self.ledger).map(Work::Explore),
                Phase::Forms if self.silent < MOST_SILENT => {
                    let (ledger, settings) = (&self.ledger, &self.settings);
                    let test = self.forms.plan(settings, OVERHEAD, |events| ledger.can_search(events));
                    test.map(|test| Work::Form(Box::new(test)))
                }
                Phase::Confirm => self.suspects.confirmation(&self.ledger),
                _ => None,
            };
            // Each phase builds on all results of the one before.
            if work.is_some() || self.ledger.is_busy() {
                return work;
            }
            self.phase = match self.phase {
                Phase::Mine => Phase::Forms,
                Phase::Forms => Phase::Confirm,
                _ => Phase::Done,
            };
            if self.phase == Phase::Done {
                return None;
            }
        }
    }

    fn absorb_form(&mut self, run: &JobRun, test: &FormTest, layouts: &dyn Layouts) {
        let history = redrive(run, test, &self.terms, layouts);
        let silent = run.turns.iter().any(|turn| turn.act == Act::Finish(Ending::Unanswered));
        self.silent = if silent { self.silent + 1 } else { 0 };
        self.count(&history.tally);
        let outcome = Outcome {
            attempts: u32::try_from(history.unusual.len()).unwrap_or(u32::MAX),
            took_ms: run.turns.iter().map(|turn| u64::from(turn.took_ms)).sum(),
            answered: !silent,
            known: history.known,
        };
        self.forms.absorb(test, outcome, &self.settings);
    }

    fn count(&mut self, job: &FormTally) {
        let tally = &mut self.tally;
        tally.inputs += job.inputs;
        tally.untypable += job.untypable;
        tally.accepted += job.accepted;
        tally.refused += job.refused;
        tally.generators += job.generators;
        tally.failures += job.failures;
        tally.questions += job.questions;
        tally.unanswered += job.unanswered;
    }
}

/// What the driver of a recorded job had learnt at its end.
pub(super) fn redrive(run: &JobRun, test: &FormTest, terms: &Arc<Terms>, layouts: &dyn Layouts) -> History {
    let mut driver = FormDriver::new(&run.job, test, terms);
    driver.next(&Observation::Started, layouts);
    for turn in run.turns.iter().filter(|turn| turn.observation != Observation::Ended) {
        driver.next(&turn.observation, layouts);
    }
    driver.into_history()
}

impl Planner for InputblasterPlanner {
    fn plan(&mut self, slot: Slot) -> Plan {
        let work = self.next_work();
        work_plan(slot, work, self.phase, self.rng, &mut self.ledger)
    }

    fn driver(&self, job: &Job) -> Box<dyn Driver> {
        match &job.work {
            Work::Batch(batch) => Box::new(BatchDriver::new(batch, &self.terms.app, 0.0)),
            Work::Form(test) => Box::new(FormDriver::new(job, test, &self.terms)),
            Work::Explore(explore) => {
                let snapshot = Snapshot {
                    app: self.terms.app.clone(),
                    settings: self.genie.clone(),
                    model: self.model.clone(),
                    coverage: Arc::default(),
                    stale: self.mining.stale(),
                };
                Box::new(ExploreDriver::new(job, explore, snapshot))
            }
            // Never planned here.
            Work::Weigh(_) | Work::Properties(_) | Work::Tour(_) => Box::new(BatchDriver::idle()),
        }
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        self.ledger.finish(run.job.slot, run.events());
        match &run.job.work {
            Work::Batch(Batch { purpose: Purpose::Confirm { finding, .. }, tests }) => {
                return self.suspects.absorb_confirmation(finding, tests, run, judgement);
            }
            Work::Explore(_) => {
                let learned = Arc::make_mut(&mut self.model).absorb(run, &mut self.familiar, layouts);
                self.mining.learn(learned);
            }
            Work::Form(test) => self.absorb_form(run, test, layouts),
            Work::Batch(_) | Work::Weigh(_) | Work::Properties(_) | Work::Tour(_) => {}
        }
        self.forms.collect(run, layouts);
        self.suspects.absorb_violations(run, judgement);
    }

    fn progress(&self) -> Progress {
        let (forms, passed, given_up, over) = self.forms.counts();
        let (planned, most) = self.mining.events();
        let (done, total, unit) = match self.phase {
            Phase::Mine => (planned.min(self.ledger.spent()), most, "events"),
            Phase::Forms => (over, forms, "forms"),
            _ => self.suspects.settled(),
        };
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Progress {
            phase: self.phase,
            done,
            total,
            unit: unit.to_owned(),
            events: self.ledger.spent(),
            max_events: self.ledger.most(),
            states: count(self.model.state_count()),
            transitions: count(self.model.transition_count()),
            funnel: self.suspects.funnel(Funnel::default()),
            form: FormTally { forms, passed, given_up, ..self.tally },
            ..Progress::default()
        }
    }

    fn findings(&self) -> Vec<Finding> {
        self.suspects.findings.ranked()
    }

    fn version(&self) -> u32 {
        1
    }
}
