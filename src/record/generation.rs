//! Generated inputs: code written by a model, and what it yielded.

use serde::{Deserialize, Serialize};

use super::Answer;

/// A JavaScript generator function to run in the sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generation {
    /// As the model wrote it.
    pub code: String,
    /// Seeds `Math.random`.
    pub rng: u64,
    /// The most inputs (1 to [`Generation::MOST`]).
    pub most: u16,
}

/// What a generator yielded before it ended or failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generated {
    /// UTF-16 units: a lone surrogate is an input like any other.
    pub inputs: Vec<Vec<u16>>,
    /// `None` when it ran to its end or reached the most inputs.
    pub failure: Option<GeneratorFailure>,
}

/// What a generator yielded, with what each input should come to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Foretold {
    /// The inputs.
    pub generated: Generated,
    /// One for each input; `None` where the generator says nothing of it.
    pub expected: Vec<Option<Expectation>>,
}

impl From<Foretold> for Answer {
    /// Inputs alone where nothing is said of any.
    fn from(foretold: Foretold) -> Self {
        match foretold.expected.iter().any(Option::is_some) {
            true => Self::Foretold(foretold),
            false => Self::Inputs(foretold.generated),
        }
    }
}

/// What a form should do with a text, as the model says that proposes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expectation {
    /// Nothing is said.
    #[default]
    Open,
    /// Accept it, and show it as it is.
    Accepted,
    /// Refuse it.
    Refused,
}

impl Expectation {
    /// By the word for it, as it stands in replies and in what generators yield.
    pub fn named(word: &str) -> Option<Self> {
        match word {
            "open" => Some(Self::Open),
            "accepted" => Some(Self::Accepted),
            "refused" => Some(Self::Refused),
            _ => None,
        }
    }
}

/// Why a generator did not run to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GeneratorFailure {
    /// It is not valid JavaScript; with the engine's message.
    Syntax(String),
    /// It threw, with the message.
    Threw(String),
    /// It does not evaluate to a generator function, or it yields something that is not text.
    NotAGenerator(String),
    /// It used up its count of loops and calls, or the parent's time limit.
    TimedOut,
    /// The engine's memory limit was reached.
    OutOfMemory,
    /// An input, or all of them together, were too long.
    TooMuch,
    /// The sandbox died; with what is known about it.
    Crashed(String),
}

impl Generation {
    /// The most inputs of one generator.
    pub const MOST: u16 = 200;
    /// The most bytes of one input as UTF-8.
    pub const MOST_BYTES: usize = 64 << 10;
}

impl GeneratorFailure {
    /// For people, and for the model that wrote the code.
    pub fn words(&self) -> String {
        match self {
            Self::Syntax(message) => format!("it is not valid JavaScript: {message}"),
            Self::Threw(message) => format!("it threw: {message}"),
            Self::NotAGenerator(what) => format!("it is no generator function: {what}"),
            Self::TimedOut => "it ran too long and was stopped".into(),
            Self::OutOfMemory => "it used too much memory".into(),
            Self::TooMuch => "it yielded too much text".into(),
            Self::Crashed(how) => format!("the sandbox it ran in died: {how}"),
        }
    }
}
