//! The hunt of InputBlaster and of its baseline: exploration, then one job after the other on each form.
//!
//! The attempts of a page are split into jobs of one generator each, so that several devices can
//! work on one app, and so that the minutes of a page can be kept: they are counted here, from the
//! stored times of absorbed turns. That is the one place where time decides; a session rebuilt from
//! its store decides the same.

use std::sync::Arc;

use super::driver::{FormDriver, Terms};
use super::errand::FormTest;
use super::fill::OVERHEAD;
use super::forms::{Forms, Outcome};
use super::history::History;
use crate::explore::Exploration;
use crate::hunt::{Hunt, HuntPlanner};
use crate::ledger::Ledger;
use crate::phases::{Phases, Reached};
use crate::{BatchDriver, Driver, GenieSettings, IdleDriver, InputblasterSettings};
use droidmux_record::{
    Act, Batch, Ending, Errand, FormTally, Funnel, FunnelStage, Job, JobRun, Judgement, Layouts, Observation,
    Phase, Progress, SessionDefinition, SessionId, Slot, Work,
};

/// Plans exploration, tests of forms and confirmations.
pub type InputblasterPlanner = HuntPlanner<FormHunt>;

/// Explores, and fills in the forms that it comes across.
pub struct FormHunt {
    terms: Arc<Terms>,
    settings: InputblasterSettings,
    exploration: Exploration,
    forms: Forms,
    tally: FormTally,
    /// Jobs in a row whose question was not answered.
    silent: u32,
}

/// Jobs in a row without an answer after which no further questions are planned.
const MOST_SILENT: u32 = 3;

/// The phases of InputBlaster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormPhase {
    /// Mining the model.
    Mine,
    /// Filling in forms.
    Forms,
}

impl From<FormPhase> for Phase {
    fn from(phase: FormPhase) -> Self {
        match phase {
            FormPhase::Mine => Self::new("mine", "mining the model"),
            FormPhase::Forms => Self::new("forms", "filling in forms"),
        }
    }
}

impl FormHunt {
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

impl Phases for FormHunt {
    type Phase = FormPhase;

    fn work(&mut self, phase: &FormPhase, _slot: Slot, ledger: &Ledger) -> Option<Work> {
        match phase {
            FormPhase::Mine => self.exploration.mine(ledger),
            FormPhase::Forms if self.silent < MOST_SILENT => {
                let test = self.forms.plan(&self.settings, OVERHEAD, |events| ledger.can_search(events));
                test.map(Work::errand)
            }
            FormPhase::Forms => None,
        }
    }

    fn after(&mut self, phase: &FormPhase, _slot: Slot) -> Option<FormPhase> {
        match phase {
            FormPhase::Mine => Some(FormPhase::Forms),
            FormPhase::Forms => None,
        }
    }
}

impl Hunt for FormHunt {
    const FIRST: FormPhase = FormPhase::Mine;
    const VERSION: u32 = 16;

    fn new(definition: &SessionDefinition, _session: SessionId, _rng: u64) -> Self {
        let (settings, genie): (InputblasterSettings, GenieSettings) =
            (definition.settings.of(), definition.settings.of());
        let most = settings.explore_events;
        let episode = genie.episode_events;
        Self {
            terms: Arc::new(Terms::of(definition)),
            settings,
            exploration: Exploration::new(definition, genie, most, episode),
            forms: Forms::default(),
            tally: FormTally::default(),
            silent: 0,
        }
    }

    fn exploration(&self) -> &Exploration {
        &self.exploration
    }

    fn batch_driver(&self, batch: &Batch) -> Box<dyn Driver> {
        Box::new(BatchDriver::new(batch, &self.terms.app, None))
    }

    fn errand_driver(&self, job: &Job, errand: &Errand) -> Box<dyn Driver> {
        match errand.content::<FormTest>() {
            Some(test) => Box::new(FormDriver::new(job, &test, &self.terms)),
            None => Box::new(IdleDriver),
        }
    }

    fn learn(&mut self, run: &JobRun, _judgement: &Judgement, layouts: &dyn Layouts) {
        match &run.job.work {
            Work::Explore(_) => self.exploration.learn(run, layouts),
            Work::Errand(errand) => {
                if let Some(test) = errand.content() {
                    self.absorb_form(run, &test, layouts);
                }
            }
            Work::Batch(_) => {}
        }
        self.forms.collect(run, layouts);
    }

    fn reached(&self, phase: &FormPhase, ledger: &Ledger) -> Reached {
        match phase {
            FormPhase::Mine => self.exploration.mined(ledger),
            FormPhase::Forms => {
                let (forms, _, _, over) = self.forms.counts();
                (over, forms, "forms")
            }
        }
    }

    fn funnel(&self) -> Funnel {
        Funnel::default()
    }

    fn told(&self, _phase: Option<&FormPhase>, progress: Progress) -> Progress {
        let (forms, passed, given_up, _) = self.forms.counts();
        let form = FormTally { forms, passed, given_up, ..self.tally };
        let funnel = &progress.funnel;
        Progress { stages: stages(&form, funnel), summary: summary(&form, funnel), form, ..progress }
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
