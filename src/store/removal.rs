//! Removing sessions, and what nothing names any more: how a full disk is cleaned.

use std::collections::HashSet;

use super::core::Room;
use super::engine::Write;
use super::key::{self, Key};
use super::{Records, Store, StoreError};
use crate::gui::LayoutHash;
use crate::record::{BlobHash, SessionId, Turn};

/// Keys removed in one commit: few when there is little room, because sled writes pages anew to
/// take something out and gives nothing back before the commit is done.
const BATCH: usize = 1_000;
const SMALL_BATCH: usize = 50;
const AMPLE: u64 = 256 << 20;

/// What a removal took away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Removed {
    /// Values of the session, layouts not counted.
    pub values: u64,
    pub layouts: u64,
    pub screenshots: u64,
    /// False when there was no room to copy what is left: the room taken up by what was removed
    /// is then used for what is recorded next, but not given back to the disk.
    pub compacted: bool,
}

impl Store {
    /// Removes a session with all that belongs to it, then every layout and screenshot that no
    /// turn names any more. Appends wait meanwhile. Works on a full disk: the ballast makes room.
    /// Interrupted, it can be made again.
    ///
    /// # Errors
    /// `NoSession` when there is none of this number.
    pub fn remove_session(&self, id: SessionId) -> Result<Removed, StoreError> {
        let _alone = self.inner.cleaning.blocking_write();
        self.require(id)?;
        let mut removed = Removed::default();
        // The session's own record goes last, so that an interrupted removal can be named again.
        for span in key::of_session(id).into_iter().rev() {
            let keys =
                Records::new(self, span, |_, key, _| Ok(Key::parse(key))).collect::<Result<Vec<_>, _>>()?;
            removed.values += self.remove_all(keys)?;
        }
        let (layouts, screenshots) = self.named()?;
        let unnamed = Records::new(self, key::layouts(), |_, key, _| Ok(Key::parse(key)))
            .filter(|key| !matches!(key, Ok(Key::Layout(hash)) if layouts.contains(hash)))
            .collect::<Result<Vec<_>, _>>()?;
        removed.layouts = self.remove_all(unnamed)?;
        let core = &self.inner.core;
        core.cache.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clear();
        core.screens.each(|_, hash| {
            if let Some(hash) = hash.filter(|hash| !screenshots.contains(hash)) {
                core.screens.remove(hash)?;
                removed.screenshots += 1;
            }
            Ok(())
        })?;
        match core.compact() {
            Ok(()) => removed.compacted = true,
            Err(error) if error.is_space() => {}
            Err(error) => return Err(error),
        }
        Ok(removed)
    }

    fn remove_all(&self, keys: Vec<Key>) -> Result<u64, StoreError> {
        let core = &self.inner.core;
        let ample = core.disk.free(&core.folder).is_ok_and(|free| free >= AMPLE);
        let batch = if ample { BATCH } else { SMALL_BATCH };
        for batch in keys.chunks(batch) {
            let writes: Vec<_> = batch.iter().cloned().map(Write::Remove).collect();
            match self.write(writes.clone(), Room::Cleaning) {
                // The ballast has been given back meanwhile.
                Err(error) if error.is_space() => self.write(writes, Room::Cleaning)?,
                other => other?,
            }
        }
        Ok(keys.len() as u64)
    }

    /// All layouts and screenshots that turns name.
    fn named(&self) -> Result<(HashSet<LayoutHash>, HashSet<BlobHash>), StoreError> {
        let (mut layouts, mut screenshots) = (HashSet::new(), HashSet::new());
        let groups = Records::new(self, key::all_turns(), |store, key, head| {
            store.record::<Vec<Turn>>(key, head).map(Some)
        });
        for group in groups {
            for turn in group? {
                if let Some(seen) = turn.observation.seen() {
                    layouts.insert(seen.screen.layout);
                    screenshots.extend(seen.screenshot);
                }
            }
        }
        Ok((layouts, screenshots))
    }
}
