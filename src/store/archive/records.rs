//! Records: keys and values in chunks.

use super::fault::{ArchiveFault, TooLong};
use crate::key::{self, Key};
use crate::shape;

/// A key and its decompressed value, in the last version of its kind.
pub(super) struct Record {
    pub key: Key,
    pub value: Vec<u8>,
}

/// Adds a record to a chunk.
pub(super) fn add(chunk: &mut Vec<u8>, key: &[u8], value: &[u8]) -> Result<(), TooLong> {
    let key_length = u16::try_from(key.len()).map_err(|_| TooLong::Key)?;
    let length = u32::try_from(value.len()).map_err(|_| TooLong::Value)?;
    chunk.extend(key_length.to_be_bytes());
    chunk.extend(key);
    chunk.extend(length.to_be_bytes());
    chunk.extend(value);
    Ok(())
}

/// Reads the records of a chunk one by one; the format of the store that wrote them tells the
/// versions of their values.
pub(super) fn read(chunk: &[u8], format: u32) -> impl Iterator<Item = Result<Record, ArchiveFault>> {
    let mut rest = chunk;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let record = one(&mut rest, format);
        if record.is_err() {
            rest = &[];
        }
        Some(record)
    })
}

fn one(rest: &mut &[u8], format: u32) -> Result<Record, ArchiveFault> {
    let length = u16::from_be_bytes(head(rest).ok_or(ArchiveFault::CutRecord)?);
    let name = part(rest, length.into()).ok_or(ArchiveFault::CutRecord)?;
    let length = u32::from_be_bytes(head(rest).ok_or(ArchiveFault::CutRecord)?);
    let value = part(rest, usize::try_from(length).map_err(|_| ArchiveFault::CutRecord)?)
        .ok_or(ArchiveFault::CutRecord)?;
    let key = Key::parse(name).ok_or_else(|| ArchiveFault::Holds { key: key::describe(name) })?;
    let version = shape::version_in(name, format)
        .ok_or_else(|| ArchiveFault::NotOfFormat { key: key.to_string(), format })?;
    let value = shape::current(name, version, value.to_vec())
        .map_err(|damage| ArchiveFault::Value { key: key.to_string(), damage })?;
    Ok(Record { key, value })
}

fn head<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    part(rest, N)?.try_into().ok()
}

fn part<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (part, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(part)
}

/// The position of a key among the records of its session: the place of its kind, then its bytes.
pub(super) fn place(key: &Key) -> Option<(usize, Vec<u8>)> {
    let bytes = key.bytes();
    let spans = key::of_session(key.session()?);
    let kind = spans.iter().position(|(from, to)| bytes >= *from && bytes < *to)?;
    Some((kind, bytes))
}
