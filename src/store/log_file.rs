//! sled's log, read leniently: what can be found in the file of a database that sled itself does
//! not open any more.
//!
//! In: the folder of a database. Out: keys with the place of their last values, and how much of the
//! file says nothing. Nothing is written, and nothing of sled runs.
//!
//! The log of sled 0.34 is a row of segments of 512 KiB. A segment is a header of 20 bytes and
//! messages; a message is `crc u32 · kind u8 · length · segment number · page`, the last three of
//! variable length, and a body: a whole leaf (its bounds, its keys without their common beginning, its
//! values), or one key of the leaf set or removed, again without that beginning. The number of the segment times its length, and the
//! place in it, is the time of the message. Bodies of pages above 128 KiB are files of their own.
//!
//! # Invariants
//!
//! - Only what has the checksum it says is believed, and no length is.
//! - A key has its last value, unless a later message removed it or a later leaf that covers it does
//!   not have it.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::Bound;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::key;

const SEGMENT: usize = 512 << 10;
const SEGMENT_HEADER: usize = 20;
/// The shortest message: a checksum, a kind and three numbers.
const SHORTEST: usize = 8;
/// A longer message has its body in a file of its own.
const LONGEST: usize = 128 << 10;
/// A body in a file of its own.
const LARGEST: u64 = 256 << 20;

const PAD: u8 = 2;
const BATCH: u8 = 3;
const LEAF: u8 = 8;
const LEAF_FILE: u8 = 9;
const CHANGE: u8 = 10;
const CHANGE_FILE: u8 = 11;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    home: PathBuf,
    keys: BTreeMap<Vec<u8>, Latest>,
    /// Bytes of the file that belong to no sound message and are not empty.
    pub unread: u64,
    /// The first of them.
    pub first_unread: Option<u64>,
    /// Whether the file ends before what the snapshot beside it knew of: something was cut off.
    pub is_cut: bool,
}

/// Where a value is, and since when.
#[derive(Clone, Debug)]
struct Latest {
    /// Of the message that says it.
    time: u64,
    /// `None` for a key that was removed.
    value: Option<Span>,
}

/// Bytes of the log, or of a file beside it.
#[derive(Clone, Copy, Debug)]
struct Span {
    file: Option<u64>,
    at: u64,
    length: usize,
}

/// A leaf that covers all keys between two, and when.
struct Cover {
    time: u64,
    from: Vec<u8>,
    /// Empty for no end.
    to: Vec<u8>,
    /// Bytes with which all its keys begin.
    common: usize,
}

/// A key of a page set or removed.
struct Change {
    time: u64,
    page: u64,
    /// Without its beginning.
    key: Vec<u8>,
    value: Option<Span>,
}

/// Reads the log of the database in this folder.
pub(super) fn read(home: &Path) -> io::Result<Found> {
    let mut reader =
        LogReader { found: Found { home: home.to_owned(), ..Found::default() }, ..LogReader::default() };
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

/// Damage that sled would take for the end of the log: it drops and overwrites all that comes after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Break {
    /// The byte of the file where it begins.
    pub at: u64,
    /// Commits that come after it.
    pub commits: usize,
}

/// Looks for damage in what sled reads of the log in this folder when it opens the database: from the
/// time of the snapshot on. A kill leaves damage, too, in the commit that was under way; but where a
/// second commit begins after it, the first of them was durable, and all before it.
pub(super) fn damage(home: &Path) -> io::Result<Option<Break>> {
    let log = match File::open(home.join("db")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other?,
    };
    let (from, length) = (snapshot_time(home).unwrap_or(0), log.metadata()?.len());
    let mut reader = LogReader { checks_only: true, ..LogReader::default() };
    for at in (0..length).step_by(SEGMENT) {
        let mut header = [0; SEGMENT_HEADER];
        let rest = length - at;
        if rest < SEGMENT_HEADER as u64 {
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
    Ok(first.and_then(|(time, at)| {
        let commits = reader.batches.iter().filter(|batch| **batch > time).count();
        (commits > 1).then_some(Break { at, commits })
    }))
}

impl Found {
    /// The keys with a value, in order.
    pub fn keys(&self) -> impl Iterator<Item = &[u8]> {
        self.keys.iter().filter(|(_, latest)| latest.value.is_some()).map(|(key, _)| key.as_slice())
    }

    /// Those of a span.
    pub fn keys_in(&self, (from, to): &key::Span) -> impl Iterator<Item = &[u8]> {
        let keys =
            self.keys.range::<[u8], _>((Bound::Included(from.as_slice()), Bound::Excluded(to.as_slice())));
        keys.filter(|(_, latest)| latest.value.is_some()).map(|(key, _)| key.as_slice())
    }

    /// The value of a key; `None` where there is none, or it cannot be read a second time.
    pub fn value(&self, key: &[u8]) -> Option<Vec<u8>> {
        let span = self.keys.get(key)?.value?;
        let mut bytes = vec![0; span.length];
        let path = span.file.map_or_else(|| self.home.join("db"), |number| blob(&self.home, number));
        File::open(path).and_then(|file| file.read_exact_at(&mut bytes, span.at)).ok()?;
        Some(bytes)
    }
}

#[derive(Default)]
struct LogReader {
    found: Found,
    /// When the last sound message ends.
    end: u64,
    /// The leaves that a page was, by its number.
    covers: HashMap<u64, Vec<Cover>>,
    changes: Vec<Change>,
    /// Nothing is kept of messages but when commits begin.
    checks_only: bool,
    batches: Vec<u64>,
    /// When and where the unsound parts of segments are whose time is known.
    holes: Vec<(u64, u64)>,
}

/// A message whose checksum is right.
struct Message<'a> {
    kind: u8,
    segment: u64,
    page: u64,
    body: &'a [u8],
    /// Bytes of all of it.
    length: usize,
}

impl LogReader {
    fn segment(&mut self, at: u64, bytes: &[u8]) {
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

    /// Notes bytes that say nothing; empty ones never said anything. True when there are any.
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
                // Behind the checksum and the kind.
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

    /// Puts keys that were set one by one where they belong, and takes out what later leaves do not
    /// have any more.
    fn finish(mut self) -> Found {
        for Change { time, page, key, value } in std::mem::take(&mut self.changes) {
            let covers = self.covers.get(&page).into_iter().flatten();
            let Some(leaf) = covers.filter(|leaf| leaf.time < time).max_by_key(|leaf| leaf.time) else {
                continue;
            };
            let key = [leaf.from.get(..leaf.common).unwrap_or_default(), &key].concat();
            // Else it was not this leaf that the key was set in, but one that cannot be read.
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

/// The time of a database's newest snapshot, which is its name.
fn snapshot_time(home: &Path) -> Option<u64> {
    let names = fs::read_dir(home).ok()?.flatten().map(|entry| entry.file_name());
    let time = |name: &OsString| u64::from_str_radix(name.to_str()?.strip_prefix("snap.")?, 16).ok();
    names.filter_map(|name| time(&name)).max()
}

/// The segment number that a segment's header tells, if it is sound.
fn segment_number(bytes: &[u8]) -> Option<u64> {
    let header: &[u8; SEGMENT_HEADER] = bytes.first_chunk()?;
    let crc = u32::from_le_bytes(*header.first_chunk()?);
    let time = u64::from_le_bytes(*header.get(4..)?.first_chunk()?) ^ 0x7fff_ffff_ffff_ffff;
    (crc32fast::hash(&header[4..]) ^ u32::MAX == crc).then_some(time / SEGMENT as u64)
}

/// The message at this place, if there is a sound one.
fn message(bytes: &[u8], at: usize) -> Option<Message<'_>> {
    let bytes = bytes.get(at..)?;
    let crc = u32::from_le_bytes(*bytes.first_chunk()?);
    let mut rest = Rest { bytes, at: 4 };
    let kind = rest.byte().filter(|kind| (1..=CHANGE_FILE).contains(kind))?;
    let length = usize::try_from(rest.number()?).ok()?;
    let segment = rest.number()?;
    let page = rest.number()?;
    let body = bytes.get(rest.at..rest.at.checked_add(length)?)?;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(body);
    hasher.update(&bytes[4..rest.at]);
    let is_sound = hasher.finalize() ^ u32::MAX == crc;
    is_sound.then_some(Message { kind, segment, page, body, length: rest.at + length })
}

/// The place of the next sound message of this segment, or the end.
fn next(bytes: &[u8], after: usize, segment: Option<u64>) -> usize {
    let is_next = |at: &usize| {
        // Cheap to tell first: most places have another number, and no checksum is made for them.
        let mut rest = Rest { bytes, at: at + 5 };
        let own = rest.number().and_then(|_| rest.number());
        let fits = own.is_some() && segment.is_none_or(|segment| own == Some(segment));
        fits && message(bytes, *at).is_some()
    };
    (after + 1..bytes.len().saturating_sub(SHORTEST)).find(is_next).unwrap_or(bytes.len())
}

/// Whether the end of a segment is what it held before it was used again: the last one is not full.
fn is_leftover(bytes: &[u8], from: usize, to: usize, segment: Option<u64>) -> bool {
    let is_earlier = |at| message(bytes, at).is_some_and(|message| Some(message.segment) < segment);
    let is_empty = || bytes[from..to].iter().all(|byte| *byte == 0);
    // An earlier message begins at the latest where the one that was overwritten in part ends.
    to == bytes.len() && !is_empty() && (from..to.min(from + LONGEST)).any(is_earlier)
}

fn blob(home: &Path, number: u64) -> PathBuf {
    // The number of a page's file is that of its message, which is never negative.
    home.join("blobs").join(number.to_string())
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

/// Bytes read one after the other.
struct Rest<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Rest<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// A number: one byte up to 240; from there on the first byte says how it goes on.
    fn number(&mut self) -> Option<u64> {
        let first = self.byte()?;
        Some(match first {
            0..=240 => u64::from(first),
            241..=248 => 240 + 256 * u64::from(first - 241) + u64::from(self.byte()?),
            249 => 2_288 + 256 * u64::from(self.byte()?) + u64::from(self.byte()?),
            250.. => {
                let mut bytes = [0; 8];
                for byte in bytes.iter_mut().take(usize::from(first - 247)) {
                    *byte = self.byte()?;
                }
                u64::from_le_bytes(bytes)
            }
        })
    }

    /// Bytes behind their length: where they begin and end.
    fn piece(&mut self) -> Option<(usize, usize)> {
        let length = usize::try_from(self.number()?).ok()?;
        let start = self.at;
        let end = start.checked_add(length).filter(|end| *end <= self.bytes.len())?;
        self.at = end;
        Some((start, end))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Entries = BTreeMap<Vec<u8>, Vec<u8>>;

    /// What is done to a database: keys set and removed in batches, now and then closed.
    fn fill(home: &Path, rounds: &[Vec<(u16, Option<u16>)>]) -> Entries {
        let mut expected = Entries::new();
        for round in rounds {
            // One just closed holds its lock until its tasks are done.
            let db = std::iter::repeat_with(|| sled::open(home)).find_map(Result::ok).unwrap();
            for changes in round.chunks(7) {
                let mut batch = sled::Batch::default();
                for (key, value) in changes {
                    let key = format!("key {:04}", key % 700).into_bytes();
                    match value {
                        Some(length) => {
                            let value = vec![b'v'; usize::from(length % 3_000)];
                            batch.insert(key.clone(), value.clone());
                            expected.insert(key, value);
                        }
                        None => {
                            batch.remove(key.clone());
                            expected.remove(&key);
                        }
                    }
                }
                db.apply_batch(batch).unwrap();
            }
            db.flush().unwrap();
        }
        expected
    }

    fn entries(found: &Found) -> Entries {
        found.keys().map(|key| (key.to_vec(), found.value(key).unwrap())).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

        #[test]
        fn a_sound_log_is_read_as_sled_reads_it(
            rounds in proptest::collection::vec(
                proptest::collection::vec((any::<u16>(), proptest::option::weighted(0.7, any::<u16>())), 1..900),
                1..4,
            )
        ) {
            let folder = tempfile::tempdir().unwrap();
            let expected = fill(folder.path(), &rounds);
            let found = read(folder.path()).unwrap();
            prop_assert_eq!((found.unread, found.is_cut), (0, false));
            prop_assert!(entries(&found) == expected);
        }
    }

    #[test]
    fn what_a_segment_held_before_it_was_used_again_is_no_damage() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path();
        let mut expected = Entries::new();
        let mut state = 7_u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for round in 0..3 {
            let config = sled::Config::new().path(home).mode(sled::Mode::LowSpace);
            let db = std::iter::repeat_with(|| config.open()).find_map(Result::ok).unwrap();
            for _ in 0..600 {
                let mut batch = sled::Batch::default();
                for _ in 0..7 {
                    let key = draw(1_500).to_be_bytes().to_vec();
                    let value = vec![b'v'; usize::try_from(draw(3_900)).unwrap()];
                    batch.insert(key.clone(), value.clone());
                    expected.insert(key, value);
                }
                db.apply_batch(batch).unwrap();
                db.flush().unwrap();
            }
            drop(db);
            let found = read(home).unwrap();
            assert_eq!(
                (found.unread, found.is_cut, damage(home).unwrap()),
                (0, false, None),
                "round {round}"
            );
            assert!(entries(&found) == expected, "round {round}");
        }
        // Some 24 MB were written.
        assert!(fs::metadata(home.join("db")).unwrap().len() < 20 << 20, "segments are used again");
    }

    #[test]
    fn damage_before_later_commits_is_told_from_the_end_of_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path();
        assert_eq!(damage(home).unwrap(), None, "there is no database");
        fill(home, &[(0..700).map(|key| (key, Some(900))).collect()]);
        assert_eq!(damage(home).unwrap(), None);
        let path = home.join("db");
        let sound = fs::read(&path).unwrap();
        let end = sound.iter().rposition(|byte| *byte != 0).unwrap();
        for number in 1..40 {
            let mut bytes = sound.clone();
            let at = end * number / 40;
            bytes[at] ^= 1 << (number % 8);
            fs::write(&path, &bytes).unwrap();
            // Ten commits of seven keys each are some 65,000 bytes.
            let found = damage(home).unwrap();
            assert!(found.is_some() || at + 65_000 > end, "bit {number}");
            assert!(
                found.is_none_or(|found| found.at <= at as u64 && found.commits > 1),
                "bit {number}: {found:?}"
            );
        }
        for number in 1..40 {
            fs::write(&path, &sound[..end * number / 40]).unwrap();
            assert_eq!(damage(home).unwrap(), None, "cut {number}: nothing comes after it");
        }
    }

    #[test]
    fn damage_costs_what_it_hits_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let changes = (0..700).map(|key| (key, Some(900))).collect();
        let expected = fill(folder.path(), &[changes]);
        let path = folder.path().join("db");
        let sound = fs::read(&path).unwrap();
        let end = sound.iter().rposition(|byte| *byte != 0).unwrap();
        for number in 0..200 {
            let mut bytes = sound.clone();
            bytes[end * number / 200] ^= 1 << (number % 8);
            fs::write(&path, &bytes).unwrap();
            let found = entries(&read(folder.path()).unwrap());
            let lost = expected.keys().filter(|key| !found.contains_key(*key)).count();
            assert!(lost <= 40, "bit {number}: {lost} keys lost");
            assert!(found.iter().all(|(key, value)| expected.get(key) == Some(value)), "bit {number}");
        }
        for number in 0..40 {
            fs::write(&path, &sound[..end * number / 40]).unwrap();
            let found = entries(&read(folder.path()).unwrap());
            assert!(found.iter().all(|(key, value)| expected.get(key) == Some(value)), "cut {number}");
        }
        fs::write(&path, b"").unwrap();
        assert_eq!(read(folder.path()).unwrap().keys().count(), 0);
    }
}
