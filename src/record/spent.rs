//! What a session has used of language models.

use serde::{Deserialize, Serialize};

use super::{Answer, Exchange, NoReply, Unanswered};

/// The sum of a session's exchanges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Questions for which something was sent, however many tries they took.
    pub calls: u64,
    /// In prompts, failed tries included.
    pub tokens_in: u64,
    /// In replies.
    pub tokens_out: u64,
    /// Millionths of the currency the prices are in.
    pub cost: u64,
}

impl Spent {
    /// Adds what an answer took, if anything was sent for it.
    pub fn count(&mut self, answer: &Answer) {
        match answer {
            Answer::Reply(reply) => self.add(&reply.exchange),
            Answer::None(Unanswered { why: NoReply::NotRecorded, .. }) => {}
            Answer::None(Unanswered { why: NoReply::Budget, exchange, .. }) if exchange.tries.is_empty() => {}
            Answer::None(unanswered) => self.add(&unanswered.exchange),
            Answer::Inputs(_)
            | Answer::Foretold(_)
            | Answer::Examples(_)
            | Answer::Order(_)
            | Answer::Differences(_) => {}
        }
    }

    /// The figures of an exchange, without counting it as a call.
    pub fn of(exchange: &Exchange) -> Self {
        let Exchange { tokens_in, tokens_out, cost, .. } = *exchange;
        Self { calls: 0, tokens_in, tokens_out, cost }
    }

    /// Adds figures; counts that would overflow stay at the maximum.
    pub fn merge(&mut self, other: &Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.tokens_in = self.tokens_in.saturating_add(other.tokens_in);
        self.tokens_out = self.tokens_out.saturating_add(other.tokens_out);
        self.cost = self.cost.saturating_add(other.cost);
    }

    /// Subtracts figures that were merged before; nothing falls below 0.
    pub fn lessen(&mut self, other: &Self) {
        self.calls = self.calls.saturating_sub(other.calls);
        self.tokens_in = self.tokens_in.saturating_sub(other.tokens_in);
        self.tokens_out = self.tokens_out.saturating_sub(other.tokens_out);
        self.cost = self.cost.saturating_sub(other.cost);
    }

    /// Adds an exchange, counting it as one more call.
    pub fn add(&mut self, exchange: &Exchange) {
        self.merge(&Self { calls: 1, ..Self::of(exchange) });
    }
}
