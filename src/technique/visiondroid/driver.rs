//! The driver of a tour: the Explorer acts, the Monitor follows, and whenever a function is finished
//! exploration waits for the Detector.

use std::collections::VecDeque;
use std::sync::Arc;

use super::chronicle::Chronicle;
use super::explorer::{self, Scene};
use super::inquiry::{Inquiring, Inquiry};
use super::lore::Lore;
use super::tour::Tour;
use super::{monitor, rules};
use crate::Driver;
use crate::VisiondroidSettings;
use droidmux_gui::{Event, EventKind};
use droidmux_record::{
    Act, Agent, Answer, Batch, Consultation, Ending, Failure, Layouts, Observation, Provider, Question,
    SessionDefinition,
};

/// Drives one test by what three agents say, until its events or questions are used up.
///
/// Replies that say nothing are asked for again a few times, with what was wrong with them; then a rule takes the
/// agent's place: for the Explorer by what was tried least, for the Monitor by carrying on.
#[derive(Clone)]
pub struct TourDriver {
    app: String,
    settings: Arc<VisiondroidSettings>,
    lore: Arc<Lore>,
    number: u64,
    /// Fixed rules answer.
    without_model: bool,
    chronicle: Chronicle,
    inquiry: Inquiry,
    /// The act whose observation comes next.
    last: Option<Act>,
    /// What the Explorer wants done.
    pending: VecDeque<Event>,
    events: u32,
    calls: u32,
    /// Questions in a row that nobody answered.
    silent: u32,
    /// What was wrong with the Explorer's, or the Monitor's, last reply.
    complaint: Option<(Agent, String)>,
    /// Replies of the Explorer in a row that led to nothing.
    vain: u64,
    /// The Explorer is not asked for the next event: a rule chooses it.
    by_rule: bool,
    /// Attempts in a row to come back to the app.
    away: u32,
    /// The Explorer's question is the Monitor's, too: so far every reply to it held what both are to say.
    together: bool,
}

/// Replies in a row that may say nothing.
const MOST_VAIN: u64 = Batch::CALLS_OF_FUNCTION;

/// Questions in a row that may stay without a reply.
const MOST_SILENT: u32 = 3;

/// Attempts to come back to the app before a test ends.
const MOST_AWAY: u32 = 4;

impl TourDriver {
    /// A tour from a reset on; `lore` is what earlier tours of the session taught.
    pub fn new(
        tour: &Tour,
        definition: &SessionDefinition,
        settings: &Arc<VisiondroidSettings>,
        lore: &Arc<Lore>,
    ) -> Self {
        let without_model = definition.llm.provider == Provider::Rules;
        Self {
            app: definition.app.clone(),
            settings: settings.clone(),
            lore: lore.clone(),
            number: tour.number,
            without_model,
            chronicle: Chronicle::blank(definition),
            inquiry: Inquiry::new(without_model),
            last: None,
            pending: VecDeque::new(),
            events: tour.events,
            calls: tour.calls,
            silent: 0,
            complaint: None,
            vain: 0,
            by_rule: false,
            away: 0,
            together: true,
        }
    }

    fn observe(&mut self, act: &Act, observation: &Observation, layouts: &dyn Layouts) {
        self.inquiry.note(act, observation);
        if let (Act::Consult(consultation), Some(answer)) = (act, observation.answer()) {
            if let Some(question) = consultation.question() {
                self.answered(question.agent, answer);
            }
        } else if matches!(act, Act::Perform(_)) {
            self.events = self.events.saturating_sub(1);
            self.performed(observation);
        }
        self.chronicle.note(act, observation, layouts);
    }

    fn performed(&mut self, observation: &Observation) {
        match observation {
            Observation::Failed(failure) => {
                self.pending.clear();
                if *failure == Failure::TimedOut {
                    self.events = 0;
                }
                let why =
                    format!("the action could not be done: {}", droidmux_account::failure_words(failure));
                self.in_vain(why);
            }
            _ => {
                self.complaint = None;
                (self.vain, self.by_rule) = (0, false);
            }
        }
    }

    fn answered(&mut self, agent: Agent, answer: &Answer) {
        let Answer::Reply(reply) = answer else {
            self.silent += 1;
            self.by_rule |= agent == Agent::Explorer;
            return;
        };
        self.silent = 0;
        match agent {
            Agent::Explorer => {
                if self.chronicle.has_news() && monitor::read(&reply.text).is_err() {
                    self.together = false;
                }
                let read = self.scene(|scene| explorer::read(&reply.text, scene));
                match read {
                    Some(Ok(events)) => self.pending = events.into(),
                    Some(Err(why)) => self.in_vain(why.to_string()),
                    None => self.by_rule = true,
                }
            }
            Agent::Monitor => match monitor::read(&reply.text) {
                Ok(_) => drop(self.complaint.take_if(|(to, _)| *to == agent)),
                Err(why) => self.complaint = Some((agent, why.to_string())),
            },
            _ => {}
        }
    }

    /// What the Explorer wanted makes no sense, or could not be done.
    fn in_vain(&mut self, why: String) {
        self.vain += 1;
        self.complaint = Some((Agent::Explorer, why));
        if self.vain >= MOST_VAIN {
            (self.by_rule, self.complaint, self.vain) = (true, None, 0);
        }
    }

    /// What was wrong with this agent's last reply.
    fn complaint_to(&self, agent: Agent) -> Option<&str> {
        self.complaint.as_ref().filter(|(to, _)| *to == agent).map(|(_, what)| what.as_str())
    }

    fn decide(&mut self, layouts: &dyn Layouts) -> Act {
        if self.silent >= MOST_SILENT || self.chronicle.counts.cut_off {
            return Act::Finish(Ending::Unanswered);
        }
        let Some(here) = self.chronicle.here() else { return Act::Finish(Ending::Stuck) };
        if here.crashed {
            // Another oracle's word, and nothing is left to look at.
            return Act::Finish(Ending::Complete);
        }
        if let Some(comparison) = self.chronicle.to_compare() {
            return Act::Consult(Box::new(Consultation::Compare(comparison)));
        }
        let lost = self.away >= MOST_AWAY && !here.in_app;
        let over = self.events == 0 || lost;
        if !here.in_app && !over {
            return self.come_back();
        }
        if !lost {
            self.away = 0;
        }
        let alone = over || self.by_rule || !self.together;
        if (self.pending.is_empty() || over) && alone && self.chronicle.has_news() {
            let complaint = self.complaint_to(Agent::Monitor);
            let mut question = monitor::question(&self.chronicle, complaint, &self.settings, layouts);
            if self.without_model {
                question = question.with_rules(&rules::remark(&self.chronicle));
            }
            return self.ask(question);
        }
        if let Some(function) = self.chronicle.to_judge(over).cloned() {
            return match self.inquiry.next(&self.chronicle, &function, &self.app, &self.settings, layouts) {
                Inquiring::Recall(recall) => Act::Consult(Box::new(Consultation::Recall(recall))),
                Inquiring::Ask(question) => self.ask(*question),
            };
        }
        if over {
            return Act::Finish(if lost { Ending::Stuck } else { Ending::Complete });
        }
        self.explore()
    }

    fn explore(&mut self) -> Act {
        if let Some(event) = self.pending.pop_front() {
            return Act::Perform(event);
        }
        if self.by_rule {
            let event = self.scene(explorer::fallback);
            return Act::Perform(event.unwrap_or_else(|| Event::global(EventKind::Back)));
        }
        let complaint = self.complaint_to(Agent::Explorer).map(str::to_owned);
        let settings = self.settings.clone();
        let without_model = self.without_model;
        let question = self.scene(|scene| {
            let question = explorer::question(scene, complaint.as_deref(), &settings);
            if without_model { question.with_rules(&rules::next(scene)) } else { question }
        });
        match question {
            Some(question) => self.ask(question),
            None => Act::Finish(Ending::Stuck),
        }
    }

    /// What the Explorer has to choose from now; `None` when the screen's layout is not known.
    fn scene<T>(&self, with: impl FnOnce(&Scene<'_>) -> T) -> Option<T> {
        let facts = self.chronicle.facts()?;
        let operable = facts.layout().operable();
        let (chronicle, lore, number, left) = (&self.chronicle, &*self.lore, self.number, self.events);
        Some(with(&Scene { chronicle, lore, facts, operable: &operable, number, left }))
    }

    fn ask(&mut self, question: Question) -> Act {
        if self.calls == 0 {
            return Act::Finish(Ending::Unanswered);
        }
        self.calls -= 1;
        Act::Consult(Box::new(Consultation::Ask(question)))
    }

    /// Back, then the launcher icon.
    fn come_back(&mut self) -> Act {
        self.pending.clear();
        self.away += 1;
        let kind = if self.away == 1 { EventKind::Back } else { EventKind::Launch };
        Act::Perform(Event::global(kind))
    }
}

impl Driver for TourDriver {
    fn next(&mut self, observation: &Observation, layouts: &dyn Layouts) -> Act {
        let act = match self.last.take() {
            None => Act::Reset,
            Some(last) => {
                self.observe(&last, observation, layouts);
                self.decide(layouts)
            }
        };
        self.last = Some(act.clone());
        act
    }

    fn fresh(&self) -> Box<dyn Driver> {
        Box::new(self.clone())
    }
}
