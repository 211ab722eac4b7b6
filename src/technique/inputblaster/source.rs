//! InputBlaster as the source of texts for other techniques: when one of them enters a random text into a form that is
//! met for the first time, a model is asked for valid texts and for a generator, once per form and field; from then on
//! the technique's random texts are replaced by those.
//!
//! In: a technique's planner. Out: a planner that plans the same jobs, whose drivers ask and
//! replace. The technique's drivers see nothing of the questions; what they typed is in the
//! recorded events, from which their planners learn. Texts learnt in one job serve the later ones.
//! Where the model is silent, the technique's own texts are typed.

use std::collections::BTreeMap;
use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::answer;
use super::context::FieldContext;
use super::errand::FormKnown;
use super::form::Form;
use super::prompt::{self, PageContext};
use crate::InputblasterSettings;
use crate::{Driver, Plan, Planner, mix};
use droidmux_gui::{Event, EventKind, StateId, text_of_units};
use droidmux_record::{
    Act, Answer, Consultation, Finding, Foretold, Generation, Job, JobRun, Judgement, Layouts, Observation,
    Progress, Screen, SessionDefinition, SessionId, Shrunk, Slot, StartAt,
};

/// A planner whose drivers type what a model proposes in place of random texts.
pub fn with_texts(inner: Box<dyn Planner>, definition: &SessionDefinition) -> Box<dyn Planner> {
    let batch = definition.settings.of::<InputblasterSettings>().batch.clamp(1, Generation::MOST);
    let (app, start_at) = (definition.app.clone(), definition.lab.start_at);
    Box::new(TextPlanner { inner, app, start_at, batch, pools: Arc::default() })
}

struct TextPlanner {
    inner: Box<dyn Planner>,
    app: String,
    start_at: Option<StartAt>,
    batch: u16,
    pools: Arc<Pools>,
}

/// The texts of each form.
type Pools = BTreeMap<StateId, Pool>;

/// The texts of a form's fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Pool {
    /// Valid texts, one for each field, and what they keep to; `None` before they were asked for.
    valid: Option<(Vec<String>, Vec<String>)>,
    /// Unusual texts by field; an empty list where none came.
    unusual: BTreeMap<usize, Vec<String>>,
}

/// Valid texts that are typed for one unusual one: a technique must get past its forms.
const VALID_OF: u32 = 3;

impl Pool {
    /// Takes in the answer to a consultation about one of its fields.
    fn learn(&mut self, consultation: &Consultation, answer: &Answer, fields: usize, field: usize) {
        match (consultation, answer) {
            (Consultation::Ask(_), Answer::Reply(reply)) if self.valid.is_none() => {
                let reply = answer::valid_input(&reply.text, fields).unwrap_or_default();
                self.valid = Some((reply.texts, reply.constraints));
            }
            (
                Consultation::Generate(_),
                Answer::Inputs(generated) | Answer::Foretold(Foretold { generated, .. }),
            ) => {
                let texts = generated.inputs.iter().map(|units| text_of_units(units)).collect();
                self.unusual.insert(field, texts);
            }
            (Consultation::Ask(_), Answer::Reply(reply)) if answer::test_generator(&reply.text).is_some() => {
            }
            // Silence, or no code: not asked again.
            _ if self.valid.is_none() => self.valid = Some(Default::default()),
            _ => _ = self.unusual.insert(field, Vec::new()),
        }
    }
}

impl Planner for TextPlanner {
    fn take_in(&mut self, source: SessionId, run: &JobRun, layouts: &dyn Layouts) {
        self.inner.take_in(source, run, layouts);
    }

    fn plan(&mut self, slot: Slot) -> Plan {
        self.inner.plan(slot)
    }

    fn driver(&self, job: &Job) -> Box<dyn Driver> {
        Box::new(TextDriver {
            inner: self.inner.driver(job),
            app: self.app.clone(),
            start_at: self.start_at,
            batch: self.batch,
            pools: self.pools.clone(),
            seed: job.rng,
            rng: ChaCha8Rng::seed_from_u64(mix(job.rng, 1)),
            here: None,
            pending: None,
        })
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        learn(Arc::make_mut(&mut self.pools), run, layouts);
        self.inner.absorb(run, judgement, layouts);
    }

    fn stop_searching(&mut self) {
        self.inner.stop_searching();
    }

    fn progress(&self) -> Progress {
        self.inner.progress()
    }

    fn findings(&self) -> Vec<Finding> {
        self.inner.findings()
    }

    fn shrunk(&self) -> Vec<Shrunk> {
        self.inner.shrunk()
    }

    fn version(&self) -> u32 {
        self.inner.version()
    }
}

/// Learns the texts that a job's drivers were given: each question is about the field that is
/// edited next.
fn learn(pools: &mut Pools, run: &JobRun, layouts: &dyn Layouts) {
    let mut here: Option<&Screen> = None;
    let mut asked: Vec<(&Consultation, &Answer)> = Vec::new();
    for turn in &run.turns {
        match (&turn.act, &turn.observation) {
            (Act::Consult(consultation), Observation::Answered(answer)) => asked.push((consultation, answer)),
            (Act::Perform(event), _) if !asked.is_empty() => {
                let found = here.and_then(|screen| {
                    let layout = layouts.layout(screen.layout)?;
                    let form = Form::of(screen, &layout)?;
                    Some((form.id(), form.fields.len(), form.number_of(event.receiver.as_ref()?)?))
                });
                if let Some((id, fields, field)) = found {
                    let pool = pools.entry(id).or_default();
                    asked.iter().for_each(|(question, answer)| pool.learn(question, answer, fields, field));
                }
                asked.clear();
            }
            _ => {}
        }
        if let Some(seen) = turn.observation.seen() {
            here = Some(&seen.screen);
        }
    }
}

/// A driver whose random texts are replaced.
struct TextDriver {
    inner: Box<dyn Driver>,
    app: String,
    start_at: Option<StartAt>,
    batch: u16,
    pools: Arc<Pools>,
    seed: u64,
    rng: ChaCha8Rng,
    here: Option<Screen>,
    pending: Option<Pending>,
}

/// An edit that waits for its text.
#[derive(Clone, Debug)]
struct Pending {
    event: Event,
    form: StateId,
    field: usize,
    page: PageContext,
    consultation: Consultation,
}

impl TextDriver {
    /// The act of the technique's driver, or what must be asked before it.
    fn through(&mut self, act: Act, layouts: &dyn Layouts) -> Act {
        match act {
            Act::Perform(event) if event.kind == EventKind::Edit && self.inner.types_at_random() => {
                match self.pending(&event, layouts) {
                    Some(pending) => self.supply(pending),
                    None => Act::Perform(event),
                }
            }
            act => act,
        }
    }

    /// The form and field that an edit is about; `None` when it is not on a form.
    fn pending(&self, event: &Event, layouts: &dyn Layouts) -> Option<Pending> {
        let screen = self.here.as_ref()?;
        let layout = layouts.layout(screen.layout)?;
        let form = Form::of(screen, &layout)?;
        let field = form.number_of(event.receiver.as_ref()?)?;
        let page = PageContext {
            app: self.app.clone(),
            activity: screen.activity.clone(),
            start_at: self.start_at,
            fields: FieldContext::all(&form),
        };
        let consultation = Consultation::Ask(prompt::valid_input(&page, &[]));
        Some(Pending { event: event.clone(), form: form.id(), field, page, consultation })
    }

    /// Asks for what is missing; types once nothing is.
    fn supply(&mut self, pending: Pending) -> Act {
        let pool = self.pools.get(&pending.form).cloned().unwrap_or_default();
        let Some((valid, constraints)) = &pool.valid else {
            let question = pending.consultation.clone();
            return self.ask(pending, question);
        };
        if !valid.is_empty() && !pool.unusual.contains_key(&pending.field) {
            let known = FormKnown {
                valid: valid.clone(),
                submit: Event::global(EventKind::Enter),
                look: None,
                ticks: false,
                in_place: false,
                constraints: constraints.clone(),
                complaints: Vec::new(),
                rounds: Vec::new(),
            };
            let asked =
                prompt::Asked { field: pending.field, twins: &[], inputs: self.batch.into(), examples: 0 };
            let question = prompt::test_generator(&pending.page, &asked, &known, &[]);
            return self.ask(pending, Consultation::Ask(question));
        }
        Act::Perform(self.with_text(&pool, pending))
    }

    fn ask(&mut self, pending: Pending, consultation: Consultation) -> Act {
        self.pending = Some(Pending { consultation: consultation.clone(), ..pending });
        Act::Consult(Box::new(consultation))
    }

    /// The edit with a text of the pool, or its own where the pool is empty.
    fn with_text(&mut self, pool: &Pool, pending: Pending) -> Event {
        let valid = pool.valid.as_ref().and_then(|(valid, _)| valid.get(pending.field));
        let unusual = pool.unusual.get(&pending.field).filter(|texts| !texts.is_empty());
        let odd = self.rng.random_range(0..=VALID_OF) == VALID_OF;
        let text = match unusual.filter(|_| odd || valid.is_none()) {
            Some(texts) => texts.get(self.rng.random_range(0..texts.len())),
            None => valid,
        };
        let data = text.cloned().or(pending.event.data);
        Event { data, ..pending.event }
    }

    fn answered(&mut self, answer: &Answer) -> Option<Act> {
        let pending = self.pending.take()?;
        if let (Consultation::Ask(_), Answer::Reply(reply)) = (&pending.consultation, answer)
            && self.pools.get(&pending.form).is_some_and(|pool| pool.valid.is_some())
            && let Some(reply) = answer::test_generator(&reply.text)
        {
            let field = u64::try_from(pending.field).unwrap_or(0);
            let rng = mix(self.seed ^ pending.form.0, field);
            let generation = Generation { code: reply.code, rng, most: self.batch };
            return Some(self.ask(pending, Consultation::Generate(generation)));
        }
        let pool = Arc::make_mut(&mut self.pools).entry(pending.form).or_default();
        pool.learn(&pending.consultation, answer, pending.page.fields.len(), pending.field);
        Some(self.supply(pending))
    }
}

impl Driver for TextDriver {
    fn next(&mut self, observation: &Observation, layouts: &dyn Layouts) -> Act {
        if let Observation::Answered(answer) = observation
            && let Some(act) = self.answered(answer)
        {
            return act;
        }
        if let Some(seen) = observation.seen() {
            self.here = Some(seen.screen.clone());
        }
        let act = self.inner.next(observation, layouts);
        self.through(act, layouts)
    }

    fn fresh(&self) -> Box<dyn Driver> {
        Box::new(Self {
            inner: self.inner.fresh(),
            app: self.app.clone(),
            start_at: self.start_at,
            batch: self.batch,
            pools: self.pools.clone(),
            seed: self.seed,
            rng: self.rng.clone(),
            here: self.here.clone(),
            pending: self.pending.clone(),
        })
    }
}
