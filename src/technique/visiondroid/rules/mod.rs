//! Fixed rules that stand in for the three agents where no model is asked.
//!
//! In: what the agents are told, as values. Out: replies as a model would write them.
//!
//! Invariant: what an app calls its widgets, and what they say, decides nothing; texts are only compared with each
//! other. So an app in which all words are replaced gets the same replies, except for the words in them. Rules look at
//! no picture.

mod choice;
mod deed;
mod monitor;
mod opinion;
mod story;
#[cfg(test)]
mod tests;

use super::chronicle::{Chronicle, Function};
use super::explorer::Scene;
use deed::Deeds;
use droidmux_record::Layouts;
use serde_json::Value;

/// What the Monitor says of the steps that it has not spoken of.
pub fn remark(chronicle: &Chronicle) -> String {
    monitor::remark(chronicle).to_string()
}

/// What the Explorer says; where there are steps that the Monitor has not spoken of, what that one says, too.
pub fn next(scene: &Scene<'_>) -> String {
    let choice = choice::choice(scene);
    if !scene.chronicle.has_news() {
        return choice.to_string();
    }
    let mut both = monitor::remark(scene.chronicle);
    if let (Value::Object(both), Value::Object(choice)) = (&mut both, choice) {
        both.extend(choice);
    }
    both.to_string()
}

/// What the Detector says of a function.
pub fn opinion(chronicle: &Chronicle, function: &Function, layouts: &dyn Layouts) -> String {
    let deeds = Deeds::of(chronicle, function.first, chronicle.last_of(function), layouts);
    opinion::opinion(chronicle, function, &deeds).to_string()
}
