//! Taking an archive in: read and check all of it, then write what is new, session by session.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::sync::PoisonError;

use super::ArchiveError;
use super::content::{Content, Present, is_later};
use super::manifest::{ArchivedSession, EntryKind, Manifest};
use super::reader::{self, Entry, wrong};
use super::records::{Record, place};
use crate::gui::{Layout, LayoutHash};
use crate::record::{BlobHash, SessionId, SessionRecord, Turn};
use crate::store::core::Room;
use crate::store::engine::{Write, decode};
use crate::store::key::{self, Key};
use crate::store::renumber::renumbered;
use crate::store::value::Packed;
use crate::store::{Records, Store, StoreError};

/// Numbers a store may skip to keep those of an archive.
const MOST_SKIPPED: u32 = 1_000_000;
/// Bytes and values of one commit.
const BATCH_BYTES: usize = 4 << 20;
const BATCH: usize = 1_000;

/// What an import does with sessions that are there already: with the same content, whatever their
/// number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copies {
    /// Leaves them out, and adds what was said of them later: marks, mask edits, shrunk results and
    /// rechecks that the store does not have.
    LeaveOut,
    /// Takes them in once more.
    Take,
}

/// What was taken in.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Imported {
    pub sessions: Vec<ImportedSession>,
    /// Those left out.
    pub present: Vec<PresentSession>,
    pub values: u64,
    /// Those that the store did not have.
    pub layouts: u64,
    pub screenshots: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ImportedSession {
    /// `s7`: its number in the archive, and here.
    pub was: String,
    pub is: String,
    pub technique: String,
    pub app: String,
}

/// A session that was there already.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct PresentSession {
    #[serde(flatten)]
    pub session: ImportedSession,
    /// Later values of the archive (marks, mask edits, shrunk results, rechecks) that were added.
    pub added: u64,
    /// Later values that the store has otherwise; its own stay.
    pub kept: u64,
}

/// Old numbers and new ones.
type Numbers = BTreeMap<SessionId, SessionId>;

impl Store {
    /// Takes in the sessions of an archive. Removals and other imports wait meanwhile; what sessions
    /// record goes on.
    ///
    /// # Errors
    /// `Broken` when anything in it is not as it must be: then nothing was written. `Session` when
    /// a session's values do not fit together: those before it stay.
    pub fn import(&self, path: &Path, copies: Copies) -> Result<Imported, ArchiveError> {
        // Two at once would each find the other's sessions missing, and sweep them away.
        let _one_at_a_time = self.inner.importing.lock().unwrap_or_else(PoisonError::into_inner);
        let _together = self.inner.cleaning.blocking_read();
        let Survey { sessions, contents, named, bytes, .. } = survey(path)?;
        self.inner.core.room(Room::Recording, usize::try_from(bytes).unwrap_or(usize::MAX))?;
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
        // Also when all went well: then there is nothing to sweep.
        self.sweep_imports()?;
        ended.map(|()| done)
    }

    /// Removes what imports that never ended have left.
    pub(in crate::store) fn sweep_imports(&self) -> Result<(), StoreError> {
        for id in self.unfinished_imports()? {
            let keys = key::of_session(id)
                .into_iter()
                .flat_map(|span| Records::new(self, span, |_, key, _| Ok(Key::parse(key))));
            let keys = keys.collect::<Result<Vec<_>, _>>()?;
            for batch in keys.chunks(BATCH) {
                self.write(batch.iter().cloned().map(Write::Remove).collect(), Room::Cleaning)?;
            }
            self.write(vec![Write::Remove(Key::Import(id))], Room::Cleaning)?;
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

    /// The numbers that the archive's sessions, and those they name, have here: their own if they
    /// are present. For the others the old ones when none was ever given out here, else the next
    /// ones in the same order.
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
        self.write(writes, Room::Recording)?;
        Ok(numbers)
    }
}

/// What an archive holds, all of it sound.
#[derive(Default)]
struct Survey {
    sessions: BTreeMap<SessionId, ArchivedSession>,
    contents: BTreeMap<SessionId, Content>,
    /// Every session that a value names.
    named: BTreeSet<SessionId>,
    bytes: u64,
    layouts: HashSet<LayoutHash>,
    screenshots: HashSet<BlobHash>,
    /// The session being read, how many values came, and the place of the last one.
    at: Option<(SessionId, u64, (usize, Vec<u8>))>,
    last_layout: Option<LayoutHash>,
}

/// Reads an archive to its end and checks all that can be told without a store.
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
        survey.entry(entry).map_err(|why| wrong(path, &entry.kind.name(), &why))
    })?;
    for (id, session) in &listed {
        let values = survey.sessions.get(id).map_or(0, |session| session.values);
        if values != session.values || values == 0 {
            let why = format!("{id} has {values} values instead of {}", session.values);
            return Err(wrong(path, "sessions", &why));
        }
    }
    (survey.sessions, survey.bytes) = (listed, bytes_read);
    Ok(survey)
}

impl Survey {
    fn entry(&mut self, entry: Entry<'_>) -> Result<(), String> {
        match entry.kind {
            EntryKind::Screenshot(hash) => {
                self.screenshots.insert(hash);
                Ok(())
            }
            EntryKind::Layouts { .. } => entry.records().try_for_each(|record| {
                let record = record?;
                let Key::Layout(hash) = record.key else { return Err(format!("it holds {}", record.key)) };
                if self.last_layout.is_some_and(|last| last >= hash) {
                    return Err(format!("layout {hash} is there twice or out of order"));
                }
                let layout =
                    Layout::decode(&record.value).ok_or_else(|| format!("layout {hash} is unsound"))?;
                if layout.hash() != hash {
                    return Err(format!("layout {hash} has the content of another one"));
                }
                self.last_layout = Some(hash);
                self.layouts.insert(hash);
                Ok(())
            }),
            EntryKind::Session { id, .. } => entry.records().try_for_each(|record| {
                let record = record?;
                self.value(id, &record.key, &record.value)
            }),
        }
    }

    fn value(&mut self, id: SessionId, key: &Key, raw: &[u8]) -> Result<(), String> {
        let stands = place(key).filter(|_| key.session() == Some(id));
        let stands = stands.ok_or_else(|| format!("it holds {key}, which is not of {id}"))?;
        let (values, before) = match self.at.take() {
            Some((of, values, before)) if of == id => (values, Some(before)),
            _ => (0, None),
        };
        if before.is_none() && *key != Key::Session(id) {
            return Err(format!("{key} comes before the session's own record"));
        }
        if before.is_some_and(|before| before >= stands) {
            return Err(format!("{key} is there twice or out of order"));
        }
        let unreadable = |error: StoreError| error.to_string();
        match key {
            Key::Turns(_) => {
                let turns: Vec<Turn> = decode(&key.bytes(), raw).map_err(unreadable)?;
                self.all_there(key, &turns)?;
            }
            _ => {
                let raw = renumbered(key, raw.to_vec(), &mut |id| {
                    self.named.insert(*id);
                });
                raw.map_err(unreadable)?;
                let _ = key.clone().renumbered(&mut |id| {
                    self.named.insert(*id);
                });
            }
        }
        if let Key::Session(_) = key {
            let record: SessionRecord = decode(&key.bytes(), raw).map_err(unreadable)?;
            record.ended_ms.ok_or_else(|| format!("{id} has not ended"))?;
        }
        let content = self.contents.entry(id).or_insert_with(|| Content::new(id));
        content.add(key, raw.to_vec()).map_err(unreadable)?;
        let listed =
            ArchivedSession { id: id.0, technique: String::new(), app: String::new(), values: values + 1 };
        self.sessions.insert(id, listed);
        self.at = Some((id, values + 1, stands));
        Ok(())
    }

    /// Whether what these turns name is in the archive: layouts and screenshots come first.
    fn all_there(&self, key: &Key, turns: &[Turn]) -> Result<(), String> {
        for seen in turns.iter().filter_map(|turn| turn.observation.seen()) {
            if !self.layouts.contains(&seen.screen.layout) {
                return Err(format!("{key}: layout {} is not in the archive", seen.screen.layout));
            }
        }
        match turns.iter().flat_map(Turn::blobs).find(|hash| !self.screenshots.contains(hash)) {
            Some(hash) => Err(format!("{key}: screenshot {hash} is not in the archive")),
            None => Ok(()),
        }
    }
}

/// An import under way.
struct Import<'a> {
    store: &'a Store,
    path: &'a Path,
    numbers: Numbers,
    sessions: BTreeMap<SessionId, ArchivedSession>,
    /// Those left out because they are there, and their numbers here.
    present: Numbers,
    /// The session whose values are coming, by its old number, and its record.
    open: Option<(SessionId, Option<Write>)>,
    done: Imported,
}

impl Import<'_> {
    fn entry(&mut self, entry: Entry<'_>) -> Result<(), ArchiveError> {
        match entry.kind {
            EntryKind::Screenshot(hash) => {
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

    fn layouts(&mut self, entry: Entry<'_>) -> Result<(), ArchiveError> {
        let mut batch = Batched::new(self.store);
        for record in entry.records() {
            let record = record.map_err(|why| wrong(self.path, "layouts", &why))?;
            let Key::Layout(hash) = record.key else { continue };
            if !self.store.has_layout(hash)? {
                batch.put(record.key, record.value)?;
                self.done.layouts += 1;
            }
        }
        Ok(batch.finish()?)
    }

    fn values(&mut self, entry: Entry<'_>) -> Result<(), ArchiveError> {
        let mut batch = Batched::new(self.store);
        for record in entry.records() {
            let record = record.map_err(|why| wrong(self.path, "sessions", &why))?;
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

    /// Checks the session whose values have come and makes it one of the store's.
    fn end_session(&mut self) -> Result<(), ArchiveError> {
        let Some((was, record)) = self.open.take() else { return Ok(()) };
        let is = self.numbers.get(&was).copied().unwrap_or(was);
        self.check(was, is)?;
        let writes = record.into_iter().chain([Write::Remove(Key::Import(is))]);
        self.store.write(writes.collect(), Room::Recording)?;
        let told = self.told(was, is);
        self.done.sessions.push(told);
        Ok(())
    }

    /// Adds to the sessions that were there what the archive says of them beside what they recorded:
    /// last, because it may name sessions that have just come.
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
            self.store.write(added.collect(), Room::Cleaning)?;
            return Err(error);
        }
        for (was, is) in &self.present {
            let (added, kept) = later.get(was).map_or((0, 0), |of| (of.added.len() as u64, of.kept));
            self.done.present.push(PresentSession { session: self.told(*was, *is), added, kept });
        }
        Ok(())
    }

    fn later_values(&self, entry: Entry<'_>, later: &mut Later) -> Result<(), ArchiveError> {
        let mut batch = Batched::new(self.store);
        for record in entry.records() {
            let record = record.map_err(|why| wrong(self.path, "sessions", &why))?;
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

    /// Checks that what a session's values name is there.
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

/// What an archive says of a session that is there, beside what it recorded.
#[derive(Default)]
struct Later {
    added: Vec<Key>,
    kept: u64,
}

/// Writes gathered into commits.
struct Batched<'a> {
    store: &'a Store,
    writes: Vec<Write>,
    bytes: usize,
}

impl<'a> Batched<'a> {
    fn new(store: &'a Store) -> Self {
        Self { store, writes: Vec::new(), bytes: 0 }
    }

    fn put(&mut self, key: Key, raw: Vec<u8>) -> Result<(), StoreError> {
        let packed = Packed::raw(&key, raw)?;
        self.bytes += packed.size();
        self.writes.push(Write::Put(key, packed));
        if self.bytes >= BATCH_BYTES || self.writes.len() >= BATCH { self.commit() } else { Ok(()) }
    }

    fn finish(mut self) -> Result<(), StoreError> {
        self.commit()
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.bytes = 0;
        let writes = std::mem::take(&mut self.writes);
        if writes.is_empty() { Ok(()) } else { self.store.write(writes, Room::Recording) }
    }
}
