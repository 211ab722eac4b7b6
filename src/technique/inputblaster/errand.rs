//! Tests of one form: filling it in again and again, and what is known of it.

use serde::{Deserialize, Serialize};

use droidmux_gui::{Event, StateId};
use droidmux_record::ErrandContent;
pub use droidmux_record::Expectation;

/// Tests of one form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormTest {
    /// Leads from a reset to the form.
    pub way: Vec<Event>,
    /// The form where the way ends if the app does as it did, told by its activity and its fields.
    pub state: StateId,
    /// The field that gets the unusual texts, in document order from 0; past the last one they are
    /// counted from the first again.
    pub field: u16,
    /// The most inputs of that field that are entered and submitted.
    pub attempts: u32,
    /// The most events, including those of the way each time.
    pub events: u32,
    /// The most questions to a model.
    pub calls: u32,
    /// What earlier jobs found out about this form; `None` when nothing has passed it yet.
    pub known: Option<FormKnown>,
}

/// How a form is passed, and what was tried on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormKnown {
    /// The texts that passed, one for each field in document order.
    pub valid: Vec<String>,
    /// What submits the form.
    pub submit: Event,
    /// What leads from the page reached to one that shows the texts, where that page does not.
    pub look: Option<Event>,
    /// True when the boxes of the form must be ticked before.
    pub ticks: bool,
    /// True when the form stays and shows a result: a model took what appeared for one.
    pub in_place: bool,
    /// What a model thinks the inputs must keep to, one sentence each.
    pub constraints: Vec<String>,
    /// What the form said to texts that did not pass it.
    #[serde(default)]
    pub complaints: Vec<String>,
    /// The rounds so far, oldest first.
    pub rounds: Vec<FormRound>,
}

/// The inputs of one generator and what the app did with them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FormRound {
    /// The field, in document order from 0.
    pub field: u16,
    /// The mutation rule in words; empty for random texts.
    pub rule: String,
    /// In the order they were entered.
    pub tried: Vec<TriedText>,
    /// Why the generator ended early, in words; empty when it did not.
    pub failure: String,
    /// What the form should do with its texts.
    #[serde(default)]
    pub expected: Expectation,
    /// Texts that it yielded and that were not entered.
    #[serde(default)]
    pub untried: u32,
    /// Words of the page or of a complaint that forbid its texts, as the model quotes them; empty for none.
    #[serde(default)]
    pub ground: String,
}

impl FormRound {
    /// What the form should do with a text of this round.
    pub fn expects(&self, tried: &TriedText) -> Expectation {
        tried.expected.unwrap_or(self.expected)
    }
}

/// A text, and what the app did with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TriedText {
    /// Cut to what a prompt has room for.
    pub text: String,
    /// What the app did when the form was submitted with it.
    pub reaction: Reaction,
    /// Characters of the whole text; 0 where `text` itself says how many there are.
    #[serde(default)]
    pub length: u32,
    /// What the field held after the typing, where that is another text, and its characters.
    #[serde(default)]
    pub held: Option<(String, u32)>,
    /// What the page then showed that it does not show with the valid text: complaints, messages, results.
    #[serde(default)]
    pub shown: Vec<String>,
    /// What the form should do with this text, where the generator says it of this one.
    #[serde(default)]
    pub expected: Option<Expectation>,
    /// The bug that it showed, in a sentence; empty for none, and for a crash.
    #[serde(default)]
    pub bug: String,
}

/// What an app did with the texts entered into a form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reaction {
    /// It crashed or stopped answering.
    Crashed,
    /// Another page came.
    Accepted,
    /// The form stayed, and something appeared on it.
    Refused,
    /// The form stayed as it was.
    Unmoved,
    /// It keeps loading, lost the text, gave another result than for an equal one, or took what it should refuse.
    Mistreated,
    /// The device could not type it.
    Untypable,
    /// A widget was not there, or the page was not the form: says nothing of the text.
    #[default]
    Strayed,
}

impl ErrandContent for FormTest {
    const NAME: &'static str = "form";

    fn events(&self) -> u64 {
        self.events.into()
    }

    fn calls(&self) -> u64 {
        self.calls.into()
    }
}

impl Reaction {
    /// True for what is a bug.
    pub fn is_bug(self) -> bool {
        matches!(self, Self::Crashed | Self::Mistreated)
    }

    /// For a model: what the app did.
    pub fn words(self) -> &'static str {
        match self {
            Self::Crashed => "the app crashed or stopped answering",
            Self::Accepted => "it was accepted",
            Self::Refused => "it was refused with a message",
            Self::Unmoved => "the page stayed as it was",
            Self::Mistreated => "it showed a bug",
            Self::Untypable => "the device could not type it",
            Self::Strayed => "the page could not be submitted",
        }
    }
}
