//! The resource table, as far as a label needs it: a text by its number, in the default language.

use super::chunk::{Chunk, PACKAGE, REFERENCE, STRING, TABLE, TYPE, place_at, u8_at, u16_at, u32_at};
use super::string_pool::StringPool;

/// The most references followed from one value to the next.
const MAX_REFERENCES: usize = 16;

const SPARSE: u8 = 1;
const SHORT_OFFSETS: u8 = 2;
const COMPLEX: u16 = 1;
const COMPACT: u16 = 8;

/// A value: its kind and its bits.
type Value = (u8, u32);

/// The text of a resource; `None` when it is not text or the table is broken there.
pub(super) fn text(table: &[u8], id: u32) -> Option<String> {
    let (table, _) = Chunk::first(table)?;
    if table.kind != TABLE {
        return None;
    }
    let strings = table.inner().find_map(StringPool::of)?;
    let mut id = id;
    for _ in 0..MAX_REFERENCES {
        match value(table, id)? {
            (STRING, number) => return strings.get(number),
            (REFERENCE, other) => id = other,
            _ => return None,
        }
    }
    None
}

/// The value of a resource: of the default configuration, else of the first that has one.
fn value(table: Chunk<'_>, id: u32) -> Option<Value> {
    let [package, kind, high, low] = id.to_be_bytes();
    let entry = usize::from(u16::from_be_bytes([high, low]));
    let packages = table.inner().filter(|chunk| chunk.kind == PACKAGE);
    let ours = packages.filter(|chunk| u32_at(chunk.header, 8) == Some(u32::from(package)));
    let types = ours.flat_map(|package| package.inner());
    let mut types = types.filter(|chunk| chunk.kind == TYPE && u8_at(chunk.header, 8) == Some(kind));
    let mut first = None;
    types
        .find_map(|chunk| {
            let value = entry_of(chunk, entry)?;
            if is_default(chunk) {
                return Some(value);
            }
            first = first.or(Some(value));
            None
        })
        .or(first)
}

/// Whether a type's configuration has no requirements.
fn is_default(chunk: Chunk<'_>) -> bool {
    // After its size, which comes first.
    chunk.header.get(24..).is_some_and(|rest| rest.iter().all(|byte| *byte == 0))
}

fn entry_of(chunk: Chunk<'_>, entry: usize) -> Option<Value> {
    let flags = u8_at(chunk.header, 9)?;
    let count = place_at(chunk.header, 12)?;
    let start = place_at(chunk.header, 16)?.checked_sub(chunk.header.len())?;
    let offset = if flags & SPARSE != 0 {
        let pairs = chunk.body.get(..count.checked_mul(4)?)?.chunks_exact(4);
        let mut ours = pairs.filter(|pair| u16_at(pair, 0).map(usize::from) == Some(entry));
        usize::from(u16_at(ours.next()?, 2)?) * 4
    } else if entry >= count {
        return None;
    } else if flags & SHORT_OFFSETS != 0 {
        let offset = u16_at(chunk.body, entry * 2)?;
        usize::from((offset != u16::MAX).then_some(offset)?) * 4
    } else {
        let offset = u32_at(chunk.body, entry * 4)?;
        usize::try_from((offset != u32::MAX).then_some(offset)?).ok()?
    };
    let bytes = chunk.body.get(start.checked_add(offset)?..)?;
    let flags = u16_at(bytes, 2)?;
    if flags & COMPACT != 0 {
        let [_, kind] = flags.to_le_bytes();
        return Some((kind, u32_at(bytes, 4)?));
    }
    if flags & COMPLEX != 0 {
        return None;
    }
    // The value comes after the entry, whose size is given; its kind comes after its own size.
    let value = bytes.get(usize::from(u16_at(bytes, 0)?)..)?;
    Some((u8_at(value, 3)?, u32_at(value, 4)?))
}
