//! Runs: the turns of attempts at jobs, and the attempt that finished each.

use std::sync::{Arc, PoisonError};

use serde::{Deserialize, Serialize};

use super::core::Reserve;
use super::key::{self, Key, Span, TurnsKey};
use super::screens;
use super::{Damage, Records, ScreenPixels, Store, StoreError};
use droidmux_gui::{Layout, LayoutHash};
use droidmux_record::{AppBuild, BlobHash, DeviceInfo, Job, JobRun, Layouts, SessionId, Slot, Turn};

/// The attempt that finished a job: its turns are the job's run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished {
    /// Which job it finished.
    pub slot: Slot,
    /// Counted from 1.
    pub attempt: u32,
    /// Where this attempt ran.
    pub device: DeviceInfo,
    /// What was installed there.
    pub app: AppBuild,
}

/// As stored: includes the number of turns, so that a lost tail is noticed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FinishedRun {
    pub finished: Finished,
    pub turns: u32,
}

impl Store {
    /// Records which attempt finished a job; its turns must have been appended.
    ///
    /// # Errors
    /// `Misuse` when the attempt has no turns; `SpaceLow` when the disk is nearly full.
    pub fn finish_job(&self, session: SessionId, finished: &Finished) -> Result<(), StoreError> {
        let Finished { slot, attempt, .. } = *finished;
        let turns = self.turn_count(session, slot, attempt)?;
        if turns == 0 {
            let why = format!("{session} {slot} has no turns of attempt {attempt} to finish with");
            return Err(StoreError::Misuse(why));
        }
        let run = FinishedRun { finished: finished.clone(), turns };
        self.put(Key::Finished(session, slot), &run, Reserve::Recording)
    }

    /// The finished run of a job; `None` while it is not finished.
    ///
    /// # Errors
    /// `Corrupt` when its job or some of its turns are missing or cannot be read.
    pub fn run(&self, session: SessionId, slot: Slot) -> Result<Option<JobRun>, StoreError> {
        match self.get(&Key::Finished(session, slot))? {
            Some(run) => self.assemble(session, run).map(Some),
            None => Ok(None),
        }
    }

    /// [`Store::run`] for a job that the caller has already read.
    ///
    /// # Errors
    /// `Corrupt` when some of its turns are missing or cannot be read.
    pub fn run_of(&self, session: SessionId, job: Job) -> Result<Option<JobRun>, StoreError> {
        match self.get(&Key::Finished(session, job.slot))? {
            Some(run) => self.assemble_with(session, run, job).map(Some),
            None => Ok(None),
        }
    }

    /// Whether a job has a finished run.
    ///
    /// # Errors
    /// When the database fails.
    pub fn is_finished(&self, session: SessionId, slot: Slot) -> Result<bool, StoreError> {
        self.inner.core.with(|engine| engine.contains(&Key::Finished(session, slot)))
    }

    /// Finished runs in slot order, read one by one.
    pub fn runs(&self, session: SessionId) -> Records<JobRun> {
        Records::new(self, key::finished(session), |store, key, head| {
            let Some(Key::Finished(session, _)) = Key::parse(key) else { return Ok(None) };
            store.assemble(session, store.record(key, head)?).map(Some)
        })
    }

    /// The attempts at a job that have turns, finished or not, in order.
    ///
    /// # Errors
    /// When the database fails.
    pub fn attempts(&self, session: SessionId, slot: Slot) -> Result<Vec<u32>, StoreError> {
        let mut attempts = Vec::new();
        let mut span = key::turns_of_job(session, slot);
        loop {
            let page = self.inner.core.with(|engine| engine.page(&span, None, 1))?;
            let Some(Key::Turns(TurnsKey { attempt, .. })) =
                page.first().and_then(|(key, _)| Key::parse(key))
            else {
                return Ok(attempts);
            };
            attempts.push(attempt);
            span.0 = key::turns_of_attempt(session, slot, attempt).1;
        }
    }

    /// One turn of an attempt, counted from 0; `None` when it is not stored.
    ///
    /// # Errors
    /// When the database fails or a value cannot be read.
    pub fn turn(
        &self,
        session: SessionId,
        slot: Slot,
        attempt: u32,
        number: u32,
    ) -> Result<Option<Turn>, StoreError> {
        let (from, end) = key::turns_of_attempt(session, slot, attempt);
        let next = number.checked_add(1);
        let end = next
            .map_or(end, |next| Key::Turns(TurnsKey { session, slot, attempt, first_turn: next }).bytes());
        let Some((first, mut group)) = self.last_group(&(from, end))? else { return Ok(None) };
        let place = usize::try_from(number - first).unwrap_or(usize::MAX);
        Ok((place < group.len()).then(|| group.swap_remove(place)))
    }

    /// The turns of an attempt, in order.
    ///
    /// # Errors
    /// `Corrupt` when a turn is missing between two others.
    pub fn turns(&self, session: SessionId, slot: Slot, attempt: u32) -> Result<Vec<Turn>, StoreError> {
        let mut all = Vec::new();
        let groups = Records::new(self, key::turns_of_attempt(session, slot, attempt), |store, key, head| {
            let Some(Key::Turns(named)) = Key::parse(key) else { return Ok(None) };
            Ok(Some((named, store.record::<Vec<Turn>>(key, head)?)))
        });
        for group in groups {
            let (named, turns) = group?;
            if usize::try_from(named.first_turn) != Ok(all.len()) {
                return Err(StoreError::Corrupt {
                    key: Key::Turns(named).to_string(),
                    damage: Damage::TurnsBefore(all.len()),
                });
            }
            all.extend(turns);
        }
        Ok(all)
    }

    /// Whether this layout is stored.
    ///
    /// # Errors
    /// When the database fails.
    pub fn has_layout(&self, hash: LayoutHash) -> Result<bool, StoreError> {
        self.inner.core.with(|engine| engine.contains(&Key::Layout(hash)))
    }

    /// The layout with this hash; `None` when it is not stored.
    ///
    /// # Errors
    /// `Corrupt` when the stored layout is unsound or its hash differs.
    pub fn read_layout(&self, hash: LayoutHash) -> Result<Option<Arc<Layout>>, StoreError> {
        let cache = || self.inner.core.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(layout) = cache().get(hash) {
            return Ok(Some(layout));
        }
        let key = Key::Layout(hash);
        let Some(bytes) = self.inner.core.with(|engine| engine.value(&key))? else { return Ok(None) };
        let corrupt = |damage| StoreError::Corrupt { key: key.to_string(), damage };
        let layout = Layout::decode(&bytes).ok_or_else(|| corrupt(Damage::Unsound))?;
        if layout.hash() != hash {
            return Err(corrupt(Damage::OtherHash));
        }
        let layout = Arc::new(layout);
        cache().put(hash, &layout);
        Ok(Some(layout))
    }

    /// The screenshot that a session took of a layout last; `None` when it took none, and for layouts it photographed
    /// before the store had format 6.
    ///
    /// # Errors
    /// When the database fails or the value cannot be read.
    pub fn picture_of(&self, session: SessionId, layout: LayoutHash) -> Result<Option<BlobHash>, StoreError> {
        self.get(&Key::Picture(session, layout))
    }

    /// A screenshot's PNG; `None` when it is not stored. Unpacking it takes a few milliseconds.
    ///
    /// # Errors
    /// `Corrupt` when the hash of its content differs or it cannot be unpacked; `Io` when the file cannot be read.
    pub fn screenshot(&self, hash: BlobHash) -> Result<Option<Vec<u8>>, StoreError> {
        self.kept_screenshot(hash)?.map(|content| Self::png_of(hash, content)).transpose()
    }

    /// The PNG of a screenshot's content, stored or not yet: the bytes may differ from the device's, the pixels do not.
    ///
    /// # Errors
    /// `Corrupt` when it cannot be unpacked.
    pub fn png_of(hash: BlobHash, content: Vec<u8>) -> Result<Vec<u8>, StoreError> {
        screens::as_png(hash, content)
    }

    /// The pixels of a screenshot's content, stored or not yet; quicker than [`Self::png_of`].
    ///
    /// # Errors
    /// `Corrupt` when it has none that a packed picture could have.
    pub fn pixels_of(hash: BlobHash, content: &[u8]) -> Result<ScreenPixels, StoreError> {
        screens::pixels(hash, content)
    }

    /// A device's PNG packed for the store; see [`ScreenPacker::pack`].
    ///
    /// [`ScreenPacker::pack`]: super::ScreenPacker::pack
    pub fn pack_screenshot(&self, png: &[u8]) -> Option<Vec<u8>> {
        self.inner.core.packer.pack(png)
    }

    /// Raw pixels packed for the store; see [`ScreenPacker::pack_pixels`].
    ///
    /// [`ScreenPacker::pack_pixels`]: super::ScreenPacker::pack_pixels
    pub fn pack_pixels(&self, width: u32, height: u32, pixels: &[u8]) -> Option<Vec<u8>> {
        self.inner.core.packer.pack_pixels(width, height, pixels)
    }

    /// A screenshot's content as it is stored, to which its hash applies; `None` when it is not stored.
    ///
    /// # Errors
    /// `Corrupt` when the hash of its content differs; `Io` when the file cannot be read.
    pub fn kept_screenshot(&self, hash: BlobHash) -> Result<Option<Vec<u8>>, StoreError> {
        self.inner.core.screens.read(hash)
    }

    /// How many turns of an attempt are stored.
    pub(super) fn turn_count(&self, session: SessionId, slot: Slot, attempt: u32) -> Result<u32, StoreError> {
        let span = key::turns_of_attempt(session, slot, attempt);
        let Some((first, group)) = self.last_group(&span)? else { return Ok(0) };
        Ok(u32::try_from(group.len()).map_or(u32::MAX, |turns| first.saturating_add(turns)))
    }

    /// The last turns of a span that were appended together, with the first one's number.
    fn last_group(&self, span: &Span) -> Result<Option<(u32, Vec<Turn>)>, StoreError> {
        let last = self.inner.core.with(|engine| engine.last(span))?;
        let Some((key, head)) = last else { return Ok(None) };
        let Some(Key::Turns(named)) = Key::parse(&key) else { return Ok(None) };
        Ok(Some((named.first_turn, self.record(&key, &head)?)))
    }

    fn assemble(&self, session: SessionId, run: FinishedRun) -> Result<JobRun, StoreError> {
        let key = Key::Finished(session, run.finished.slot);
        let missing = || StoreError::Corrupt { key: key.to_string(), damage: Damage::NoJob };
        let job = self.job(session, run.finished.slot)?.ok_or_else(missing)?;
        self.assemble_with(session, run, job)
    }

    fn assemble_with(&self, session: SessionId, run: FinishedRun, job: Job) -> Result<JobRun, StoreError> {
        let FinishedRun { finished: Finished { slot, attempt, device, app }, turns: count } = run;
        let corrupt = |damage| StoreError::Corrupt { key: Key::Finished(session, slot).to_string(), damage };
        let turns = self.turns(session, slot, attempt)?;
        if usize::try_from(count) != Ok(turns.len()) {
            return Err(corrupt(Damage::Turns { attempt, found: turns.len(), told: count }));
        }
        Ok(JobRun { job, attempt, device, app, turns })
    }
}

impl Layouts for Store {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.read_layout(hash).unwrap_or_else(|error| {
            tracing::error!(%error, "a layout cannot be read");
            None
        })
    }
}
