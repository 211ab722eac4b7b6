//! Removing sessions, and data that nothing names any more: how a full disk is cleaned.

use std::collections::{BTreeSet, HashSet};

use super::core::Reserve;
use super::engine::Write;
use super::key::{self, Key};
use super::{Records, Store, StoreError};
use droidmux_gui::LayoutHash;
use droidmux_record::{BlobHash, SessionId, SessionRecord, Turn};

/// Keys removed in one commit: few when there is little room, because sled rewrites pages to remove something and gives
/// nothing back before the commit is done.
const BATCH: usize = 1_000;
const SMALL_BATCH: usize = 50;
const AMPLE: u64 = 256 << 20;

/// Room a new database takes beyond its entries.
const SPARE: u64 = 4 << 20;

/// What a removal took away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "removed"))]
pub struct Removed {
    /// Values of the sessions, layouts not counted.
    pub values: u64,
    /// Layouts that only these sessions named.
    pub layouts: u64,
    /// Files of the screenshots that only these sessions named.
    pub screenshots: u64,
    /// True when the database was rewritten and its room given back to the disk. False when there was not enough room
    /// for a copy of what is left: the room is then used for what is recorded next.
    pub compacted: bool,
}

/// What stays when a session goes.
struct Kept {
    without: BTreeSet<SessionId>,
    layouts: HashSet<LayoutHash>,
    screenshots: HashSet<BlobHash>,
}

impl Store {
    /// Removes a session with all that belongs to it, and every layout and screenshot that no turn names any more.
    /// Appends wait meanwhile. Works on a full disk: the ballast makes room. If interrupted, it can be repeated.
    ///
    /// # Errors
    /// `NoSession` when no session has this number; `Needed` when another session builds on it.
    pub fn remove_session(&self, id: SessionId) -> Result<Removed, StoreError> {
        self.remove_sessions(&BTreeSet::from([id]))
    }

    /// Like [`Store::remove_session`], for several at once, which may build on each other.
    ///
    /// # Errors
    /// `NoSession` when one does not exist; `Needed` when one that stays builds on one of them.
    pub fn remove_sessions(&self, ids: &BTreeSet<SessionId>) -> Result<Removed, StoreError> {
        let _alone = self.inner.cleaning.blocking_write();
        let core = &self.inner.core;
        core.room(Reserve::Cleaning, 0)?;
        ids.iter().try_for_each(|id| self.require(*id))?;
        self.require_unneeded(ids)?;
        let kept = self.kept_without(ids)?;
        let (mut removed, bytes) = self.count(&kept)?;
        let fits = core.disk.free(&core.folder).is_ok_and(|free| free >= 2 * bytes + SPARE);
        removed.compacted = fits
            && match core.keep_only(&|key| kept.keeps(key)) {
                Ok(()) => true,
                Err(error) if error.is_space() => false,
                Err(error) => return Err(error),
            };
        if !removed.compacted {
            self.remove_in_place(&kept)?;
        }
        core.cache.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clear();
        core.screens.each(|_, hash| {
            if let Some(hash) = hash.filter(|hash| !kept.screenshots.contains(hash)) {
                core.screens.remove(hash)?;
                removed.screenshots += 1;
            }
            Ok(())
        })?;
        Ok(removed)
    }

    /// Refuses to remove anything that a remaining session builds on.
    fn require_unneeded(&self, ids: &BTreeSet<SessionId>) -> Result<(), StoreError> {
        let needed = |record: &SessionRecord| {
            record.inputs.iter().map(|input| input.session).find(|session| ids.contains(session))
        };
        let staying = self.sessions()?.into_iter().filter(|(id, _)| !ids.contains(id));
        let found = staying.filter_map(|(by, record)| needed(&record).map(|session| (session, by))).next();
        found.map_or(Ok(()), |(session, by)| Err(StoreError::Needed { session, by }))
    }

    /// What is to be removed, and the bytes of what stays.
    fn count(&self, kept: &Kept) -> Result<(Removed, u64), StoreError> {
        let mut removed = Removed::default();
        let mut bytes = 0;
        for entry in self.entries() {
            let (key, head) = entry?;
            if kept.keeps(&key) {
                bytes += (key.len() + head.len()) as u64;
                continue;
            }
            match Key::parse(&key) {
                Some(Key::Layout(_)) => removed.layouts += 1,
                Some(Key::Chunk { .. }) => {}
                _ => removed.values += 1,
            }
        }
        Ok((removed, bytes))
    }

    fn remove_in_place(&self, kept: &Kept) -> Result<(), StoreError> {
        // A session's own record is removed last, so that an interrupted removal can be named again.
        let sessions = kept.without.iter().rev().flat_map(|id| key::of_session(*id));
        let spans: Vec<_> = sessions.chain([key::layouts()]).collect();
        for span in spans.into_iter().rev() {
            let keys = Records::new(self, span, |_, key, _| Ok(Key::parse(key)))
                .filter(|key| key.as_ref().is_ok_and(|key| !kept.keeps(&key.bytes())))
                .collect::<Result<Vec<_>, _>>()?;
            self.remove_all(&keys)?;
        }
        Ok(())
    }

    fn remove_all(&self, keys: &[Key]) -> Result<(), StoreError> {
        let core = &self.inner.core;
        let ample = core.disk.free(&core.folder).is_ok_and(|free| free >= AMPLE);
        for batch in keys.chunks(if ample { BATCH } else { SMALL_BATCH }) {
            let writes: Vec<_> = batch.iter().cloned().map(Write::Remove).collect();
            match self.write(writes.clone(), Reserve::Cleaning) {
                // The ballast has been given back in the meantime.
                Err(error) if error.is_space() => self.write(writes, Reserve::Cleaning)?,
                other => other?,
            }
        }
        Ok(())
    }

    /// Everything that the turns and pictures of other sessions name.
    fn kept_without(&self, ids: &BTreeSet<SessionId>) -> Result<Kept, StoreError> {
        let mut kept = Kept { without: ids.clone(), layouts: HashSet::new(), screenshots: HashSet::new() };
        let groups = Records::new(self, key::all_turns(), |store, key, head| {
            let session = Key::parse(key).and_then(|key| key.session());
            Ok(Some((session, store.record::<Vec<Turn>>(key, head))))
        });
        for group in groups {
            let (session, turns) = group?;
            if session.is_some_and(|session| ids.contains(&session)) {
                continue;
            }
            for turn in turns? {
                if let Some(seen) = turn.observation.seen() {
                    kept.layouts.insert(seen.screen.layout);
                }
                kept.screenshots.extend(turn.blobs());
            }
        }
        // An excerpt of a session has pictures that none of its turns took.
        let pictures = Records::new(self, key::all_pictures(), |store, key, head| {
            let Some(Key::Picture(session, layout)) = Key::parse(key) else { return Ok(None) };
            Ok(Some((session, layout, store.record::<BlobHash>(key, head)?)))
        });
        for picture in pictures {
            let (session, layout, screenshot) = picture?;
            if !ids.contains(&session) {
                kept.layouts.insert(layout);
                kept.screenshots.insert(screenshot);
            }
        }
        Ok(kept)
    }
}

impl Kept {
    fn keeps(&self, key: &[u8]) -> bool {
        match Key::parse(key) {
            Some(Key::Layout(hash)) => self.layouts.contains(&hash),
            Some(Key::Chunk { head, .. }) => match Key::parse(&head) {
                Some(Key::Chunk { .. }) | None => true,
                Some(_) => self.keeps(&head),
            },
            Some(key) => key.session().is_none_or(|session| !self.without.contains(&session)),
            None => true,
        }
    }
}
