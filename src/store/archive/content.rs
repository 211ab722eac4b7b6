//! What a session recorded, whatever its number: this is how an import recognises one that already exists.
//!
//! In: a session's values in the order that archives and the store use. Out: a hash that is the same for a session and
//! its copies. Session numbers count only by the order in which they first occur; what people and later sessions add to
//! an ended session (marks, mask edits, shrunk results, rechecks, bookmarks) does not count.

use std::collections::BTreeMap;

use crate::key::Key;
use crate::renumber::renumbered;
use crate::{Store, StoreError};
use droidmux_record::SessionId;

/// A session's content: all of it, or the part added so far.
#[derive(Clone)]
pub(super) struct Content {
    hasher: blake3::Hasher,
    /// The sessions named, its own first, with their places in that order.
    named: BTreeMap<SessionId, u32>,
    /// The hash after the first value, the session's own record.
    record: Option<blake3::Hash>,
}

/// Whether a value may appear, change or disappear after its session has ended.
pub(super) fn is_later(key: &Key) -> bool {
    matches!(key, Key::Mark(_) | Key::MaskEdit(..) | Key::Shrunk(..) | Key::Recheck(..) | Key::Bookmark(..))
}

impl Content {
    pub fn new(own: SessionId) -> Self {
        Self { hasher: blake3::Hasher::new(), named: BTreeMap::from([(own, 0)]), record: None }
    }

    /// Adds the next value, as stored under its key and decompressed.
    ///
    /// # Errors
    /// `Corrupt` when the value is not one of this key.
    pub fn add(&mut self, key: &Key, raw: Vec<u8>) -> Result<(), StoreError> {
        if is_later(key) {
            return Ok(());
        }
        let named = &mut self.named;
        let mut by_place = |id: &mut SessionId| {
            let next = u32::try_from(named.len()).unwrap_or(u32::MAX);
            *id = SessionId(*named.entry(*id).or_insert(next));
        };
        let value = renumbered(key, raw, &mut by_place)?;
        for part in [key.clone().renumbered(&mut by_place).bytes(), value] {
            self.hasher.update(&(part.len() as u64).to_be_bytes()).update(&part);
        }
        self.record.get_or_insert_with(|| self.hasher.finalize());
        Ok(())
    }

    fn is(&self, other: &Self) -> bool {
        self.hasher.finalize() == other.hasher.finalize()
    }

    /// The sessions named, its own first, in order of occurrence.
    fn in_order(&self) -> Vec<SessionId> {
        let mut all: Vec<_> = self.named.iter().collect();
        all.sort_by_key(|(_, place)| **place);
        all.into_iter().map(|(id, _)| *id).collect()
    }
}

/// Sessions of an archive that already exist in a store.
#[derive(Default)]
pub(super) struct Present {
    /// Their numbers in the archive and in the store.
    pub sessions: BTreeMap<SessionId, SessionId>,
    /// The same for the sessions that these name.
    pub named: BTreeMap<SessionId, SessionId>,
}

impl Store {
    /// Which of these sessions already exist. Reads the records of all stored sessions, and then the whole of each
    /// whose record matches one that is looked for; a session that cannot be read matches none.
    pub(super) fn present(&self, coming: &BTreeMap<SessionId, Content>) -> Result<Present, StoreError> {
        let mut present = Present::default();
        for (stored, _) in self.sessions()? {
            let like = |content: &Content| coming.values().any(|other| other.record == content.record);
            let content = match self.content_if(stored, like) {
                Ok(Some(content)) => content,
                Ok(None) | Err(StoreError::Corrupt { .. }) => continue,
                Err(error) => return Err(error),
            };
            for (was, _) in coming.iter().filter(|(_, other)| other.is(&content)) {
                // Of several copies, the one with the same number, else the oldest.
                if present.sessions.contains_key(was) && *was != stored {
                    continue;
                }
                present.sessions.insert(*was, stored);
                let theirs = coming.get(was).map(Content::in_order).unwrap_or_default();
                present.named.extend(theirs.into_iter().zip(content.in_order()));
            }
        }
        Ok(present)
    }

    /// The content of a stored session, if the content of its record alone is wanted.
    fn content_if(
        &self,
        id: SessionId,
        wanted: impl Fn(&Content) -> bool,
    ) -> Result<Option<Content>, StoreError> {
        let mut content = Content::new(id);
        for (number, entry) in self.values_of(id).enumerate() {
            let (key, raw) = entry?;
            content.add(&key, raw)?;
            if number == 0 && !wanted(&content) {
                return Ok(None);
            }
        }
        Ok(Some(content))
    }
}
