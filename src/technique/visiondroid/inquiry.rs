//! Asking the Detector: examples first, then the question, again where the reply says nothing.

use super::account::short_activity;
use super::chronicle::{Chronicle, Function};
use super::detector;
use crate::record::{
    Act, Answer, Consultation, Example, ExampleKind, Layouts, Observation, Question, Recall,
    VisiondroidSettings,
};

/// What the Detector is asked with.
#[derive(Clone, Debug, Default)]
pub struct Inquiry {
    /// The examples for an activity.
    examples: Option<(String, Vec<Example>)>,
    /// The activity for which they were asked.
    asked_for: String,
    complaint: Option<String>,
}

/// The next thing to ask.
pub enum Inquiring {
    Recall(Recall),
    Ask(Box<Question>),
}

impl Inquiry {
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
            (_, Answer::Reply(reply)) => self.complaint = detector::read(&reply.text).err(),
            _ => self.complaint = None,
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
        Inquiring::Ask(Box::new(question))
    }
}

/// `HistoryDetailActivity` as `history detail activity`.
pub fn split_name(name: &str) -> String {
    let mut words = String::new();
    let mut before = ' ';
    for c in name.chars() {
        let breaks = c.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit());
        if breaks || matches!(c, '_' | '.' | '$' | '-') {
            words.push(' ');
        }
        if !matches!(c, '_' | '.' | '$' | '-') {
            words.extend(c.to_lowercase());
        }
        before = c;
    }
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::split_name;

    #[test]
    fn names_of_activities_are_split_at_capitals() {
        for (name, words) in [
            ("HistoryDetailActivity", "history detail activity"),
            ("main", "main"),
            ("Edit_Note2Page", "edit note2 page"),
            ("URLView", "urlview"),
            ("", ""),
        ] {
            assert_eq!(split_name(name), words);
        }
    }
}
