//! Sessions and their jobs.

use std::sync::PoisonError;

use super::core::Reserve;
use super::engine::{Write, decode};
use super::key::{self, Key};
use super::{Records, Store, StoreError};
use droidmux_record::{Job, Judgement, SessionId, SessionRecord, Slot};

impl Store {
    /// Stores a new session under the next number; numbers are never reused.
    ///
    /// # Errors
    /// `Misuse` when every number has been given out; `SpaceLow` when the disk is nearly full.
    pub fn create_session(&self, record: &SessionRecord) -> Result<SessionId, StoreError> {
        let _one_at_a_time = self.inner.numbering.lock().unwrap_or_else(PoisonError::into_inner);
        let last: u32 = self.get(&Key::Counter)?.unwrap_or(0);
        let number = last
            .checked_add(1)
            .ok_or_else(|| StoreError::Misuse("the store has given out every session number".to_owned()))?;
        let id = SessionId(number);
        let writes = vec![Write::of(Key::Counter, &number)?, Write::of(Key::Session(id), record)?];
        self.write(writes, Reserve::Recording)?;
        Ok(id)
    }

    /// A session's record; `None` when no session has this number.
    ///
    /// # Errors
    /// When the database fails or the value cannot be read.
    pub fn session(&self, id: SessionId) -> Result<Option<SessionRecord>, StoreError> {
        self.get(&Key::Session(id))
    }

    /// All sessions, oldest first.
    ///
    /// # Errors
    /// When the database fails or a value cannot be read.
    pub fn sessions(&self) -> Result<Vec<(SessionId, SessionRecord)>, StoreError> {
        let all = Records::new(self, key::sessions(), |store, key, head| {
            let Some(Key::Session(id)) = Key::parse(key) else { return Ok(None) };
            store.record(key, head).map(|record| Some((id, record)))
        });
        all.collect()
    }

    /// Replaces a session's record, to note how it ended; possible on a nearly full disk. When the session ends,
    /// people's instructions for it are removed.
    ///
    /// # Errors
    /// `NoSession` when no session has this number.
    pub fn update_session(&self, id: SessionId, record: &SessionRecord) -> Result<(), StoreError> {
        self.require(id)?;
        let mut writes = vec![Write::of(Key::Session(id), record)?];
        writes.extend(record.ended_ms.map(|_| Write::Remove(Key::Handling(id))));
        self.write(writes, Reserve::Closing)
    }

    /// Stores a job under its slot.
    ///
    /// # Errors
    /// `SpaceLow` when the disk is nearly full; also when the database fails.
    pub fn put_job(&self, session: SessionId, job: &Job) -> Result<(), StoreError> {
        self.put(Key::Job(session, job.slot), job, Reserve::Recording)
    }

    /// The job of a slot; `None` when none was planned under it.
    ///
    /// # Errors
    /// When the database fails or the value cannot be read.
    pub fn job(&self, session: SessionId, slot: Slot) -> Result<Option<Job>, StoreError> {
        self.get(&Key::Job(session, slot))
    }

    /// The jobs of a session in slot order.
    pub fn jobs(&self, session: SessionId) -> Records<Job> {
        Records::new(self, key::jobs(session), |store, key, head| store.record(key, head).map(Some))
    }

    /// Stores what the oracle says about a finished job.
    ///
    /// # Errors
    /// `SpaceLow` when the disk is nearly full; also when the database fails.
    pub fn put_judgement(
        &self,
        session: SessionId,
        slot: Slot,
        judgement: &Judgement,
    ) -> Result<(), StoreError> {
        self.put(Key::Judgement(session, slot), judgement, Reserve::Recording)
    }

    /// What the oracle says about a job; `None` while it has not been judged.
    ///
    /// # Errors
    /// When the database fails or the value cannot be read.
    pub fn judgement(&self, session: SessionId, slot: Slot) -> Result<Option<Judgement>, StoreError> {
        self.get(&Key::Judgement(session, slot))
    }

    pub(super) fn require(&self, id: SessionId) -> Result<(), StoreError> {
        let found = self.inner.core.with(|engine| engine.contains(&Key::Session(id)))?;
        if found { Ok(()) } else { Err(StoreError::NoSession(id)) }
    }

    /// Decodes a record found by a page.
    pub(super) fn record<T: serde::de::DeserializeOwned>(
        &self,
        key: &[u8],
        head: &[u8],
    ) -> Result<T, StoreError> {
        let bytes = self.inner.core.with(|engine| engine.unpack(key, head))?;
        decode(key, &bytes)
    }
}
