//! The driver of one form: valid texts first, then rounds of unusual ones.
//!
//! In: a job, then observations. Out: fillings of the form, each from a reset, and consultations. A
//! job for a form that nothing has passed yet looks for texts that pass, looks at what lies behind
//! the page they lead to, and goes on as all jobs do: the valid texts twice, then rounds of a
//! mutation rule, its generator, and a filling for each input.

use std::sync::Arc;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::errand::FormTest;
use super::fill::{End, Fill, Filling, Next, OVERHEAD, Submit};
use super::history::History;
use super::prompt::PageContext;
use crate::Driver;
use crate::GenieSettings;
use crate::InputblasterSettings;
use droidmux_gui::{Event, Layout, LayoutHash, text_of_units};
use droidmux_record::{
    Act, Answer, Consultation, Ending, Example, Expectation, Generated, Job, Layouts, Observation,
    SessionDefinition, StartAt, Technique,
};

/// What drivers of a session have in common.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    pub(super) app: String,
    pub(super) settings: InputblasterSettings,
    /// Labels that submit, in lower case.
    pub(super) affirmative: Vec<String>,
    /// What the devices' clocks were set to.
    pub(super) start_at: Option<StartAt>,
    /// Random texts in place of a model and its generators.
    pub(super) random: bool,
}

/// Fills in one form again and again.
#[derive(Clone, Debug)]
pub(super) struct FormDriver {
    pub(super) terms: Arc<Terms>,
    pub(super) test: FormTest,
    pub(super) seed: u64,
    pub(super) rng: ChaCha8Rng,
    pub(super) doing: Doing,
    pub(super) page: Option<PageContext>,
    /// Fields of the form, and whether it has boxes.
    pub(super) fields: usize,
    pub(super) boxes: bool,
    pub(super) history: History,
    /// Inputs, events and questions left.
    pub(super) attempts: u32,
    pub(super) events: u32,
    pub(super) calls: u32,
    /// The rank of the widget that submits, while that is not known.
    pub(super) submit_from: usize,
    /// Clicks behind the page reached that were not done yet.
    pub(super) beyond: Vec<Event>,
    /// What goes with the texts tried last.
    pub(super) proposed: Proposed,
    /// How many of the valid texts the best page so far shows.
    pub(super) looked: usize,
    /// Texts of the round under way.
    pub(super) inputs: Vec<Yielded>,
    pub(super) examples: Vec<Example>,
    /// Questions that brought no inputs, in a row.
    pub(super) barren: u32,
    /// A question brought inputs.
    pub(super) fruitful: bool,
}

/// A text that a generator yields, and what should come of it where that is said of this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Yielded {
    pub text: String,
    pub expected: Option<Expectation>,
}

impl Yielded {
    /// All inputs of an answer, in order.
    fn all(generated: &Generated, expected: &[Option<Expectation>]) -> Vec<Self> {
        let expected = expected.iter().copied().chain(std::iter::repeat(None));
        let told = generated.inputs.iter().zip(expected);
        told.map(|(units, expected)| Self { text: text_of_units(units), expected }).collect()
    }
}

/// What a model says of the texts it proposes, and how they were submitted.
#[derive(Clone, Debug, Default)]
pub(super) struct Proposed {
    pub constraints: Vec<String>,
    pub submit: Option<Event>,
    pub ticks: bool,
}

/// What a driver waits for.
#[derive(Clone, Debug)]
pub(super) enum Doing {
    Nothing,
    Visit(Box<Fill>),
    AskValid,
    Try(Box<Fill>),
    Beyond(Box<Fill>, Event),
    Base(Box<Fill>),
    Recall,
    AskGenerator,
    Generate,
    Trial(Box<Fill>, Yielded),
}

/// Runs with the valid texts.
pub(super) const BASE_RUNS: usize = 2;

impl Terms {
    pub fn of(definition: &SessionDefinition) -> Self {
        Self {
            app: definition.app.clone(),
            settings: definition.settings.of(),
            affirmative: definition.settings.of::<GenieSettings>().affirmative,
            start_at: definition.lab.start_at,
            random: definition.technique == Technique::Randomtext,
        }
    }
}

impl FormDriver {
    pub fn new(job: &Job, test: &FormTest, terms: &Arc<Terms>) -> Self {
        let history = History { known: test.known.clone(), ..History::default() };
        Self {
            terms: terms.clone(),
            test: test.clone(),
            seed: job.rng,
            rng: ChaCha8Rng::seed_from_u64(job.rng),
            doing: Doing::Nothing,
            page: None,
            fields: test.known.as_ref().map_or(0, |known| known.valid.len()),
            boxes: false,
            history,
            attempts: test.attempts,
            events: test.events,
            calls: test.calls,
            submit_from: 0,
            beyond: Vec::new(),
            proposed: Proposed::default(),
            looked: 0,
            inputs: Vec::new(),
            examples: Vec::new(),
            barren: 0,
            fruitful: false,
        }
    }

    /// What it has learnt and done.
    pub fn into_history(self) -> History {
        self.history
    }

    /// The field under test, once the form was seen.
    pub(super) fn field(&self) -> usize {
        usize::from(self.test.field).checked_rem(self.fields).unwrap_or(0)
    }

    pub(super) fn filling(&self, texts: Option<Vec<String>>) -> Filling {
        let known = self.history.known.as_ref();
        let search =
            || Submit::Search { from: self.submit_from, affirmative: self.terms.affirmative.clone() };
        // Every second try ticks the boxes, since it is not known whether they must be ticked.
        let odd_try = self.history.tries.len() % 2 == 1;
        Filling {
            way: self.test.way.clone(),
            form: self.test.state,
            texts,
            last: self.field(),
            ticks: known.map_or(self.boxes && odd_try, |known| known.ticks),
            submit: known.map_or_else(search, |known| Submit::Known(known.submit.clone())),
            then: known.and_then(|known| known.look.clone()),
        }
    }

    /// Begins a filling, if there are events enough for it.
    pub(super) fn fill(&mut self, filling: Filling, doing: impl FnOnce(Box<Fill>) -> Doing) -> Act {
        let fields = u32::try_from(self.fields).unwrap_or(u32::MAX);
        let way = u32::try_from(filling.way.len()).unwrap_or(u32::MAX);
        if way.saturating_add(fields).saturating_add(OVERHEAD) > self.events {
            return self.finish(Ending::Complete);
        }
        let mut fill = Box::new(Fill::new(filling));
        self.history.tests = self.history.tests.saturating_add(1);
        // The first act is the reset whatever was observed.
        let next = fill.next(&Observation::Started, &self.terms.app, &NoLayouts);
        self.doing = doing(fill);
        match next {
            Next::Act(act) => act,
            Next::Done(_) => self.finish(Ending::Stuck),
        }
    }

    pub(super) fn finish(&mut self, ending: Ending) -> Act {
        self.doing = Doing::Nothing;
        if self.fruitful {
            self.history.left(self.inputs.len());
        }
        Act::Finish(ending)
    }

    pub(super) fn number(&self) -> u16 {
        self.history.tests.saturating_sub(1)
    }

    pub(super) fn ask(&mut self, consultation: Consultation, doing: Doing) -> Act {
        if consultation.question().is_some() {
            let Some(left) = self.calls.checked_sub(1) else { return self.finish(Ending::Complete) };
            self.calls = left;
        }
        self.doing = doing;
        Act::Consult(Box::new(consultation))
    }

    pub(super) fn valid(&self) -> &[String] {
        self.history.known.as_ref().map_or(&[], |known| &known.valid)
    }

    fn answered(&mut self, answer: &Answer) -> Act {
        match (std::mem::replace(&mut self.doing, Doing::Nothing), answer) {
            (Doing::AskValid, Answer::Reply(reply)) => {
                self.history.tally.questions += 1;
                self.propose(&reply.text)
            }
            (Doing::AskGenerator, Answer::Reply(reply)) => {
                self.history.tally.questions += 1;
                self.generate(&reply.text)
            }
            (Doing::AskValid | Doing::AskGenerator, _) => {
                self.history.tally.unanswered += 1;
                self.finish(Ending::Unanswered)
            }
            (Doing::Recall, Answer::Examples(examples)) => {
                self.examples.clone_from(examples);
                self.ask_generator()
            }
            (Doing::Recall, _) => self.ask_generator(),
            (Doing::Generate, Answer::Inputs(generated)) => self.generated(generated, &[]),
            (Doing::Generate, Answer::Foretold(foretold)) => {
                self.generated(&foretold.generated, &foretold.expected)
            }
            (Doing::Generate, _) => {
                self.history.tally.generators += 1;
                self.history.failed("it was not run".into());
                self.take(Vec::new())
            }
            _ => self.finish(Ending::Stuck),
        }
    }

    fn generated(&mut self, generated: &Generated, expected: &[Option<Expectation>]) -> Act {
        self.history.tally.generators += 1;
        if let Some(failure) = &generated.failure {
            self.history.failed(failure.words());
        }
        self.take(Yielded::all(generated, expected))
    }

    /// A filling has ended.
    fn filled(&mut self, doing: Doing, end: End, layouts: &dyn Layouts) -> Act {
        match doing {
            Doing::Visit(fill) => self.visited(&fill, end, layouts),
            Doing::Try(fill) => self.tried(&fill, end, layouts),
            Doing::Beyond(fill, click) => self.went_beyond(&fill, click, layouts),
            Doing::Base(fill) => self.based(&fill, end, layouts),
            Doing::Trial(fill, input) => self.trial_ended(&fill, end, &input, layouts),
            _ => self.finish(Ending::Stuck),
        }
    }
}

/// For the first act of a filling, which looks at nothing.
struct NoLayouts;

impl Layouts for NoLayouts {
    fn layout(&self, _hash: LayoutHash) -> Option<Arc<Layout>> {
        None
    }
}

impl Driver for FormDriver {
    fn next(&mut self, observation: &Observation, layouts: &dyn Layouts) -> Act {
        if let Observation::Started = observation {
            return if self.history.known.is_some() { self.base() } else { self.visit() };
        }
        if let Observation::Answered(answer) = observation {
            return self.answered(answer);
        }
        let app = self.terms.app.clone();
        let mut doing = std::mem::replace(&mut self.doing, Doing::Nothing);
        let next = match &mut doing {
            Doing::Visit(fill)
            | Doing::Try(fill)
            | Doing::Beyond(fill, _)
            | Doing::Base(fill)
            | Doing::Trial(fill, _) => fill.next(observation, &app, layouts),
            _ => return self.finish(Ending::Stuck),
        };
        match next {
            Next::Act(act) => {
                if matches!(act, Act::Perform(_)) {
                    self.events = self.events.saturating_sub(1);
                }
                self.doing = doing;
                act
            }
            Next::Done(end) => self.filled(doing, end, layouts),
        }
    }

    fn fresh(&self) -> Box<dyn Driver> {
        Box::new(self.clone())
    }
}
