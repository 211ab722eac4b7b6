//! Exchanges with a language model: what a driver asks, and what came back.
//!
//! A turn with such a consultation ([`super::Consultation::Ask`]) is the transcript of one exchange; the store keeps no
//! other. A question holds texts and descriptions of pictures, not pixels: the sender draws them.

use serde::{Deserialize, Serialize};

use super::{BlobHash, Picture};

/// Who asks: InputBlaster's two requests, VisionDroid's three agents, and the two who read what others did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Agent {
    /// Asks for inputs that pass a page, and for the constraints on them.
    ValidInput,
    /// Asks for a mutation rule and a generator that follows it.
    TestGenerator,
    /// Chooses the next operation (VisionDroid).
    Explorer,
    /// Says which function the operations belong to, and when it ends.
    Monitor,
    /// Judges whether a function did what it is for.
    Detector,
    /// Reads what a session did and says what looks wrong.
    Reader,
    /// Gives a second opinion on a finding.
    Reviewer,
}

/// What a driver asks a language model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// Who asks: determines the model's role, and the name in listings.
    pub agent: Agent,
    /// What the model is to be: the system message.
    pub role: String,
    /// Texts and pictures in the order they are sent, in one user message.
    pub parts: Vec<Part>,
    /// The JSON schema of the reply, as text, for endpoints that can enforce one. The parts also say in words what is
    /// wanted.
    pub schema: String,
}

/// A piece of the user's message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// As it is sent; hostile texts from the app are already quoted.
    Text(String),
    /// Drawn when the question is sent; a model that cannot see gets its name.
    Picture(Picture),
}

/// A model's reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// As it came, at most [`Reply::MOST_BYTES`] long; it is up to the driver to check whether it is what was asked
    /// for.
    pub text: String,
    /// No driver may base a decision on it.
    pub exchange: Exchange,
}

/// No reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unanswered {
    /// Why there is no reply.
    pub why: NoReply,
    /// For people: the endpoint and its message. No driver may base a decision on it.
    pub detail: String,
    /// What was sent and spent nevertheless.
    pub exchange: Exchange,
}

/// Why there is no reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoReply {
    /// The endpoint could not be reached or kept failing, through all tries.
    Unreachable,
    /// The endpoint refuses to answer this, however often it is asked.
    Refused,
    /// The session's calls, tokens or money are used up; nothing was sent, or nothing more after the tries that are
    /// listed.
    Budget,
    /// The recording that is replayed holds no reply to it.
    NotRecorded,
}

/// The figures of an exchange.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// `rules`, or the model and the host that answered.
    pub answered_by: String,
    /// The pictures that were sent, in the order of the question's parts, as PNG beside the store.
    pub pictures: Vec<BlobHash>,
    /// Tokens in all prompts sent, including failed tries, as counted by the server, else estimated.
    pub tokens_in: u64,
    /// The same for replies.
    pub tokens_out: u64,
    /// Millionths of the currency the prices are in.
    pub cost: u64,
    /// Milliseconds that the last try took, from the request to the last byte.
    pub latency_ms: u32,
    /// Tries that failed before, in words.
    pub tries: Vec<String>,
    /// The difference from the recording that was replayed; empty if there was none.
    pub differs: String,
}

impl Reply {
    /// Longer replies are cut off, and count as cut streams.
    pub const MOST_BYTES: usize = 256 << 10;
}

impl Agent {
    /// InputBlaster's two, then VisionDroid's three, then those of any technique.
    pub const ALL: [Self; 7] = [
        Self::ValidInput,
        Self::TestGenerator,
        Self::Explorer,
        Self::Monitor,
        Self::Detector,
        Self::Reader,
        Self::Reviewer,
    ];

    /// One word for listings, as in recordings.
    pub fn name(self) -> &'static str {
        match self {
            Self::ValidInput => "valid-input",
            Self::TestGenerator => "test-generator",
            Self::Explorer => "explorer",
            Self::Monitor => "monitor",
            Self::Detector => "detector",
            Self::Reader => "reader",
            Self::Reviewer => "reviewer",
        }
    }
}

impl Question {
    /// The heading of the last part where fixed rules answer.
    const RULES: &'static str = "## What fixed rules say, since no model is asked\n";

    /// The question with the reply of fixed rules, for sessions without a model: rules decide on more than its text.
    #[must_use]
    pub fn with_rules(mut self, reply: &str) -> Self {
        self.parts.push(Part::Text(format!("{}{reply}", Self::RULES)));
        self
    }

    /// The reply of fixed rules, if it has one.
    pub fn by_rules(&self) -> Option<&str> {
        match self.parts.last()? {
            Part::Text(text) => text.strip_prefix(Self::RULES),
            Part::Picture(_) => None,
        }
    }

    /// The texts of its parts, with a word in place of each picture.
    pub fn text(&self) -> String {
        let parts = self.parts.iter().map(|part| match part {
            Part::Text(text) => text.as_str(),
            Part::Picture(picture) => picture.name(),
        });
        parts.collect::<Vec<_>>().join("\n\n")
    }

    /// In the order they are sent.
    pub fn pictures(&self) -> impl Iterator<Item = &Picture> {
        self.parts.iter().filter_map(|part| match part {
            Part::Picture(picture) => Some(picture),
            Part::Text(_) => None,
        })
    }
}

impl NoReply {
    /// One word for listings, as in recordings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::Refused => "refused",
            Self::Budget => "budget",
            Self::NotRecorded => "not-recorded",
        }
    }
}
