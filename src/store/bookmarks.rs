//! Steps that people marked, so that they can find them again from any viewer.

use super::core::Reserve;
use super::engine::Write;
use super::key::{self, Key};
use super::{Records, Store, StoreError};
use droidmux_record::{Bookmark, SessionId};

impl Store {
    /// Marks a step of the session's log; if it is already marked, it gets the new words.
    ///
    /// # Errors
    /// `Misuse` when the log has no such step; also when the database cannot be written.
    pub fn put_bookmark(&self, bookmark: &Bookmark) -> Result<(), StoreError> {
        let Bookmark { session, seq, words } = bookmark;
        let step = Key::Step(*session, *seq);
        if !self.inner.core.with(|engine| engine.contains(&step))? {
            return Err(StoreError::Misuse(format!("{session} has no step {seq}")));
        }
        self.put(Key::Bookmark(*session, *seq), words, Reserve::Closing)
    }

    /// Removes the mark of a step; does nothing if it has none.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn remove_bookmark(&self, session: SessionId, seq: u64) -> Result<(), StoreError> {
        self.write(vec![Write::Remove(Key::Bookmark(session, seq))], Reserve::Closing)
    }

    /// All marked steps, by session and step.
    ///
    /// # Errors
    /// When the database fails or a value cannot be read.
    pub fn bookmarks(&self) -> Result<Vec<Bookmark>, StoreError> {
        let all = Records::new(self, key::bookmarks(None), |store, key, head| match Key::parse(key) {
            Some(Key::Bookmark(session, seq)) => {
                store.record(key, head).map(|words| Some(Bookmark { session, seq, words }))
            }
            _ => Ok(None),
        });
        all.collect()
    }
}
