//! Fixed rules in place of a language model.
//!
//! In: a question, as it would be sent. Out: a reply, as a model would write it. The rules for texts read only the
//! rendered text, as a model does; they know no app and none of its words. Those that judge screens decide on more than
//! its text: their reply comes with the question.

mod input;

use super::Rules;
use droidmux_record::{Agent, Question};

/// Answers the prompts of all techniques.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fixed;

impl Rules for Fixed {
    fn answer(&self, question: &Question) -> String {
        answer(question)
    }
}

/// The reply to a question, depending on who asks.
pub fn answer(question: &Question) -> String {
    match question.agent {
        Agent::Explorer | Agent::Monitor | Agent::Detector => question.by_rules().unwrap_or("{}").to_owned(),
        Agent::ValidInput | Agent::TestGenerator => input::answer(question),
        // What a screen means is beyond rules: sessions without a model do not ask them.
        Agent::Reader | Agent::Reviewer => "{}".to_owned(),
    }
}
