//! Fresh replays of functions: the events again, then the Detector's question again.

use std::sync::Arc;

use super::chronicle::Chronicle;
use super::inquiry::{Inquiring, Inquiry};
use crate::Driver;
use crate::VisiondroidSettings;
use droidmux_record::{
    Act, Batch, Consultation, Ending, Layouts, Observation, Provider, Role, SessionDefinition, Test,
};

/// Runs tests of functions one after another, each from a fresh reset, and asks about each.
#[derive(Clone)]
pub struct InspectionDriver {
    app: String,
    settings: Arc<VisiondroidSettings>,
    tests: Vec<Test>,
    /// The running test; `None` before the first.
    test: Option<usize>,
    /// Events of the running test that were asked for.
    asked: usize,
    /// How each test begins.
    blank: Chronicle,
    chronicle: Chronicle,
    inquiry: Inquiry,
    last: Option<Act>,
}

impl InspectionDriver {
    /// For the batch's tests, of the session with this definition; begins with a reset.
    pub fn new(batch: &Batch, definition: &SessionDefinition) -> Self {
        Self {
            app: definition.app.clone(),
            settings: Arc::new(definition.settings.of()),
            tests: batch.tests.clone(),
            test: None,
            asked: 0,
            blank: Chronicle::blank(definition),
            chronicle: Chronicle::default(),
            inquiry: Inquiry::new(definition.llm.provider == Provider::Rules),
            last: None,
        }
    }

    fn next_test(&mut self) -> Act {
        let next = self.test.map_or(0, |test| test + 1);
        let Some(test) = self.tests.get(next) else { return Act::Finish(Ending::Complete) };
        self.chronicle = match &test.role {
            Role::Toured(stretch) => self.blank.clone().with_stretch(stretch),
            _ => self.blank.clone(),
        };
        (self.test, self.asked) = (Some(next), 0);
        Act::Reset
    }

    fn decide(&mut self, observation: &Observation, layouts: &dyn Layouts) -> Act {
        let crashed = self.chronicle.here().is_none_or(|here| here.crashed);
        if crashed || matches!(observation, Observation::Failed(_)) {
            return self.next_test();
        }
        if let Some(comparison) = self.chronicle.to_compare() {
            return Act::Consult(Box::new(Consultation::Compare(comparison)));
        }
        let events = self.test.and_then(|test| self.tests.get(test)).map_or(&[][..], |test| &test.events);
        if let Some(event) = events.get(self.asked) {
            self.asked += 1;
            return Act::Perform(event.clone());
        }
        let Some(function) = self.chronicle.to_judge(true).cloned() else { return self.next_test() };
        let consultation =
            match self.inquiry.next(&self.chronicle, &function, &self.app, &self.settings, layouts) {
                Inquiring::Recall(recall) => Consultation::Recall(recall),
                Inquiring::Ask(question) => Consultation::Ask(*question),
            };
        Act::Consult(Box::new(consultation))
    }
}

impl Driver for InspectionDriver {
    fn next(&mut self, observation: &Observation, layouts: &dyn Layouts) -> Act {
        let act = match self.last.take() {
            None => self.next_test(),
            Some(last) => {
                self.inquiry.note(&last, observation);
                self.chronicle.note(&last, observation, layouts);
                self.decide(observation, layouts)
            }
        };
        self.last = Some(act.clone());
        act
    }

    fn fresh(&self) -> Box<dyn Driver> {
        Box::new(self.clone())
    }
}
