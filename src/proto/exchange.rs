//! Exchanges with language models as a viewer sees them.

use serde::{Deserialize, Serialize};

use crate::record::{Agent, BlobHash, Slot, Spent};

/// What a session asks of a language model, in its [`super::SessionView`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelView {
    /// `rules`, or the model's name; empty for a session that asks none. A replayed recording says so.
    pub name: String,
    /// Exchanges in the session's log so far.
    pub exchanges: u64,
    /// Those of each agent that asked, in the order of [`Agent::ALL`].
    pub by_agent: Vec<(Agent, u64)>,
    pub spent: Spent,
    /// The questions that are being answered now.
    pub asking: Vec<AskingView>,
}

/// A question that is being answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AskingView {
    pub device: String,
    pub slot: Slot,
    pub agent: Agent,
    pub since_ms: u64,
    /// The end of the reply so far, of at most [`AskingView::TAIL`] characters.
    pub partial: String,
}

/// A line of a session's list of exchanges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExchangeView {
    /// Position in the session's log of exchanges, from 0.
    pub seq: u64,
    pub slot: Slot,
    pub turn: u32,
    pub device: String,
    pub agent: Agent,
    /// `rules`, or the model and the host that answered.
    pub answered_by: String,
    /// The beginning of the reply, or why there is none.
    pub headline: String,
    pub failed: bool,
    /// It differs from the recording that was replayed.
    pub differs: bool,
    /// Tries before the last.
    pub failed_tries: u32,
    pub pictures: u32,
    pub tokens_in: u64,
    pub tokens_out: u64,
    /// Millionths of the currency of the prices.
    pub cost: u64,
    pub latency_ms: u32,
    pub at_ms: u64,
}

/// One exchange in full.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExchangeDetail {
    pub line: ExchangeView,
    /// The system message.
    pub role: String,
    /// The texts of the prompt, with a word in place of each picture.
    pub prompt: String,
    /// What was sent, in order.
    pub pictures: Vec<BlobHash>,
    /// The reply, or why there is none.
    pub reply: String,
    pub tries: Vec<String>,
    /// The first difference from the recording that was replayed.
    pub differs: String,
}

impl AskingView {
    pub const TAIL: usize = 2_000;
}
