//! Exchanges with language models as a viewer sees them.

use serde::{Deserialize, Serialize};

use droidmux_record::{Agent, BlobHash, FindingId, SessionId, Slot, Spent, TurnPlace};

/// What a session asks of a language model, in its [`super::SessionView`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelView {
    /// `rules`, or the model's name; empty for a session that asks none. A replayed recording says so.
    pub name: String,
    /// Exchanges in the session's log so far.
    pub exchanges: u64,
    /// The number for each agent that asked, in the order of [`Agent::ALL`].
    pub by_agent: Vec<(Agent, u64)>,
    /// Used by all exchanges of the session together.
    pub spent: Spent,
    /// The questions that are being answered now.
    pub asking: Vec<AskingView>,
}

/// A question that is being answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AskingView {
    /// Serial of the device whose driver waits for the answer.
    pub device: String,
    /// The job that asks.
    pub slot: Slot,
    /// The part of the technique that asks; the exchange will appear in its list.
    pub agent: Agent,
    /// When the question was sent, in milliseconds since the Unix epoch.
    pub since_ms: u64,
    /// The end of the reply so far, at most [`AskingView::TAIL`] characters.
    pub partial: String,
}

/// A line of a session's list of exchanges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExchangeView {
    /// Position in the session's log of exchanges, from 0.
    pub seq: u64,
    /// The job that asked.
    pub slot: Slot,
    /// Turn of the episode, from 0, in which question and answer are stored.
    pub turn: u32,
    /// Serial of the device that the job ran on.
    pub device: String,
    /// The part of the technique that asked; lists can be narrowed to it.
    pub agent: Agent,
    /// `rules`, or the model and the host that answered.
    pub answered_by: String,
    /// The beginning of the reply, or why there is none.
    pub headline: String,
    /// There is no reply.
    pub failed: bool,
    /// It differs from the recording that was replayed.
    pub differs: bool,
    /// The number of tries before the last.
    pub failed_tries: u32,
    /// Pictures that were sent with the question.
    pub pictures: u32,
    /// In the prompts of all tries.
    pub tokens_in: u64,
    /// In the replies of all tries.
    pub tokens_out: u64,
    /// Millionths of the currency of the prices.
    pub cost: u64,
    /// Milliseconds that the last try took.
    pub latency_ms: u32,
    /// When the question was sent, in milliseconds since the Unix epoch.
    pub at_ms: u64,
}

/// One exchange in full.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExchangeDetail {
    /// The same exchange as lists show it.
    pub line: ExchangeView,
    /// The system message.
    pub role: String,
    /// The texts of the prompt, with a word in place of each picture.
    pub prompt: String,
    /// What was sent, in order.
    pub pictures: Vec<BlobHash>,
    /// The reply, or why there is none.
    pub reply: String,
    /// The tries that failed before, in words.
    pub tries: Vec<String>,
    /// The first difference from the recording that was replayed.
    pub differs: String,
    /// What a reader's reply suspects, in its order.
    pub suspicions: Vec<SuspicionView>,
    /// What a reader's reply notes of the app.
    pub notebook: Vec<String>,
    /// The finding that a reviewer was asked about.
    pub finding: Option<FindingId>,
}

/// A suspicion of a reader's reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuspicionView {
    /// What was done, what is shown and what should be.
    pub words: String,
    /// How sure the reader is, in percent.
    pub confidence: u8,
    /// The session whose steps are cited.
    pub session: SessionId,
    /// The steps that prove it, in order.
    pub steps: Vec<TurnPlace>,
    /// Steps at which the same went right.
    pub controls: Vec<TurnPlace>,
}

impl AskingView {
    /// How many characters of a partial reply are sent: about a screenful.
    pub const TAIL: usize = 2_000;
}
