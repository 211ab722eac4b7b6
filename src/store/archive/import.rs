//! Importing an archive: read and check all of it, then write what is new, session by session.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::PoisonError;

use super::content::{Content, Present, is_later};
use super::error::ArchiveError;
use super::fault::ArchiveFault;
use super::imported::{Copies, Imported, ImportedSession, PresentSession};
use super::manifest::{ArchivedSession, EntryKind, Manifest};
use super::reader::{self, ArchiveEntry, wrong};
use super::records::{Record, place};
use crate::batched::Batched;
use crate::core::Reserve;
use crate::engine::{Write, decode};
use crate::key::{self, Key};
use crate::renumber::renumbered;
use crate::screens::Form;
use crate::value::Packed;
use crate::{Records, Store, StoreError};
use droidmux_gui::{Layout, LayoutHash};
use droidmux_record::{BlobHash, SessionId, SessionRecord, Turn};

/// How many numbers a store may skip to keep those of an archive.
const MOST_SKIPPED: u32 = 1_000_000;
/// Keys removed in one commit.
const BATCH: usize = 1_000;

/// Old numbers and new ones.
type Numbers = BTreeMap<SessionId, SessionId>;

impl Store {
    /// Imports the sessions of an archive. Removals and other imports wait meanwhile; recording by sessions continues.
    ///
    /// # Errors
    /// `Broken` when anything in it is invalid: nothing has been written in that case. `Session` when a session's
    /// values do not fit together: those before it stay.
    pub fn import(&self, path: &Path, copies: Copies) -> Result<Imported, ArchiveError> {
        // Two at once would each find the other's sessions missing, and sweep them away.
        let _one_at_a_time = self.inner.importing.lock().unwrap_or_else(PoisonError::into_inner);
        let _together = self.inner.cleaning.blocking_read();
        let Survey { sessions, contents, named, bytes, .. } = survey(path)?;
        self.inner.core.room(Reserve::Recording, usize::try_from(bytes).unwrap_or(usize::MAX))?;
        let present = match copies {
            Copies::LeaveOut => self.present(&contents)?,
            Copies::Take => Present::default(),
        };
        let numbers = self.reserve(&sessions, &named, &present)?;
        let present = present.sessions;
        let mut import =
            Import { store: self, path, numbers, sessions, present, open: None, done: Imported::default() };
        let taken = reader::read(path, |_| Ok(()), |entry| import.entry(entry));
        let ended = taken.and_then(|()| import.end_session()).and_then(|()| import.add_later());
        let Import { done, .. } = import;
        // Done even when all went well: then there is nothing to sweep.
        self.sweep_imports()?;
        ended.map(|()| done)
    }

    /// Removes what unfinished imports have left.
    pub(crate) fn sweep_imports(&self) -> Result<(), StoreError> {
        for id in self.unfinished_imports()? {
            let keys = key::of_session(id)
                .into_iter()
                .flat_map(|span| Records::new(self, span, |_, key, _| Ok(Key::parse(key))));
            let keys = keys.collect::<Result<Vec<_>, _>>()?;
            for batch in keys.chunks(BATCH) {
                self.write(batch.iter().cloned().map(Write::Remove).collect(), Reserve::Cleaning)?;
            }
            self.write(vec![Write::Remove(Key::Import(id))], Reserve::Cleaning)?;
        }
        Ok(())
    }

    fn unfinished_imports(&self) -> Result<Vec<SessionId>, StoreError> {
        Records::new(self, key::imports(), |_, key, _| match Key::parse(key) {
            Some(Key::Import(id)) => Ok(Some(id)),
            _ => Ok(None),
        })
        .collect()
    }

    /// The numbers that the archive's sessions, and those they name, have here: their own if they already exist. The
    /// others keep their old numbers if none of those was ever assigned here, otherwise they get the next ones in the
    /// same order.
    fn reserve(
        &self,
        sessions: &BTreeMap<SessionId, ArchivedSession>,
        named: &BTreeSet<SessionId>,
        present: &Present,
    ) -> Result<Numbers, StoreError> {
        let _one_at_a_time = self.inner.numbering.lock().unwrap_or_else(PoisonError::into_inner);
        let last: u32 = self.get(&Key::Counter)?.unwrap_or(0);
        let is_new = |id: &SessionId| sessions.contains_key(id) && !present.sessions.contains_key(id);
        let mut numbers: Numbers = present.named.clone();
        numbers.retain(|id, _| !is_new(id));
        numbers.extend(&present.sessions);
        let new: BTreeSet<SessionId> = sessions.keys().chain(named).copied().collect();
        let new: Vec<_> = new.into_iter().filter(|id| !numbers.contains_key(id)).collect();
        let (Some(lowest), Some(highest)) = (new.first(), new.last()) else { return Ok(numbers) };
        let keep = lowest.0 > last && highest.0 - last <= MOST_SKIPPED;
        let spent = || StoreError::Misuse("the store has given out every session number".to_owned());
        let mut next = last;
        for id in new {
            next = if keep { id.0 } else { next.checked_add(1).ok_or_else(spent)? };
            numbers.insert(id, SessionId(next));
        }
        let mut writes = vec![Write::of(Key::Counter, &next)?];
        for id in sessions.keys().filter(|id| is_new(id)).filter_map(|id| numbers.get(id)) {
            writes.push(Write::of(Key::Import(*id), &())?);
        }
        self.write(writes, Reserve::Recording)?;
        Ok(numbers)
    }
}

/// The content of an archive, all of it checked.
#[derive(Default)]
struct Survey {
    sessions: BTreeMap<SessionId, ArchivedSession>,
    contents: BTreeMap<SessionId, Content>,
    /// Every session that a value names.
    named: BTreeSet<SessionId>,
    bytes: u64,
    /// True once a turn or a session's picture has named them.
    layouts: HashMap<LayoutHash, bool>,
    screenshots: HashMap<BlobHash, (Form, bool)>,
    /// The session being read, how many values came, and the place of the last one.
    at: Option<(SessionId, u64, (usize, Vec<u8>))>,
    last_layout: Option<LayoutHash>,
}

/// Reads an archive to its end and checks everything that can be checked without a store.
fn survey(path: &Path) -> Result<Survey, ArchiveError> {
    let mut survey = Survey::default();
    let mut listed = BTreeMap::new();
    let begin = |manifest: &Manifest| {
        let sessions = manifest.sessions.iter().map(|session| (SessionId(session.id), session.clone()));
        listed = sessions.collect();
        Ok(())
    };
    let mut bytes_read = 0;
    reader::read(path, begin, |entry| {
        bytes_read += entry.bytes.len() as u64;
        survey.entry(entry).map_err(|fault| wrong(path, &entry.kind.name(), fault))
    })?;
    for (id, session) in &listed {
        let values = survey.sessions.get(id).map_or(0, |session| session.values);
        if values != session.values || values == 0 {
            let fault = ArchiveFault::Values { session: *id, found: values, listed: session.values };
            return Err(wrong(path, "sessions", fault));
        }
    }
    if let Some(stray) = survey.stray() {
        return Err(wrong(path, &stray, ArchiveFault::Stray));
    }
    (survey.sessions, survey.bytes) = (listed, bytes_read);
    Ok(survey)
}

impl Survey {
    fn entry(&mut self, entry: ArchiveEntry<'_>) -> Result<(), ArchiveFault> {
        match entry.kind {
            EntryKind::Screenshot(hash, form) => {
                self.screenshots.insert(hash, (form, false));
                Ok(())
            }
            EntryKind::Layouts { .. } => entry.records().try_for_each(|record| {
                let record = record?;
                let Key::Layout(hash) = record.key else {
                    return Err(ArchiveFault::Holds { key: record.key.to_string() });
                };
                if self.last_layout.is_some_and(|last| last >= hash) {
                    return Err(ArchiveFault::Order { what: format!("layout {hash}") });
                }
                let layout = Layout::decode(&record.value).ok_or(ArchiveFault::Unsound(hash))?;
                if layout.hash() != hash {
                    return Err(ArchiveFault::OtherLayout(hash));
                }
                self.last_layout = Some(hash);
                self.layouts.insert(hash, false);
                Ok(())
            }),
            EntryKind::Session { id, .. } => entry.records().try_for_each(|record| {
                let record = record?;
                self.value(id, &record.key, &record.value)
            }),
        }
    }

    fn value(&mut self, id: SessionId, key: &Key, raw: &[u8]) -> Result<(), ArchiveFault> {
        let stands = place(key).filter(|_| key.session() == Some(id));
        let stands =
            stands.ok_or_else(|| ArchiveFault::NotOfSession { key: key.to_string(), session: id })?;
        let (values, before) = match self.at.take() {
            Some((of, values, before)) if of == id => (values, Some(before)),
            _ => (0, None),
        };
        if before.is_none() && *key != Key::Session(id) {
            return Err(ArchiveFault::BeforeRecord { key: key.to_string() });
        }
        if before.is_some_and(|before| before >= stands) {
            return Err(ArchiveFault::Order { what: key.to_string() });
        }
        match key {
            Key::Turns(_) => {
                let turns: Vec<Turn> = decode(&key.bytes(), raw).map_err(ArchiveFault::Undecoded)?;
                for seen in turns.iter().filter_map(|turn| turn.observation.seen()) {
                    self.has_layout(key, seen.screen.layout)?;
                }
                turns.iter().flat_map(Turn::blobs).try_for_each(|hash| self.has_screenshot(key, hash))?;
            }
            Key::Picture(_, layout) => {
                self.has_layout(key, *layout)?;
                self.has_screenshot(key, decode(&key.bytes(), raw).map_err(ArchiveFault::Undecoded)?)?;
            }
            _ => {
                let raw = renumbered(key, raw.to_vec(), &mut |id| {
                    self.named.insert(*id);
                });
                raw.map_err(ArchiveFault::Undecoded)?;
                let _ = key.clone().renumbered(&mut |id| {
                    self.named.insert(*id);
                });
            }
        }
        if let Key::Session(_) = key {
            let record: SessionRecord = decode(&key.bytes(), raw).map_err(ArchiveFault::Undecoded)?;
            record.ended_ms.ok_or(ArchiveFault::NotEnded(id))?;
        }
        let content = self.contents.entry(id).or_insert_with(|| Content::new(id));
        content.add(key, raw.to_vec()).map_err(ArchiveFault::Undecoded)?;
        let listed =
            ArchivedSession { id: id.0, technique: String::new(), app: String::new(), values: values + 1 };
        self.sessions.insert(id, listed);
        self.at = Some((id, values + 1, stands));
        Ok(())
    }

    /// Whether a layout named by a value is in the archive: layouts and screenshots come first.
    fn has_layout(&mut self, key: &Key, layout: LayoutHash) -> Result<(), ArchiveFault> {
        let named = self.layouts.get_mut(&layout);
        *named.ok_or_else(|| ArchiveFault::NoLayout { key: key.to_string(), layout })? = true;
        Ok(())
    }

    /// Whether a screenshot named by a value is in the archive.
    fn has_screenshot(&mut self, key: &Key, hash: BlobHash) -> Result<(), ArchiveFault> {
        let named = self.screenshots.get_mut(&hash);
        named.ok_or_else(|| ArchiveFault::NoScreenshot { key: key.to_string(), screenshot: hash })?.1 = true;
        Ok(())
    }

    /// Content that nothing names: it would take room that no session accounts for, and nothing would show it.
    fn stray(&self) -> Option<String> {
        let unnamed = |(_, named): &(_, &bool)| !**named;
        let layout = self.layouts.iter().find(unnamed).map(|(hash, _)| Key::Layout(*hash).to_string());
        let strays = self.screenshots.iter().filter(|(_, (_, named))| !*named);
        layout.or_else(|| strays.map(|(hash, (form, _))| EntryKind::Screenshot(*hash, *form).name()).min())
    }
}

/// An import under way.
struct Import<'a> {
    store: &'a Store,
    path: &'a Path,
    numbers: Numbers,
    sessions: BTreeMap<SessionId, ArchivedSession>,
    /// The sessions left out because they already exist, and their numbers here.
    present: Numbers,
    /// The session whose values are being received, by its old number, and its record.
    open: Option<(SessionId, Option<Write>)>,
    done: Imported,
}

impl Import<'_> {
    fn entry(&mut self, entry: ArchiveEntry<'_>) -> Result<(), ArchiveError> {
        match entry.kind {
            EntryKind::Screenshot(hash, _) => {
                let screens = &self.store.inner.core.screens;
                if !screens.exists(hash) {
                    screens.write(hash, entry.bytes)?;
                    self.done.screenshots += 1;
                }
                Ok(())
            }
            EntryKind::Layouts { .. } => self.layouts(entry),
            EntryKind::Session { id, .. } if self.present.contains_key(&id) => Ok(()),
            EntryKind::Session { id, .. } => {
                if self.open.as_ref().is_none_or(|(open, _)| *open != id) {
                    self.end_session()?;
                    self.open = Some((id, None));
                }
                self.values(entry)
            }
        }
    }

    fn layouts(&mut self, entry: ArchiveEntry<'_>) -> Result<(), ArchiveError> {
        let mut batch = Batched::new(self.store);
        for record in entry.records() {
            let record = record.map_err(|fault| wrong(self.path, "layouts", fault))?;
            let Key::Layout(hash) = record.key else { continue };
            if !self.store.has_layout(hash)? {
                batch.put(record.key, record.value)?;
                self.done.layouts += 1;
            }
        }
        Ok(batch.finish()?)
    }

    fn values(&mut self, entry: ArchiveEntry<'_>) -> Result<(), ArchiveError> {
        let mut batch = Batched::new(self.store);
        for record in entry.records() {
            let record = record.map_err(|fault| wrong(self.path, "sessions", fault))?;
            let (key, raw) = self.renumber(record)?;
            self.done.values += 1;
            match (&key, &mut self.open) {
                (Key::Session(_), Some((_, own))) => {
                    let packed = Packed::raw(&key, raw)?;
                    *own = Some(Write::Put(key, packed));
                }
                _ => batch.put(key, raw)?,
            }
        }
        Ok(batch.finish()?)
    }

    /// Checks the session whose values have been received and makes it one of the store's.
    fn end_session(&mut self) -> Result<(), ArchiveError> {
        let Some((was, record)) = self.open.take() else { return Ok(()) };
        let is = self.numbers.get(&was).copied().unwrap_or(was);
        self.check(was, is)?;
        let writes = record.into_iter().chain([Write::Remove(Key::Import(is))]);
        self.store.write(writes.collect(), Reserve::Recording)?;
        let told = self.told(was, is);
        self.done.sessions.push(told);
        Ok(())
    }

    /// Adds to existing sessions what the archive says about them beyond their recording. This happens last, because it
    /// may name sessions that have just been imported.
    fn add_later(&mut self) -> Result<(), ArchiveError> {
        if self.present.is_empty() {
            return Ok(());
        }
        let mut later: BTreeMap<SessionId, Later> = BTreeMap::new();
        let read = reader::read(
            self.path,
            |_| Ok(()),
            |entry| {
                let EntryKind::Session { id, .. } = entry.kind else { return Ok(()) };
                if !self.present.contains_key(&id) {
                    return Ok(());
                }
                self.later_values(entry, later.entry(id).or_default())
            },
        );
        let checked = read.and_then(|()| self.check_later(&later));
        if let Err(error) = checked {
            let added = later.into_values().flat_map(|later| later.added).map(Write::Remove);
            self.store.write(added.collect(), Reserve::Cleaning)?;
            return Err(error);
        }
        for (was, is) in &self.present {
            let (added, kept) = later.get(was).map_or((0, 0), |of| (of.added.len() as u64, of.kept));
            self.done.present.push(PresentSession { session: self.told(*was, *is), added, kept });
        }
        Ok(())
    }

    fn later_values(&self, entry: ArchiveEntry<'_>, later: &mut Later) -> Result<(), ArchiveError> {
        let mut batch = Batched::new(self.store);
        for record in entry.records() {
            let record = record.map_err(|fault| wrong(self.path, "sessions", fault))?;
            if !is_later(&record.key) {
                continue;
            }
            let (key, raw) = self.renumber(record)?;
            match self.store.inner.core.with(|engine| engine.value(&key))? {
                None => {
                    later.added.push(key.clone());
                    batch.put(key, raw)?;
                }
                Some(stored) => later.kept += u64::from(stored != raw),
            }
        }
        Ok(batch.finish()?)
    }

    fn check_later(&self, later: &BTreeMap<SessionId, Later>) -> Result<(), ArchiveError> {
        for (was, _) in later.iter().filter(|(_, later)| !later.added.is_empty()) {
            self.check(*was, self.present.get(was).copied().unwrap_or(*was))?;
        }
        Ok(())
    }

    /// Checks that whatever a session's values name exists.
    fn check(&self, was: SessionId, is: SessionId) -> Result<(), ArchiveError> {
        let report = self.store.verify_coming(is)?;
        let Some(problem) = report.problems.first() else { return Ok(()) };
        let (why, imported) = (format!("{}: {}", problem.at, problem.what), self.done.sessions.clone());
        Err(ArchiveError::Session { session: was, why, imported })
    }

    /// A record with the numbers that its sessions have here.
    fn renumber(&self, record: Record) -> Result<(Key, Vec<u8>), StoreError> {
        let mut visit = |id: &mut SessionId| *id = self.numbers.get(id).copied().unwrap_or(*id);
        let raw = renumbered(&record.key, record.value, &mut visit)?;
        Ok((record.key.renumbered(&mut visit), raw))
    }

    fn told(&self, was: SessionId, is: SessionId) -> ImportedSession {
        let listed = self.sessions.get(&was);
        ImportedSession {
            was: was.to_string(),
            is: is.to_string(),
            technique: listed.map(|listed| listed.technique.clone()).unwrap_or_default(),
            app: listed.map(|listed| listed.app.clone()).unwrap_or_default(),
        }
    }
}

/// What an archive says about an existing session, beyond its recording.
#[derive(Default)]
struct Later {
    added: Vec<Key>,
    kept: u64,
}
