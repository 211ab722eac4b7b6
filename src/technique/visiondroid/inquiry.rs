//! Asking the Detector: examples first, then the question, and again if the reply says nothing.

use super::chronicle::{Chronicle, Function};
use super::step::short_activity;
use super::{detector, rules};
use crate::VisiondroidSettings;
use crate::sentence::split_name;
use droidmux_record::{
    Act, Agent, Answer, Consultation, Example, ExampleKind, Layouts, Observation, Question, Recall,
};

/// What the Detector is asked with.
#[derive(Clone, Debug, Default)]
pub struct Inquiry {
    /// The examples for an activity.
    examples: Option<(String, Vec<Example>)>,
    /// The activity for which they were asked.
    asked_for: String,
    complaint: Option<String>,
    /// Fixed rules answer in place of a model.
    by_rules: bool,
}

/// The next thing to ask.
pub enum Inquiring {
    Recall(Recall),
    Ask(Box<Question>),
}

impl Inquiry {
    /// `by_rules`: fixed rules answer in place of a model.
    pub fn new(by_rules: bool) -> Self {
        Self { by_rules, ..Self::default() }
    }

    /// Takes in what was answered to an act of it.
    pub fn note(&mut self, act: &Act, observation: &Observation) {
        let (Act::Consult(consultation), Some(answer)) = (act, observation.answer()) else { return };
        match (&**consultation, answer) {
            (Consultation::Recall(_), answer) => {
                let examples = match answer {
                    Answer::Examples(examples) => examples.clone(),
                    _ => Vec::new(),
                };
                self.examples = Some((self.asked_for.clone(), examples));
            }
            // What the other agents say is no opinion, and was never meant as one.
            (Consultation::Ask(question), answer) if question.agent == Agent::Detector => {
                let read = |reply: &str| detector::read(reply).err().map(|why| why.to_string());
                self.complaint = match answer {
                    Answer::Reply(reply) => read(&reply.text),
                    _ => None,
                };
            }
            _ => {}
        }
    }

    /// What to ask about a function of a test.
    pub fn next(
        &mut self,
        chronicle: &Chronicle,
        function: &Function,
        app: &str,
        settings: &VisiondroidSettings,
        layouts: &dyn Layouts,
    ) -> Inquiring {
        let activity = chronicle.sights.get(chronicle.last_of(function)).map(|sight| sight.activity.clone());
        let activity = activity.unwrap_or_default();
        let known = self.examples.as_ref().filter(|(of, _)| *of == activity);
        if known.is_none() && settings.examples > 0 {
            let words = split_name(short_activity(&activity));
            self.asked_for = activity;
            let (kind, not_app, most) = (ExampleKind::Bug, app.to_owned(), settings.examples);
            return Inquiring::Recall(Recall { kind, words, not_app, most });
        }
        let examples = known.map_or(&[][..], |(_, examples)| examples);
        let complaint = self.complaint.as_deref();
        let question = detector::question(chronicle, function, examples, complaint, settings, layouts);
        let question = if self.by_rules {
            question.with_rules(&rules::opinion(chronicle, function, layouts))
        } else {
            question
        };
        Inquiring::Ask(Box::new(question))
    }
}
