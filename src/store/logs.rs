//! The logs of a session by number, one page at a time.

use super::key::Key;
use super::numbering::Log;
use super::{Records, Store, StoreError};
use droidmux_record::{SessionId, StepPlace};

impl Store {
    /// How many steps a session has.
    ///
    /// # Errors
    /// When the database fails.
    pub fn step_count(&self, session: SessionId) -> Result<u64, StoreError> {
        Log::Steps.next_number(&self.inner.core, session)
    }

    /// How many exchanges with language models a session has.
    ///
    /// # Errors
    /// When the database fails.
    pub fn exchange_count(&self, session: SessionId) -> Result<u64, StoreError> {
        Log::Exchanges.next_number(&self.inner.core, session)
    }

    /// The places of a session's steps from number `from` on, at most `limit`, with their numbers.
    ///
    /// # Errors
    /// When the database fails or a value cannot be read.
    pub fn steps(
        &self,
        session: SessionId,
        from: u64,
        limit: u32,
    ) -> Result<Vec<(u64, StepPlace)>, StoreError> {
        self.log(Log::Steps, session, from, limit)
    }

    /// The same for its exchanges.
    ///
    /// # Errors
    /// When the database fails or a value cannot be read.
    pub fn exchanges(
        &self,
        session: SessionId,
        from: u64,
        limit: u32,
    ) -> Result<Vec<(u64, StepPlace)>, StoreError> {
        self.log(Log::Exchanges, session, from, limit)
    }

    fn log(
        &self,
        log: Log,
        session: SessionId,
        from: u64,
        limit: u32,
    ) -> Result<Vec<(u64, StepPlace)>, StoreError> {
        let span = log.numbers(session, from, from.saturating_add(limit.into()));
        Records::new(self, span, |store, key, head| match Key::parse(key) {
            Some(Key::Step(_, number) | Key::Exchange(_, number)) => {
                Ok(Some((number, store.record(key, head)?)))
            }
            _ => Ok(None),
        })
        .collect()
    }
}
