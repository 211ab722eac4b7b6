//! sled's log, read leniently: what can be recovered from the file of a database that sled itself no longer opens.
//!
//! In: the folder of a database. Out: keys with the places of their last values, and how much of the file is
//! unreadable. Nothing is written, and no code of sled runs.
//!
//! The log of sled 0.34 is a row of segments of 512 KiB. A segment is a header of 20 bytes and messages; a message is
//! `crc u32 · kind u8 · length · segment number · page`, the last three of variable length, and a body: a whole leaf
//! (its bounds, its keys without their common prefix, its values), or one key of the leaf set or removed, again without
//! that prefix. The number of the segment times its length, plus the place in it, is the time of the message. Bodies of
//! pages above 128 KiB are files of their own.
//!
//! # Invariants
//!
//! - Only what has the checksum it says is believed, and no length is.
//! - A key has its last value, unless a later message removed it or a later leaf that covers it does
//!   not have it.

mod found;
mod message;
mod reader;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

pub(super) use found::Found;
use message::{SEGMENT, SEGMENT_HEADER, segment_number};
use reader::LogReader;

/// Reads the log of the database in this folder.
pub(super) fn read(home: &Path) -> io::Result<Found> {
    let mut reader = LogReader::of(home);
    let mut log = File::open(home.join("db"))?;
    let mut at = 0;
    loop {
        let mut segment = Vec::with_capacity(SEGMENT);
        log.by_ref().take(SEGMENT as u64).read_to_end(&mut segment)?;
        if segment.is_empty() {
            break;
        }
        reader.segment(at, &segment);
        at += SEGMENT as u64;
    }
    reader.found.is_cut = at == 0 || snapshot_time(home).is_some_and(|time| time > reader.end);
    Ok(reader.finish())
}

/// Damage that sled would take for the end of the log: it drops and overwrites everything after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Break {
    /// The byte of the file at which it begins.
    pub at: u64,
    /// Commits that come after it.
    pub commits: usize,
}

/// Bytes at the end of the log that belong to nothing whole: what was being written when the program was killed or the
/// power went, or the rest of an end that somebody cut off. The log does not tell which, nor what would have followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Torn {
    /// The byte of the file at which they begin.
    pub at: u64,
    /// How many there are, zeros not counted.
    pub bytes: u64,
}

/// What a look at the log before it is opened finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Condition {
    /// Nothing may be opened then.
    pub broken: Option<Break>,
    /// sled drops it without a word.
    pub torn: Option<Torn>,
}

/// Looks for damage in the part of the log in this folder that sled reads when it opens the database: from the time of
/// the snapshot on. A kill also leaves damage, in the commit that was under way; but if a second commit begins after
/// the damage, the first of the two was durable, and so was everything before it.
pub(super) fn condition(home: &Path) -> io::Result<Condition> {
    let log = match File::open(home.join("db")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Condition::default()),
        other => other?,
    };
    let (from, length) = (snapshot_time(home).unwrap_or(0), log.metadata()?.len());
    let mut reader = LogReader::that_checks_only();
    for at in (0..length).step_by(SEGMENT) {
        let mut header = [0; SEGMENT_HEADER];
        let rest = length - at;
        if rest < SEGMENT_HEADER as u64 {
            let mut bytes = vec![0; usize::try_from(rest).unwrap_or(0)];
            log.read_exact_at(&mut bytes, at)?;
            reader.segment(at, &bytes);
            break;
        }
        log.read_exact_at(&mut header, at)?;
        let is_old = |number: u64| number.saturating_add(1).saturating_mul(SEGMENT as u64) <= from;
        if segment_number(&header).is_some_and(is_old) {
            continue;
        }
        let mut segment = vec![0; usize::try_from(rest).map_or(SEGMENT, |rest| rest.min(SEGMENT))];
        log.read_exact_at(&mut segment, at)?;
        reader.segment(at, &segment);
    }
    let first = reader.holes.into_iter().filter(|(time, _)| *time >= from).min();
    let broken = first.and_then(|(time, at)| {
        let commits = reader.batches.iter().filter(|batch| **batch > time).count();
        (commits > 1).then_some(Break { at, commits })
    });
    let found = reader.found.first_unread.map(|at| Torn { at, bytes: reader.found.unread });
    Ok(Condition { broken, torn: found.filter(|_| broken.is_none()) })
}

/// The time of a database's newest snapshot, which is its name.
fn snapshot_time(home: &Path) -> Option<u64> {
    let names = fs::read_dir(home).ok()?.flatten().map(|entry| entry.file_name());
    let time = |name: &OsString| u64::from_str_radix(name.to_str()?.strip_prefix("snap.")?, 16).ok();
    names.filter_map(|name| time(&name)).max()
}
