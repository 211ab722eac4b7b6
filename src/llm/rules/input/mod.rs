//! Rules for InputBlaster's two questions: valid inputs by what fields are called and what
//! appeared at them, and a catalogue of mutation rules with generators.
//!
//! They look at structure before words: formats and examples with digits in them, numbers in messages, where a message
//! appears, which fields are passwords, what was tried. The few words they know are common to forms in general.

mod catalogue;
mod field;
mod sheet;
mod valid;

use droidmux_record::{Agent, Question};

/// The reply to a question of InputBlaster, as JSON.
pub(super) fn answer(question: &Question) -> String {
    let text = question.text();
    match question.agent {
        Agent::TestGenerator => catalogue::answer(&text),
        _ => valid::answer(&text),
    }
}
