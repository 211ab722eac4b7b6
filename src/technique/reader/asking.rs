//! The driver of a job that is one question: asks, and once more where the reply is of no use.

use crate::Driver;
use droidmux_record::{
    Act, Answer, Consultation, Ending, JobRun, Layouts, Observation, Part, Question, Reply,
};

/// What is wrong with a reply; `None` when it can be used.
pub type Complain = fn(&str) -> Option<String>;

/// Asks a question.
#[derive(Clone)]
pub struct AskingDriver {
    question: Question,
    complain: Complain,
    /// Times it may still be asked.
    left: u32,
}

/// Times that one question is asked.
const TIMES: u32 = 2;

impl AskingDriver {
    /// Asks this; `complain` says what is wrong with a reply.
    pub fn new(question: Question, complain: Complain) -> Self {
        Self { question, complain, left: TIMES }
    }

    fn ask(&mut self, complaint: Option<&str>) -> Act {
        self.left = self.left.saturating_sub(1);
        let mut question = self.question.clone();
        if let Some(complaint) = complaint {
            question.parts.push(Part::Text(format!("Your last reply was of no use: {complaint}.")));
        }
        Act::Consult(Box::new(Consultation::Ask(question)))
    }
}

impl Driver for AskingDriver {
    fn next(&mut self, observation: &Observation, _layouts: &dyn Layouts) -> Act {
        match observation.answer() {
            None if *observation == Observation::Started => self.ask(None),
            Some(Answer::Reply(reply)) => match (self.complain)(&reply.text) {
                Some(complaint) if self.left > 0 => self.ask(Some(&complaint)),
                _ => Act::Finish(Ending::Complete),
            },
            _ => Act::Finish(Ending::Unanswered),
        }
    }

    fn fresh(&self) -> Box<dyn Driver> {
        Box::new(self.clone())
    }
}

/// The last reply of a job, with the number of its turn.
pub fn last_reply(run: &JobRun) -> Option<(u32, &Reply)> {
    let numbered = (0..).zip(&run.turns);
    let replies = numbered.filter_map(|(turn, at)| match at.observation.answer() {
        Some(Answer::Reply(reply)) => Some((turn, reply)),
        _ => None,
    });
    replies.last()
}

/// Whether nobody will answer further questions of the session either.
pub fn is_cut_off(run: &JobRun) -> bool {
    use droidmux_record::NoReply::{Budget, NotRecorded};
    run.turns.iter().any(|turn| {
        matches!(turn.observation.answer(), Some(Answer::None(none)) if matches!(none.why, Budget | NotRecorded))
    })
}
