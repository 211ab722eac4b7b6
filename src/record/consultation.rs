//! What a driver may consult besides the device. Every answer is an observation, so that feeding it to a fresh driver
//! needs neither network nor clock.

use serde::{Deserialize, Serialize};

use super::{
    BlobHash, Example, Foretold, Generated, Generation, Question, Recall, Reply, StepOrder, StepQuestion,
    Unanswered,
};
use droidmux_gui::Bounds;

/// One question, to one of the five consultable sources.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Consultation {
    /// A language model: [`Answer::Reply`] or [`Answer::None`].
    Ask(Question),
    /// The sandbox: [`Answer::Inputs`] or [`Answer::Foretold`].
    Generate(Generation),
    /// The store of examples: [`Answer::Examples`].
    Recall(Recall),
    /// The person who leads the test: [`Answer::Order`].
    Steer(StepQuestion),
    /// The store of screenshots: [`Answer::Differences`].
    Compare(Comparison),
}

/// Asks where two screenshots differ: what no layout says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// By its name beside the store.
    pub earlier: BlobHash,
    /// Likewise.
    pub later: BlobHash,
}

/// The answer. Asking for inputs or examples always has an answer, perhaps an empty one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// What the model said, in full.
    Reply(Reply),
    /// To [`Consultation::Ask`], when there is no reply, and why.
    None(Unanswered),
    /// What the generator yielded, even if it failed on the way.
    Inputs(Generated),
    /// The nearest first; none when there are none.
    Examples(Vec<Example>),
    /// What the person wants to do next.
    Order(StepOrder),
    /// The areas in which two screenshots differ, in pixels of the device, from the top down; `None` when one of them is
    /// missing or unreadable.
    Differences(Option<Vec<Bounds>>),
    /// What a generator yielded that says of some of its inputs what should come of them.
    Foretold(Foretold),
}

impl Answer {
    /// What a generator yielded, if it answers for one.
    pub fn generated(&self) -> Option<&Generated> {
        match self {
            Self::Inputs(generated) | Self::Foretold(Foretold { generated, .. }) => Some(generated),
            Self::Reply(_) | Self::None(_) | Self::Examples(_) | Self::Order(_) | Self::Differences(_) => {
                None
            }
        }
    }
}

impl Consultation {
    /// The question to a language model, if it is one.
    pub fn question(&self) -> Option<&Question> {
        match self {
            Self::Ask(question) => Some(question),
            Self::Generate(_) | Self::Recall(_) | Self::Steer(_) | Self::Compare(_) => None,
        }
    }
}
