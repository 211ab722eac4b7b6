//! Writing an archive.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::caps::{CHUNK, MANIFEST, VERSION};
use super::error::ArchiveError;
use super::manifest::{ArchivedSession, EntryKind, Listed, Manifest};
use super::records;
use crate::engine::decode;
use crate::format::FORMAT;
use crate::key::{self, Key, Span};
use crate::renumber::renumbered;
use crate::screens::Form;
use crate::{Damage, Records, Store, StoreError};
use droidmux_gui::LayoutHash;
use droidmux_record::{BlobHash, SessionId, SessionRecord, Turn};

/// zstd's default: archives are written once and kept.
const LEVEL: i32 = 3;

/// What went into an archive.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "exported"))]
pub struct Exported {
    /// All sessions of the archive by name, `s7`, in ascending order.
    #[cfg_attr(feature = "schema", schemars(inner(regex(pattern = "^s[0-9]+$"))))]
    pub sessions: Vec<String>,
    /// The sessions among them that nobody asked for: others build on them or name them.
    #[cfg_attr(feature = "schema", schemars(inner(regex(pattern = "^s[0-9]+$"))))]
    pub added: Vec<String>,
    /// The values of these sessions; layouts are not counted.
    pub values: u64,
    /// Layouts that their turns name, each once.
    pub layouts: u64,
    /// Screenshots that their turns name, each once.
    pub screenshots: u64,
    /// The total bytes of the entries.
    pub unpacked: u64,
    /// The bytes of the file, compressed.
    pub bytes: u64,
}

/// What goes into an archive.
#[derive(Default)]
pub(super) struct Contents {
    pub sessions: BTreeMap<SessionId, ArchivedSession>,
    pub layouts: BTreeSet<LayoutHash>,
    pub screenshots: BTreeSet<BlobHash>,
    /// The values of sessions that are only exported in part, in the order of [`key::of_session`]. The others are
    /// exported whole.
    pub parts: BTreeMap<SessionId, Vec<(Key, Vec<u8>)>>,
}

/// Takes an entry's bytes.
type Sink<'a> = &'a mut dyn FnMut(EntryKind, &[u8]) -> Result<(), ArchiveError>;

impl Store {
    /// Writes these sessions, and those they name, to a file that must not exist yet. Removals wait meanwhile. The file
    /// gets its name only when it is complete and durable.
    ///
    /// # Errors
    /// `NotEnded` for a session that has not ended, `NoSession` for one that does not exist.
    pub fn export(&self, sessions: &[SessionId], path: &Path) -> Result<Exported, ArchiveError> {
        let _together = self.inner.cleaning.blocking_read();
        let contents = self.contents(sessions)?;
        self.pack(&contents, sessions, path)
    }

    /// Writes the archive of these contents; distinguishes the requested sessions from those that go with them.
    pub(super) fn pack(
        &self,
        contents: &Contents,
        asked: &[SessionId],
        path: &Path,
    ) -> Result<Exported, ArchiveError> {
        let mut entries = Vec::new();
        self.produce(contents, &mut |kind, bytes| {
            let blake3 = BlobHash(*blake3::hash(bytes).as_bytes());
            entries.push(Listed { name: kind.name(), bytes: bytes.len() as u64, blake3 });
            Ok(())
        })?;
        let manifest = Manifest {
            archive: VERSION,
            store_format: FORMAT,
            droidmux: env!("CARGO_PKG_VERSION").to_owned(),
            sessions: contents.sessions.values().cloned().collect(),
            entries,
        };
        let bytes = self.write_archive(contents, &manifest, path)?;
        let added = contents.sessions.keys().filter(|id| !asked.contains(id));
        Ok(Exported {
            sessions: contents.sessions.keys().map(ToString::to_string).collect(),
            added: added.map(ToString::to_string).collect(),
            values: contents.sessions.values().map(|session| session.values).sum(),
            layouts: contents.layouts.len() as u64,
            screenshots: contents.screenshots.len() as u64,
            unpacked: manifest.total(),
            bytes,
        })
    }

    /// The sessions and all that belongs to them: one pass over their values.
    fn contents(&self, asked: &[SessionId]) -> Result<Contents, ArchiveError> {
        let mut contents = Contents::default();
        let mut waiting: BTreeSet<SessionId> = asked.iter().copied().collect();
        while let Some(id) = waiting.pop_first() {
            let record = match self.session(id)? {
                Some(record) => record,
                None if asked.contains(&id) => return Err(StoreError::NoSession(id).into()),
                // The session has been removed since it was named.
                None => continue,
            };
            let SessionRecord { definition, ended_ms, .. } = record;
            if ended_ms.is_none() {
                return Err(ArchiveError::NotEnded(id));
            }
            let mut values = 0;
            let mut named = BTreeSet::new();
            for entry in self.values_of(id) {
                let (key, raw) = entry?;
                values += 1;
                match key {
                    Key::Turns(_) => contents.name_all(&decode::<Vec<Turn>>(&key.bytes(), &raw)?),
                    Key::Picture(_, layout) => {
                        contents.layouts.insert(layout);
                        contents.screenshots.insert(decode(&key.bytes(), &raw)?);
                    }
                    key => {
                        renumbered(&key, raw, &mut |id| {
                            named.insert(*id);
                        })?;
                        let _ = key.renumbered(&mut |id| {
                            named.insert(*id);
                        });
                    }
                }
            }
            let technique = definition.technique.name().to_owned();
            contents
                .sessions
                .insert(id, ArchivedSession { id: id.0, technique, app: definition.app, values });
            waiting.extend(named.into_iter().filter(|id| !contents.sessions.contains_key(id)));
        }
        Ok(contents)
    }

    /// Every value of a session, decompressed, its record first.
    pub(super) fn values_of(
        &self,
        id: SessionId,
    ) -> impl Iterator<Item = Result<(Key, Vec<u8>), StoreError>> + use<> {
        let store = self.clone();
        key::of_session(id).into_iter().flat_map(move |span| store.values_in(span))
    }

    /// Every value of a span, decompressed.
    pub(super) fn values_in(&self, span: Span) -> Records<(Key, Vec<u8>)> {
        Records::new(self, span, |store, key, head| {
            let Some(parsed) = Key::parse(key) else { return Ok(None) };
            store.inner.core.with(|engine| engine.unpack(key, head)).map(|raw| Some((parsed, raw)))
        })
    }

    /// Yields every entry in order.
    fn produce(&self, contents: &Contents, sink: Sink<'_>) -> Result<(), ArchiveError> {
        let mut chunks = Chunks::new(|number| EntryKind::Layouts { number });
        for hash in &contents.layouts {
            let key = Key::Layout(*hash);
            let missing = || StoreError::Corrupt { key: key.to_string(), damage: Damage::NotStored };
            let raw = self.inner.core.with(|engine| engine.value(&key))?.ok_or_else(missing)?;
            chunks.add(&key, &raw, sink)?;
        }
        chunks.finish(sink)?;
        for hash in &contents.screenshots {
            let missing =
                || StoreError::Corrupt { key: format!("screenshot {hash}"), damage: Damage::NotStored };
            let content = self.kept_screenshot(*hash)?.ok_or_else(missing)?;
            sink(EntryKind::Screenshot(*hash, Form::of(&content)), &content)?;
        }
        for id in contents.sessions.keys().copied() {
            let mut chunks = Chunks::new(|number| EntryKind::Session { id, number });
            match contents.parts.get(&id) {
                Some(part) => part.iter().try_for_each(|(key, raw)| chunks.add(key, raw, sink))?,
                None => {
                    for entry in self.values_of(id) {
                        let (key, raw) = entry?;
                        chunks.add(&key, &raw, sink)?;
                    }
                }
            }
            chunks.finish(sink)?;
        }
        Ok(())
    }

    fn write_archive(
        &self,
        contents: &Contents,
        manifest: &Manifest,
        path: &Path,
    ) -> Result<u64, ArchiveError> {
        let failed = |source| ArchiveError::Io { action: "cannot write", path: path.to_owned(), source };
        if path.exists() {
            return Err(failed(io::Error::new(io::ErrorKind::AlreadyExists, "there is such a file already")));
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".unfinished");
        let unfinished = path.with_file_name(name);
        let written = self.fill(contents, manifest, &unfinished, &failed).and_then(|bytes| {
            fs::rename(&unfinished, path).map_err(failed)?;
            Ok(bytes)
        });
        if written.is_err() {
            let _ = fs::remove_file(&unfinished);
        }
        written
    }

    fn fill(
        &self,
        contents: &Contents,
        manifest: &Manifest,
        path: &Path,
        failed: &dyn Fn(io::Error) -> ArchiveError,
    ) -> Result<u64, ArchiveError> {
        let file = File::create(path).map_err(failed)?;
        let packer = zstd::Encoder::new(file, LEVEL).map_err(failed)?;
        let mut tar = tar::Builder::new(packer);
        let mut append = |name: &str, bytes: &[u8]| {
            let mut header = tar::Header::new_ustar();
            header.set_entry_type(tar::EntryType::Regular);
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            tar.append_data(&mut header, name, bytes).map_err(failed)
        };
        let listed = serde_json::to_vec(manifest).map_err(|error| failed(error.into()))?;
        append(MANIFEST, &listed)?;
        let mut expected = manifest.entries.iter();
        self.produce(contents, &mut |kind, bytes| {
            let name = kind.name();
            let hash = BlobHash(*blake3::hash(bytes).as_bytes());
            if expected.next().is_none_or(|listed| listed.name != name || listed.blake3 != hash) {
                return Err(failed(io::Error::other(format!("{name} changed meanwhile; export again"))));
            }
            append(&name, bytes)
        })?;
        let packer = tar.into_inner().map_err(failed)?;
        let mut file = packer.finish().map_err(failed)?;
        file.flush().and_then(|()| file.sync_all()).map_err(failed)?;
        file.metadata().map(|file| file.len()).map_err(failed)
    }
}

impl Contents {
    /// Takes the layouts and screenshots that these turns name.
    pub fn name_all(&mut self, turns: &[Turn]) {
        let seen = turns.iter().filter_map(|turn| turn.observation.seen());
        self.layouts.extend(seen.map(|seen| seen.screen.layout));
        self.screenshots.extend(turns.iter().flat_map(Turn::blobs));
    }
}

/// Records gathered into entries of [`CHUNK`] bytes and what the last one has more.
struct Chunks<F> {
    name: F,
    number: u32,
    bytes: Vec<u8>,
}

impl<F: Fn(u32) -> EntryKind> Chunks<F> {
    fn new(name: F) -> Self {
        Self { name, number: 0, bytes: Vec::new() }
    }

    fn add(&mut self, key: &Key, value: &[u8], sink: Sink<'_>) -> Result<(), ArchiveError> {
        records::add(&mut self.bytes, &key.bytes(), value)
            .map_err(|why| StoreError::Misuse(format!("{key} cannot be exported: {why}")))?;
        if self.bytes.len() >= CHUNK { self.finish(sink) } else { Ok(()) }
    }

    fn finish(&mut self, sink: Sink<'_>) -> Result<(), ArchiveError> {
        if self.bytes.is_empty() {
            return Ok(());
        }
        sink((self.name)(self.number), &self.bytes)?;
        self.number += 1;
        self.bytes.clear();
        Ok(())
    }
}
