//! What a driver may ask besides the device. Every answer is an observation, so that feeding it to
//! a fresh driver needs neither network nor clock.

use serde::{Deserialize, Serialize};

use super::{Example, Generated, Generation, Question, Recall, Reply, Unanswered};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Consultation {
    /// A language model: [`Answer::Reply`] or [`Answer::None`].
    Ask(Question),
    /// The sandbox: [`Answer::Inputs`].
    Generate(Generation),
    /// The store of examples: [`Answer::Examples`].
    Recall(Recall),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    Reply(Reply),
    None(Unanswered),
    Inputs(Generated),
    /// The nearest first; none when there are none.
    Examples(Vec<Example>),
}

impl Consultation {
    /// The question to a language model, if it is one.
    pub fn question(&self) -> Option<&Question> {
        match self {
            Self::Ask(question) => Some(question),
            Self::Generate(_) | Self::Recall(_) => None,
        }
    }
}
