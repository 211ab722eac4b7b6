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
use super::errand::FormTest;
use super::forms::{Forms, Outcome};
use super::history::History;
use crate::explore::{Mining, Variety};
use crate::findings::Findings;
use crate::ledger::Ledger;
use crate::suspects::Suspects;
use crate::{BatchDriver, Driver, ExploreDriver, IdleDriver, Plan, Planner, Snapshot, work_plan};
use crate::{GenieSettings, InputblasterSettings};
use droidmux_model::{Familiar, GuiModel};
use droidmux_record::{
    Act, Batch, Ending, Errand, Explore, Finding, FormTally, Funnel, FunnelStage, Job, JobRun, Judgement,
    Layouts, Observation, Phase, Progress, SessionDefinition, SessionId, Shrunk, Slot, Work,
};

/// Plans exploration, tests of forms and confirmations.
pub struct InputblasterPlanner {
    terms: Arc<Terms>,
    settings: InputblasterSettings,
    /// What exploration goes by.
    genie: Arc<GenieSettings>,
    rng: u64,
    phase: FormPhase,
    ledger: Ledger,
    mining: Mining,
    variety: Variety,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FormPhase {
    Mine,
    Forms,
    Confirm,
    Done,
}

impl From<FormPhase> for Phase {
    fn from(phase: FormPhase) -> Self {
        match phase {
            FormPhase::Mine => Self::new("mine", "mining the model"),
            FormPhase::Forms => Self::new("forms", "filling in forms"),
            FormPhase::Confirm => Self::CONFIRM,
            FormPhase::Done => Self::DONE,
        }
    }
}

impl InputblasterPlanner {
    /// A planner at the start of a session; `rng` seeds all its random choices.
    pub fn new(definition: &SessionDefinition, session: SessionId, rng: u64) -> Self {
        let run = &definition.run;
        let (settings, genie): (InputblasterSettings, GenieSettings) =
            (definition.settings.of(), definition.settings.of());
        let name = definition.technique.name();
        let findings = Findings::new(session, name, &definition.app, run.confirm, run.confirm_of);
        let most = u64::from(settings.explore_events).min(run.max_events);
        Self {
            terms: Arc::new(Terms::of(definition)),
            settings: settings.clone(),
            genie: Arc::new(genie.clone()),
            rng,
            phase: FormPhase::Mine,
            ledger: Ledger::new(run.max_events),
            mining: Mining::new(most, genie.episode_events, genie.stale_events),
            variety: Variety::new(definition.run.revisit_share),
            model: Arc::new(GuiModel::new(genie.level, genie.initial_weight)),
            familiar: Familiar::default(),
            forms: Forms::default(),
            suspects: Suspects::new(findings, run.experiments),
            tally: FormTally::default(),
            silent: 0,
        }
    }

    /// The next work; `None` when there is none at the moment.
    fn next_work(&mut self) -> Option<Work> {
        if (self.ledger.owes_confirmation() || self.phase == FormPhase::Confirm)
            && let Some(work) = self.suspects.confirmation(&self.ledger)
        {
            return Some(work);
        }
        loop {
            let work = match self.phase {
                FormPhase::Mine => self.mine(),
                FormPhase::Forms if self.silent < MOST_SILENT => {
                    let (ledger, settings) = (&self.ledger, &self.settings);
                    let test = self.forms.plan(settings, OVERHEAD, |events| ledger.can_search(events));
                    test.map(Work::errand)
                }
                FormPhase::Confirm => self.suspects.confirmation(&self.ledger),
                _ => None,
            };
            // Each phase builds on all results of the one before.
            if work.is_some() || self.ledger.is_busy() {
                return work.or_else(|| self.suspects.confirmation(&self.ledger));
            }
            self.phase = match self.phase {
                FormPhase::Mine => FormPhase::Forms,
                FormPhase::Forms => FormPhase::Confirm,
                _ => FormPhase::Done,
            };
            if self.phase == FormPhase::Done {
                return None;
            }
        }
    }

    fn mine(&mut self) -> Option<Work> {
        let explore = self.mining.plan(&self.ledger)?;
        Some(Work::Explore(self.variety.next(explore, |events| self.ledger.can_search(events))))
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
        tally.in_vain += job.in_vain;
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
        work_plan(slot, work, self.phase == FormPhase::Done, self.rng, &mut self.ledger)
    }

    fn batch_driver(&self, batch: &Batch) -> Box<dyn Driver> {
        Box::new(BatchDriver::new(batch, &self.terms.app, None))
    }

    fn explore_driver(&self, job: &Job, explore: &Explore) -> Box<dyn Driver> {
        let snapshot = Snapshot {
            app: self.terms.app.clone(),
            settings: self.genie.clone(),
            model: self.model.clone(),
            coverage: Arc::default(),
            harvest: Arc::default(),
            stale: self.mining.stale(),
        };
        Box::new(ExploreDriver::new(job, explore, snapshot))
    }

    fn errand_driver(&self, job: &Job, errand: &Errand) -> Box<dyn Driver> {
        match errand.content::<FormTest>() {
            Some(test) => Box::new(FormDriver::new(job, &test, &self.terms)),
            None => Box::new(IdleDriver),
        }
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        self.ledger.finish(run.job.slot, run.events());
        if self.suspects.absorb(run, judgement) {
            return;
        }
        match &run.job.work {
            Work::Explore(_) => {
                let learned = Arc::make_mut(&mut self.model).absorb(run, &mut self.familiar, layouts);
                self.mining.learn(learned);
            }
            Work::Errand(errand) => {
                if let Some(test) = errand.content() {
                    self.absorb_form(run, &test, layouts);
                }
            }
            Work::Batch(_) => {}
        }
        self.forms.collect(run, layouts);
        self.suspects.absorb_violations(run, judgement);
    }

    fn progress(&self) -> Progress {
        let (forms, passed, given_up, over) = self.forms.counts();
        let (planned, most) = self.mining.events();
        let (done, total, unit) = match self.phase {
            FormPhase::Mine => (planned.min(self.ledger.spent()), most, "events"),
            FormPhase::Forms => (over, forms, "forms"),
            _ => self.suspects.settled(),
        };
        let form = FormTally { forms, passed, given_up, ..self.tally };
        let funnel = self.suspects.funnel(Funnel::default());
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
            stages: stages(&form, &funnel),
            summary: summary(&form, &funnel),
            funnel,
            form,
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

fn stages(form: &FormTally, funnel: &Funnel) -> Vec<FunnelStage> {
    FunnelStage::list(
        &[
            ("forms", form.forms),
            ("passed", form.passed),
            ("given up", form.given_up),
            ("questions", form.questions),
            ("in vain", form.in_vain),
            ("generators", form.generators),
            ("failed", form.failures),
            ("inputs", form.inputs),
            ("untypable", form.untypable),
            ("accepted", form.accepted),
            ("refused", form.refused),
            ("distinct", funnel.distinct),
            ("confirmed", funnel.confirmed),
        ],
        &["untypable", "given up", "failed", "in vain", "questions", "accepted", "refused", "confirmed"],
    )
}

fn summary(form: &FormTally, funnel: &Funnel) -> Vec<String> {
    vec![
        format!(
            "forms: {} met, {} passed, {} given up; {} questions, {} in vain, {} unanswered; {} generators, {} failed",
            form.forms,
            form.passed,
            form.given_up,
            form.questions,
            form.in_vain,
            form.unanswered,
            form.generators,
            form.failures
        ),
        format!(
            "inputs: {} submitted, {} untypable; {} accepted, {} refused; {} distinct violations, {} seen once",
            form.inputs, form.untypable, form.accepted, form.refused, funnel.distinct, funnel.once_only
        ),
    ]
}
