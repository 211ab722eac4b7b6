//! What a store holds and how much room it takes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::key::{self, Key};
use super::{Damage, Records, Store, StoreError};
use droidmux_record::SessionId;

/// What a store holds, and the room on its disk.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoreStats {
    /// Where the store is.
    pub folder: PathBuf,
    /// The highest format of its values.
    pub format: u32,
    /// In the order of their numbers.
    pub sessions: Vec<SessionStats>,
    /// Each counted once, however many sessions name it; compressed, without their keys.
    pub layouts: Amount,
    /// The screenshots, each counted once, however many sessions name it.
    pub screenshots: Amount,
    /// Bytes of sled's files.
    pub database: u64,
    /// Bytes of the ballast, 0 while the room is given back.
    pub ballast: u64,
    /// Bytes free on this disk.
    pub free: u64,
}

/// A session and how many values of each kind it has.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "session-stats"))]
pub struct SessionStats {
    /// `s7`
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^s[0-9]+$")))]
    pub id: String,
    /// By its name in session files, e.g. `genie`.
    pub technique: String,
    /// Package of the app under test.
    pub app: String,
    /// Milliseconds since the Unix epoch.
    pub started_ms: u64,
    /// When the session ended, counted in the same way; `None` while it is running, and after a crash.
    pub ended_ms: Option<u64>,
    /// Why it ended, for a person; `None` as long as `ended_ms` is.
    pub ending: Option<String>,
    /// Jobs that were planned.
    pub jobs: u64,
    /// Finished jobs.
    pub runs: u64,
    /// Turns of all attempts.
    pub turns: u64,
    /// Finished jobs that the oracle has judged.
    pub judgements: u64,
    /// Findings of any state, including refuted ones.
    pub findings: u64,
}

/// How many, and how many bytes they take on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "amount"))]
pub struct Amount {
    /// How many.
    pub count: u64,
    /// On disk.
    pub bytes: u64,
}

#[derive(Default)]
struct Counts {
    jobs: u64,
    runs: u64,
    turns: u64,
    judgements: u64,
    findings: u64,
}

impl Store {
    /// Counts everything in one pass.
    ///
    /// # Errors
    /// When the database fails or a value cannot be read.
    pub fn stats(&self) -> Result<StoreStats, StoreError> {
        let core = &self.inner.core;
        let mut counts: BTreeMap<SessionId, Counts> = BTreeMap::new();
        let mut layouts = Amount::default();
        for entry in self.entries() {
            let (key, head) = entry?;
            let Some(key) = Key::parse(&key) else { continue };
            match &key {
                Key::Layout(_) => layouts.add(1, head.len()),
                Key::Chunk { head: whole, .. } if matches!(Key::parse(whole), Some(Key::Layout(_))) => {
                    layouts.add(0, head.len());
                }
                _ => {}
            }
            let Some(session) = key.session() else { continue };
            let counts = counts.entry(session).or_default();
            match key {
                Key::Job(..) => counts.jobs += 1,
                Key::Finished(..) => counts.runs += 1,
                Key::Judgement(..) => counts.judgements += 1,
                Key::Finding(_) => counts.findings += 1,
                Key::Turns(_) => counts.turns += self.length(&key, &head)?,
                _ => {}
            }
        }
        let mut screenshots = Amount::default();
        core.screens.each(|path, _| {
            screenshots.count += 1;
            screenshots.bytes += size(path);
            Ok(())
        })?;
        let sessions = self.sessions()?.into_iter().map(|(id, record)| {
            let counts = counts.remove(&id).unwrap_or_default();
            SessionStats {
                id: id.to_string(),
                technique: record.definition.technique.name().to_owned(),
                app: record.definition.app,
                started_ms: record.started_ms,
                ended_ms: record.ended_ms,
                ending: record.ending,
                jobs: counts.jobs,
                runs: counts.runs,
                turns: counts.turns,
                judgements: counts.judgements,
                findings: counts.findings,
            }
        });
        Ok(StoreStats {
            format: core.format(),
            sessions: sessions.collect(),
            layouts,
            screenshots,
            database: size(&core.folder.join("db")),
            ballast: core.ballast.held(),
            free: core.disk.free(&core.folder).unwrap_or(0),
            folder: core.folder.clone(),
        })
    }

    /// Every key with its raw head, in key order.
    pub(super) fn entries(&self) -> Records<(Vec<u8>, Vec<u8>)> {
        Records::new(self, key::everything(), |_, key, head| Ok(Some((key.to_vec(), head.to_vec()))))
    }

    /// How many elements a stored list has: the number postcard puts first.
    fn length(&self, key: &Key, head: &[u8]) -> Result<u64, StoreError> {
        let corrupt = |damage| StoreError::Corrupt { key: key.to_string(), damage };
        let bytes = self.inner.core.with(|engine| engine.unpack(&key.bytes(), head))?;
        let (count, _) = postcard::take_from_bytes(&bytes).map_err(|error| corrupt(Damage::NoList(error)))?;
        Ok(count)
    }
}

impl Amount {
    fn add(&mut self, count: u64, bytes: usize) {
        self.count += count;
        self.bytes += bytes as u64;
    }
}

/// Bytes of a file, or of all files below a folder.
pub(super) fn size(path: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(path) else {
        return std::fs::metadata(path).map_or(0, |file| file.len());
    };
    entries.flatten().map(|entry| size(&entry.path())).sum()
}
