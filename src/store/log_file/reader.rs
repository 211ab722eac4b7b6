//! The reader of the log: which keys its messages set and remove, segment by segment.
//!
//! In: segments in the order of the file. Out: the keys with the places of their last values, and the places where the
//! file is unreadable.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use super::found::{Found, Latest, Span, blob};
use super::message::{
    BATCH, CHANGE, CHANGE_FILE, LEAF, LEAF_FILE, Message, PAD, Rest, SEGMENT, SEGMENT_HEADER, SHORTEST,
    is_leftover, message, next, segment_number,
};

/// A body in a file of its own: bytes at most.
const LARGEST: u64 = 256 << 20;

#[derive(Default)]
pub(super) struct LogReader {
    pub found: Found,
    /// When the last sound message ends.
    pub end: u64,
    /// The leaves that a page was over time, by its number.
    covers: HashMap<u64, Vec<Cover>>,
    changes: Vec<Change>,
    /// Nothing is kept of messages except the beginnings of commits.
    checks_only: bool,
    pub batches: Vec<u64>,
    /// Time and place of the unsound parts of segments whose time is known.
    pub holes: Vec<(u64, u64)>,
}

impl LogReader {
    /// The reader of the database in this folder.
    pub fn of(home: &Path) -> Self {
        Self { found: Found { home: home.to_owned(), ..Found::default() }, ..Self::default() }
    }

    /// A reader that keeps only the beginnings of commits and the positions of the holes.
    pub fn that_checks_only() -> Self {
        Self { checks_only: true, ..Self::default() }
    }

    pub fn segment(&mut self, at: u64, bytes: &[u8]) {
        let number = segment_number(bytes);
        let mut known = number;
        let mut here = SEGMENT_HEADER;
        let mut unsound = Vec::new();
        if number.is_none() && self.unread(at, bytes.get(..SEGMENT_HEADER).unwrap_or(bytes)) {
            unsound.push(0);
        }
        while here + SHORTEST <= bytes.len() {
            let message =
                message(bytes, here).filter(|message| known.is_none_or(|known| known == message.segment));
            let Some(message) = message else {
                let skipped = next(bytes, here, known);
                if !is_leftover(bytes, here, skipped, known)
                    && self.unread(at + here as u64, &bytes[here..skipped])
                {
                    unsound.push(here as u64);
                }
                here = skipped;
                continue;
            };
            known = Some(message.segment);
            let time = message.segment.saturating_mul(SEGMENT as u64).saturating_add(here as u64);
            let body_at = at + (here + message.length - message.body.len()) as u64;
            self.end = self.end.max(time.saturating_add(message.length as u64));
            self.take(time, body_at, &message);
            here += message.length;
            if message.kind == PAD {
                break;
            }
        }
        // Too few for a message: the beginning of one that was cut off.
        if bytes.len() < here + SHORTEST {
            self.unread(at + here as u64, bytes.get(here..).unwrap_or_default());
        }
        if let Some(number) = known {
            let begin = number.saturating_mul(SEGMENT as u64);
            self.holes.extend(unsound.into_iter().map(|here| (begin.saturating_add(here), at + here)));
        }
    }

    /// Records unreadable bytes; empty ones never had any meaning. True when there are any.
    fn unread(&mut self, at: u64, bytes: &[u8]) -> bool {
        let count = bytes.iter().filter(|byte| **byte != 0).count();
        if count > 0 {
            self.found.unread += count as u64;
            self.found.first_unread.get_or_insert(at);
        }
        count > 0
    }

    fn take(&mut self, time: u64, at: u64, message: &Message<'_>) {
        match message.kind {
            BATCH => self.batches.push(time),
            _ if self.checks_only => {}
            LEAF => drop(self.leaf((time, message.page), message.body, None, at)),
            CHANGE => drop(self.change((time, message.page), message.body, None, at)),
            LEAF_FILE | CHANGE_FILE => {
                let Some(number) = message.body.first_chunk().map(|number| u64::from_le_bytes(*number))
                else {
                    return;
                };
                let Some(body) = read_blob(&self.found.home, number, message.kind) else {
                    self.found.unread += message.body.len() as u64;
                    self.found.first_unread.get_or_insert(at);
                    return;
                };
                // After the checksum and the kind.
                let _ = match message.kind {
                    LEAF_FILE => self.leaf((time, message.page), &body, Some(number), 5),
                    _ => self.change((time, message.page), &body, Some(number), 5),
                };
            }
            _ => {}
        }
    }

    fn leaf(&mut self, (time, page): (u64, u64), body: &[u8], file: Option<u64>, at: u64) -> Option<()> {
        let mut rest = Rest { bytes: body, at: 0 };
        let (_next, _merging_child, _merging) = (rest.number()?, rest.number()?, rest.byte()?);
        let common = usize::from(rest.byte()?);
        let (from, to) = (rest.piece()?, rest.piece()?);
        let (is_index, count) = (rest.byte()? != 0, rest.number()?);
        if is_index {
            return Some(());
        }
        let beginning = body.get(from.0..from.1)?.get(..common)?;
        let mut keys = Vec::new();
        for _ in 0..count {
            let (start, end) = rest.piece()?;
            keys.push([beginning, body.get(start..end)?].concat());
        }
        let mut entries = Vec::new();
        for key in keys {
            let (start, end) = rest.piece()?;
            entries.push((key, Span { file, at: at + start as u64, length: end - start }));
        }
        for (key, span) in entries {
            self.put(key, time, Some(span));
        }
        let (from, to) = (body.get(from.0..from.1)?.to_vec(), body.get(to.0..to.1)?.to_vec());
        self.covers.entry(page).or_default().push(Cover { time, from, to, common });
        Some(())
    }

    fn change(&mut self, (time, page): (u64, u64), body: &[u8], file: Option<u64>, at: u64) -> Option<()> {
        let mut rest = Rest { bytes: body, at: 0 };
        let kind = rest.byte()?;
        if kind > 1 {
            return Some(());
        }
        let (start, end) = rest.piece()?;
        let key = body.get(start..end)?.to_vec();
        let value = match kind {
            0 => {
                let (start, end) = rest.piece()?;
                Some(Span { file, at: at + start as u64, length: end - start })
            }
            _ => None,
        };
        self.changes.push(Change { time, page, key, value });
        Some(())
    }

    fn put(&mut self, key: Vec<u8>, time: u64, value: Option<Span>) {
        let latest = self.found.keys.entry(key).or_insert(Latest { time, value });
        if latest.time <= time {
            *latest = Latest { time, value };
        }
    }

    /// Assigns keys that were set one by one to their places, and removes what later leaves no longer contain.
    pub fn finish(mut self) -> Found {
        for Change { time, page, key, value } in std::mem::take(&mut self.changes) {
            let covers = self.covers.get(&page).into_iter().flatten();
            let Some(leaf) = covers.filter(|leaf| leaf.time < time).max_by_key(|leaf| leaf.time) else {
                continue;
            };
            let key = [leaf.from.get(..leaf.common).unwrap_or_default(), &key].concat();
            // Otherwise the key was set not in this leaf, but in one that cannot be read.
            if key >= leaf.from && (leaf.to.is_empty() || key < leaf.to) {
                self.put(key, time, value);
            }
        }
        for Cover { time, from, to, .. } in self.covers.values().flatten() {
            let covered = self.found.keys.range_mut(from.clone()..);
            for (_, latest) in covered.take_while(|(key, _)| to.is_empty() || *key < to) {
                if latest.time < *time {
                    latest.value = None;
                }
            }
        }
        self.found
    }
}

/// The body in a file of its own, if it is sound.
fn read_blob(home: &Path, number: u64, kind: u8) -> Option<Vec<u8>> {
    let path = blob(home, number);
    if fs::metadata(&path).ok()?.len() > LARGEST {
        return None;
    }
    let bytes = fs::read(path).ok()?;
    let (crc, rest) = bytes.split_first_chunk()?;
    let is_sound = crc32fast::hash(rest) == u32::from_le_bytes(*crc) && rest.first() == Some(&kind);
    is_sound.then(|| rest.get(1..).unwrap_or_default().to_vec())
}

/// A leaf that covers all keys between two bounds, and its time.
struct Cover {
    time: u64,
    from: Vec<u8>,
    /// Empty if there is no end.
    to: Vec<u8>,
    /// The prefix of all its keys.
    common: usize,
}

/// A key of a page set or removed.
struct Change {
    time: u64,
    page: u64,
    /// Without its prefix.
    key: Vec<u8>,
    value: Option<Span>,
}
