//! What a session may use of a model, and what it has used; shared by all its devices.

use std::sync::{Mutex, MutexGuard, PoisonError};

use thiserror::Error;

use droidmux_record::{Budget, Exchange, LlmSettings, Spent};
use droidmux_words::number::{real, whole};

/// The length of a reply, in tokens, that is assumed before the session has seen one.
const FIRST_REPLY: u64 = 500;

/// Which limit of its budget a session has reached.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum UsedUp {
    /// Calls that it may make.
    #[error("the session's budget of {0} calls is used up; `[llm.budget] calls` sets it")]
    Calls(u64),
    /// Tokens that it may send and receive.
    #[error("the session's budget of {0} tokens is used up; `[llm.budget] tokens` sets it")]
    Tokens(u64),
    /// In the currency of the prices.
    #[error("the session's budget of {0} in money is used up; `[llm.budget] money` sets it")]
    Money(f64),
}

/// A session's budget.
#[derive(Debug)]
pub(super) struct Purse {
    budget: Budget,
    price_in: f64,
    price_out: f64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    spent: Spent,
    /// Reserved for questions under way.
    held: Spent,
    longest_reply: u64,
}

/// The amount reserved for one question until it is settled; given back when it is dropped.
#[derive(Debug)]
pub(super) struct Hold<'a> {
    purse: &'a Purse,
    held: Spent,
}

impl Purse {
    pub(super) fn new(settings: &LlmSettings) -> Self {
        let LlmSettings { budget, price_in, price_out, .. } = *settings;
        Self { budget, price_in, price_out, state: Mutex::default() }
    }

    pub(super) fn spent(&self) -> Spent {
        self.state().spent
    }

    pub(super) fn add(&self, spent: &Spent) {
        self.state().spent.merge(spent);
    }

    /// What tokens cost, in millionths of the currency.
    pub(super) fn cost(&self, tokens_in: u64, tokens_out: u64) -> u64 {
        // A price is per million tokens, so one token costs that many millionths.
        whole(real(tokens_in) * self.price_in + real(tokens_out) * self.price_out)
    }

    /// Reserves a call with a prompt of this many tokens, and a reply as long as the longest so far.
    ///
    /// # Errors
    ///
    /// When that is more than is left.
    pub(super) fn hold(&self, tokens_in: u64) -> Result<Hold<'_>, UsedUp> {
        let longest = self.state().longest_reply.max(FIRST_REPLY);
        let tokens_out = if tokens_in == 0 { 0 } else { longest };
        self.reserve(Spent { calls: 1, tokens_in, tokens_out, cost: self.cost(tokens_in, tokens_out) })
    }

    /// Reserves a call for vectors of texts of this many tokens: it has no reply, and the prices are not for its model.
    ///
    /// # Errors
    ///
    /// When the tokens are more than is left.
    pub(super) fn hold_for_vectors(&self, tokens_in: u64) -> Result<Hold<'_>, UsedUp> {
        self.reserve(Spent { calls: 1, tokens_in, ..Spent::default() })
    }

    fn reserve(&self, held: Spent) -> Result<Hold<'_>, UsedUp> {
        let mut state = self.state();
        self.check(&state, &held)?;
        state.held.merge(&held);
        Ok(Hold { purse: self, held })
    }

    fn check(&self, state: &State, more: &Spent) -> Result<(), UsedUp> {
        let mut sum = state.spent;
        sum.merge(&state.held);
        sum.merge(more);
        let Budget { calls, tokens, money } = self.budget;
        if calls > 0 && sum.calls > calls {
            return Err(UsedUp::Calls(calls));
        }
        if tokens > 0 && sum.tokens_in.saturating_add(sum.tokens_out) > tokens {
            return Err(UsedUp::Tokens(tokens));
        }
        if money > 0.0 && sum.cost > whole(money * 1e6) {
            return Err(UsedUp::Money(money));
        }
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hold<'_> {
    /// Whether another try fits into the budget, after tries that used this much.
    pub(super) fn affords(&self, so_far: &Exchange) -> Result<(), UsedUp> {
        self.purse.check(&self.purse.state(), &Spent::of(so_far))
    }

    /// Replaces what was reserved by what was used.
    pub(super) fn settle(self, exchange: &Exchange) {
        let mut state = self.purse.state();
        state.spent.add(exchange);
        state.longest_reply = state.longest_reply.max(exchange.tokens_out);
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        self.purse.state().held.lessen(&self.held);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn purse(budget: Budget) -> Purse {
        Purse::new(&LlmSettings { budget, price_in: 2.0, price_out: 8.0, ..LlmSettings::default() })
    }

    fn used(tokens_in: u64, tokens_out: u64, purse: &Purse) -> Exchange {
        Exchange { tokens_in, tokens_out, cost: purse.cost(tokens_in, tokens_out), ..Exchange::default() }
    }

    #[test]
    fn calls_under_way_count() {
        let purse = purse(Budget { calls: 2, tokens: 0, money: 0.0 });
        let first = purse.hold(10).expect("the first");
        let second = purse.hold(10).expect("the second");
        assert!(purse.hold(10).is_err());
        drop(second);
        let second = purse.hold(10).expect("what was given back");
        first.settle(&used(10, 5, &purse));
        second.settle(&used(11, 6, &purse));
        assert!(purse.hold(10).expect_err("used up").to_string().contains("2 calls"));
        assert_eq!(purse.spent(), Spent { calls: 2, tokens_in: 21, tokens_out: 11, cost: 42 + 88 });
    }

    #[test]
    fn tokens_and_money_are_reserved_with_the_reply() {
        let cases = [
            (Budget { calls: 0, tokens: 1_000, money: 0.0 }, 500, true),
            (Budget { calls: 0, tokens: 1_000, money: 0.0 }, 501, false),
            // 500 × 2 + 500 × 8 millionths.
            (Budget { calls: 0, tokens: 0, money: 0.005 }, 500, true),
            (Budget { calls: 0, tokens: 0, money: 0.005 }, 501, false),
            (Budget { calls: 0, tokens: 0, money: 0.0 }, u64::MAX, true),
        ];
        for (budget, tokens, fits) in cases {
            assert_eq!(purse(budget).hold(tokens).is_ok(), fits, "{budget:?} {tokens}");
        }
    }

    #[test]
    fn vectors_are_reserved_without_a_reply_and_without_a_price() {
        let purse = purse(Budget { calls: 2, tokens: 1_000, money: 0.000_001 });
        assert!(purse.hold_for_vectors(1_001).expect_err("too long").to_string().contains("1000 tokens"));
        purse
            .hold_for_vectors(1_000)
            .expect("fits")
            .settle(&Exchange { tokens_in: 900, ..Exchange::default() });
        assert_eq!(purse.spent(), Spent { calls: 1, tokens_in: 900, ..Spent::default() });
        assert!(purse.hold_for_vectors(101).is_err());
    }

    #[test]
    fn what_was_spent_before_counts() {
        let purse = purse(Budget { calls: 3, tokens: 0, money: 0.0 });
        purse.add(&Spent { calls: 3, ..Spent::default() });
        assert!(purse.hold(0).is_err());
    }

    #[test]
    fn tries_that_used_much_are_not_repeated() {
        let purse = purse(Budget { calls: 0, tokens: 2_000, money: 0.0 });
        let hold = purse.hold(500).expect("fits");
        assert!(hold.affords(&used(500, 500, &purse)).is_ok());
        assert!(hold.affords(&used(700, 500, &purse)).is_err());
    }
}
