//! The chronicle of a test: what was done and seen, which functions the Monitor saw in it, and what the Detector said
//! of them. Read off the turns of an episode, one after the other, so that driver, oracle and planner know the same
//! about it.
//!
//! Invariant: it depends on acts and observations alone, never on who decided the acts.

use super::detector::{self, Opinion};
use super::monitor::{self, Remark};
use super::page::KnownPage;
use super::step::{Retold, Sight, Step};
use droidmux_account::facts::Facts;
use droidmux_account::{Line, Teller, Veil};
use droidmux_gui::{EventKind, LayoutHash};
use droidmux_record::{
    Act, Agent, Answer, Batch, Consultation, Exchange, JobRun, Layouts, NoReply, Observation, Role,
    SessionDefinition, Stretch, Test,
};

/// A test as far as it ran.
#[derive(Clone, Default)]
pub struct Chronicle {
    pub(super) app: String,
    pub(super) teller: Teller,
    /// Knows what was typed into password fields, and what is not compared.
    pub veil: Veil,
    pub(super) retold: Option<Box<Retold>>,
    /// The screens: the first after the reset, then one after each step, the same again where it failed.
    pub sights: Vec<Sight>,
    pub steps: Vec<Step>,
    pub pages: Vec<KnownPage>,
    pub functions: Vec<Function>,
    /// Steps that the Monitor has said something of.
    told: usize,
    /// Replies in a row that said nothing, of the Monitor and of the Detector.
    vain: (u64, u64),
    pub typed: Vec<Typed>,
    /// What the Detector called wrong in the Explorer's operations, the oldest first.
    pub advice: Vec<String>,
    pub counts: Counts,
    turn: u32,
    /// The function is judged whatever its steps are: it was judged before.
    inspected: bool,
}

/// What was asked in a test, and what the questions led to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub questions: u64,
    pub in_vain: u64,
    pub wrong_operations: u64,
    /// A question was not sent: the session's calls, tokens or money are used up, or its recording
    /// holds no reply.
    pub cut_off: bool,
}

/// A function of the app, as the test carried it out.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// Its first and last step, numbers from 1; it ends before its first step when it has none.
    pub first: usize,
    pub last: usize,
    pub stage: Stage,
}

#[derive(Clone, Debug)]
pub enum Stage {
    /// Under way.
    Open,
    /// Finished; the Detector has not spoken.
    Finished,
    /// Finished with a step that only looked at a page: nothing that could be right or wrong.
    Looked,
    Judged(Box<Detection>),
    /// The Detector said nothing useful: why.
    Unjudged(String),
}

/// What the Detector said of a function.
#[derive(Clone, Debug)]
pub struct Detection {
    pub opinion: Opinion,
    /// The turn of the job it said it in, and who answered.
    pub turn: u32,
    pub exchange: Exchange,
}

/// A text that was typed.
#[derive(Clone, Debug)]
pub struct Typed {
    pub text: String,
    /// The step and the page.
    pub step: usize,
    pub page: usize,
    /// The page was left without doing anything on it after the typing.
    pub dropped: bool,
}

/// Steps of one function at most; one that goes on longer is finished by rule.
const MOST_STEPS: usize = 24;

impl Chronicle {
    /// A test of this app that nothing was done in.
    pub fn new(app: &str) -> Self {
        Self { app: app.to_owned(), teller: Teller::new(app), ..Self::default() }
    }

    /// The same in a session with this definition: what its rules ignore is not told.
    pub fn blank(definition: &SessionDefinition) -> Self {
        let veil = Veil { ignored: definition.ignore.clone(), ..Veil::default() };
        Self { veil, ..Self::new(&definition.app) }
    }

    /// The same for a test in which it is known beforehand which steps carry out a function.
    pub fn with_stretch(self, stretch: &Stretch) -> Self {
        let first = usize::from(stretch.first) + 1;
        let function = Function { name: stretch.function.clone(), first, last: first, stage: Stage::Open };
        Self { functions: vec![function], inspected: true, ..self }
    }

    /// The chronicles of the tests of a job, as far as they ran; `blank` is how each begins.
    pub fn of_run(run: &JobRun, blank: &Self, layouts: &dyn Layouts) -> Vec<Self> {
        let tests: &[Test] = match &run.job.work {
            droidmux_record::Work::Batch(Batch { tests, .. }) => tests,
            _ => &[],
        };
        let mut all: Vec<Self> = Vec::new();
        for (number, turn) in (0..).zip(&run.turns) {
            if turn.act == Act::Reset {
                all.push(match tests.get(all.len()).map(|test| &test.role) {
                    Some(Role::Toured(stretch)) => blank.clone().with_stretch(stretch),
                    _ => blank.clone(),
                });
            }
            if let Some(chronicle) = all.last_mut() {
                chronicle.turn = number;
                chronicle.note(&turn.act, &turn.observation, layouts);
            }
        }
        all
    }

    /// Takes down a turn.
    pub fn note(&mut self, act: &Act, observation: &Observation, layouts: &dyn Layouts) {
        match (act, observation) {
            (Act::Reset, Observation::Seen(_)) => self.begin(act, observation, layouts),
            (Act::Perform(_), Observation::Seen(_) | Observation::Failed(_)) => {
                self.step(act, observation, layouts);
            }
            (Act::Consult(consultation), Observation::Answered(answer)) => {
                match (&**consultation, &**answer) {
                    (Consultation::Ask(question), answer) => {
                        self.counts.questions += 1;
                        self.answered(question.agent, answer);
                    }
                    (Consultation::Compare(_), Answer::Differences(areas)) => {
                        self.compared(areas.as_deref(), layouts);
                    }
                    (Consultation::Compare(_), _) => self.compared(None, layouts),
                    _ => {}
                }
            }
            _ => {}
        }
        self.turn = self.turn.saturating_add(1);
    }

    /// The number of the turn that comes next.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// The screen now.
    pub fn here(&self) -> Option<&Sight> {
        self.sights.last()
    }

    /// What is on the screen now; `None` where its layout is not known.
    pub fn facts(&self) -> Option<&Facts> {
        self.teller.facts().map(|facts| &**facts)
    }

    /// The steps that the Monitor is to speak of next, numbers from 1; none when it has spoken of all.
    pub fn untold(&self) -> std::ops::RangeInclusive<usize> {
        self.told + 1..=self.steps.len()
    }

    /// Whether any of those was performed.
    pub fn has_news(&self) -> bool {
        self.steps.get(self.told..).is_some_and(|steps| steps.iter().any(|step| !step.failed()))
    }

    /// The function whose steps wait for the Detector, when the step after it was done, too: what a function did is
    /// often seen only there. With `ending`, also without that step, and the one under way.
    pub fn to_judge(&self, ending: bool) -> Option<&Function> {
        let waits = |function: &&Function| matches!(function.stage, Stage::Finished);
        let is_seen = |function: &&Function| ending || self.steps.len() > function.last;
        let waiting = self.functions.iter().find(waits).filter(is_seen);
        let open = || self.open().filter(|open| ending && open.first <= self.steps.len());
        waiting.or_else(|| open().filter(|open| !self.only_looks(open.first, self.steps.len())))
    }

    /// Whether the only one of these steps did nothing but look at another page, or go back from one.
    fn only_looks(&self, first: usize, last: usize) -> bool {
        let step = self.steps.get(last.wrapping_sub(1)).filter(|_| first == last && !self.inspected);
        step.is_some_and(|step| step.looks)
    }

    /// The function under way.
    pub fn open(&self) -> Option<&Function> {
        self.functions.last().filter(|function| matches!(function.stage, Stage::Open))
    }

    /// The function was judged before, and is judged again.
    pub fn is_inspected(&self) -> bool {
        self.inspected
    }

    /// The last step of a function, for one under way the last so far.
    pub fn last_of(&self, function: &Function) -> usize {
        if matches!(function.stage, Stage::Open) { self.steps.len() } else { function.last }
    }

    /// The last step that the Detector is told in full: the one after the function, where there is one.
    pub fn end_of(&self, function: &Function) -> usize {
        self.steps.len().min(self.last_of(function).saturating_add(1))
    }

    fn answered(&mut self, agent: Agent, answer: &Answer) {
        let Answer::Reply(reply) = answer else {
            self.counts.in_vain += 1;
            let why = match answer {
                Answer::None(unanswered) => Some(unanswered.why),
                _ => None,
            };
            self.counts.cut_off |= matches!(why, Some(NoReply::Budget | NoReply::NotRecorded));
            let words = why.map_or("", NoReply::name);
            match agent {
                Agent::Detector => self.judge(Stage::Unjudged(format!("no reply: {words}"))),
                Agent::Monitor => self.pass_over(),
                _ => {}
            }
            return;
        };
        match agent {
            Agent::Monitor => match monitor::read(&reply.text) {
                Ok(remark) => self.remarked(remark),
                Err(_) => {
                    self.counts.in_vain += 1;
                    self.vain.0 += 1;
                    if self.vain.0 >= Batch::CALLS_OF_FUNCTION {
                        self.pass_over();
                    }
                }
            },
            Agent::Detector => match detector::read(&reply.text) {
                Ok(opinion) => self.detected(opinion, &reply.exchange),
                Err(why) => {
                    self.counts.in_vain += 1;
                    self.vain.1 += 1;
                    if self.vain.1 >= Batch::CALLS_OF_FUNCTION {
                        self.judge(Stage::Unjudged(format!("the Detector's replies cannot be read: {why}")));
                    }
                }
            },
            // Asked in place of the Monitor, too, when there is something to say.
            Agent::Explorer if self.has_news() => {
                if let Ok(remark) = monitor::read(&reply.text) {
                    self.remarked(remark);
                }
            }
            _ => {}
        }
    }

    /// The Monitor says nothing of the steps so far: they stay with the function under way.
    fn pass_over(&mut self) {
        (self.vain.0, self.told) = (0, self.steps.len());
    }

    /// What the Monitor says of the steps since it last spoke.
    fn remarked(&mut self, remark: Remark) {
        let (first, last) = (self.told + 1, self.steps.len());
        self.pass_over();
        if first > last {
            return;
        }
        if let Some(step) = self.steps.get_mut(first - 1..).filter(|_| !remark.informative) {
            step.iter_mut().for_each(|step| step.shown = false);
        }
        if let Some(page) = self.here().map(|sight| sight.page)
            && let Some(page) = self.pages.get_mut(page)
            && !remark.page.is_empty()
        {
            page.description.clone_from(&remark.page);
        }
        if remark.new {
            self.finish(first - 1);
        }
        match self.functions.last_mut().filter(|function| matches!(function.stage, Stage::Open)) {
            Some(open) if remark.function.is_empty() => open.last = last,
            Some(open) => (open.last, open.name) = (last, remark.function),
            None => {
                let function = Function { name: remark.function, first, last, stage: Stage::Open };
                self.functions.push(function);
            }
        }
        let long = self.open().is_some_and(|open| open.last + 1 >= open.first + MOST_STEPS);
        if remark.finished || long {
            self.finish(last);
        }
    }

    /// Ends the function under way with this step; one without any step is dropped.
    fn finish(&mut self, last: usize) {
        let Some(first) = self.open().map(|open| open.first) else { return };
        if last < first {
            self.functions.pop();
            return;
        }
        let stage = if self.only_looks(first, last) { Stage::Looked } else { Stage::Finished };
        if let Some(open) = self.functions.last_mut() {
            (open.last, open.stage) = (last, stage);
        }
    }

    fn detected(&mut self, opinion: Opinion, exchange: &Exchange) {
        self.counts.wrong_operations += opinion.wrong.len() as u64;
        for wrong in &opinion.wrong {
            let step = wrong.step.and_then(|step| self.steps.get((step as usize).checked_sub(1)?));
            let words = step.map(|step| format!("{}: ", step.told.event)).unwrap_or_default();
            self.advice.push(format!("{words}{}", wrong.why));
        }
        let (turn, exchange) = (self.turn, exchange.clone());
        self.judge(Stage::Judged(Box::new(Detection { opinion, turn, exchange })));
    }

    /// Sets down the outcome for the function that the Detector was asked about.
    fn judge(&mut self, stage: Stage) {
        self.vain.1 = 0;
        let waits = self.functions.iter().position(|f| matches!(f.stage, Stage::Finished));
        let last = self.steps.len();
        let number = waits.or_else(|| {
            self.finish(last);
            self.functions.iter().position(|f| matches!(f.stage, Stage::Finished))
        });
        if let Some(function) = number.and_then(|number| self.functions.get_mut(number)) {
            function.stage = stage;
        }
    }

    /// Texts that were typed and then dropped, before this step: what no screen should show.
    pub fn dropped_before(&self, step: usize) -> impl Iterator<Item = &Typed> {
        let again = |text: &str| self.typed.iter().filter(|typed| typed.text == text).count() > 1;
        self.typed.iter().filter(move |typed| typed.dropped && typed.step < step && !again(&typed.text))
    }

    /// Whether a text was typed in this test, or stood outside of fields on some screen of it.
    pub fn knows(&self, text: &str) -> bool {
        let shows = |line: &Line| !line.text.starts_with("field") && line.text.contains(text);
        let told = self.sights.iter().filter_map(|sight| sight.told.as_ref());
        self.typed.iter().any(|typed| typed.text == text.trim())
            || told.flat_map(|told| &told.lines).any(shows)
    }

    /// Notes a text that was typed, and texts that were left behind by going back.
    pub(super) fn note_texts(&mut self, kind: EventKind, text: Option<&str>, from: usize) {
        let step = self.steps.len() + 1;
        match (kind, text) {
            (EventKind::Edit, Some(text)) if !text.trim().is_empty() => {
                let text = text.trim().to_owned();
                self.typed.push(Typed { text, step, page: from, dropped: false });
            }
            (EventKind::Back, _) => {
                // Typed on this page, and nothing done on it since but typing.
                let typing = self.steps.iter().rev().take_while(|step| step.kind == EventKind::Edit).count();
                for typed in self.typed.iter_mut().filter(|typed| typed.page == from) {
                    typed.dropped |= typed.step + typing >= step;
                }
            }
            _ => {}
        }
    }

    /// The layouts before and after a step, by its number from 1.
    pub fn around(&self, step: usize) -> Option<(LayoutHash, LayoutHash)> {
        Some((self.sights.get(step.checked_sub(1)?)?.layout, self.sights.get(step)?.layout))
    }
}
