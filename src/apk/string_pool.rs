//! A pool of strings, read one by one when they are asked for.

use super::chunk::{Chunk, STRING_POOL, place_at, u8_at, u16_at, u32_at};

const UTF8: u32 = 1 << 8;
/// The longest string accepted, in bytes or in UTF-16 units: we are looking for names, and a file may refer to one
/// string very often.
const LONGEST: usize = 4 << 10;

/// The strings of one pool.
#[derive(Clone, Copy, Debug)]
pub(super) struct StringPool<'a> {
    count: usize,
    utf8: bool,
    /// Where each begins in `data`.
    offsets: &'a [u8],
    data: &'a [u8],
}

impl<'a> StringPool<'a> {
    /// `None` when the chunk is not a pool, or is one whose parts lie outside it.
    pub(super) fn of(chunk: Chunk<'a>) -> Option<StringPool<'a>> {
        if chunk.kind != STRING_POOL {
            return None;
        }
        let count = place_at(chunk.header, 8)?;
        let utf8 = u32_at(chunk.header, 16)? & UTF8 != 0;
        // Counted from the beginning of the chunk.
        let start = place_at(chunk.header, 20)?.checked_sub(chunk.header.len())?;
        let offsets = chunk.body.get(..count.checked_mul(4)?)?;
        let data = if count == 0 { &[] } else { chunk.body.get(start..)? };
        Some(StringPool { count, utf8, offsets, data })
    }

    /// The string with this number.
    pub(super) fn get(&self, number: u32) -> Option<String> {
        let number = usize::try_from(number).ok().filter(|number| *number < self.count)?;
        let at = place_at(self.offsets, number * 4)?;
        let bytes = self.data.get(at..)?;
        if self.utf8 { utf8(bytes) } else { utf16(bytes) }
    }
}

/// Two lengths, in characters and in bytes, of one or two bytes each, then the bytes.
fn utf8(bytes: &[u8]) -> Option<String> {
    let long = |at: usize| Some(u8_at(bytes, at)? & 0x80 != 0);
    let at = if long(0)? { 2 } else { 1 };
    let (length, at) = match u8_at(bytes, at)? {
        high if high & 0x80 != 0 => {
            (usize::from(high & 0x7f) << 8 | usize::from(u8_at(bytes, at + 1)?), at + 2)
        }
        length => (usize::from(length), at + 1),
    };
    if length > LONGEST {
        return None;
    }
    Some(String::from_utf8_lossy(bytes.get(at..at + length)?).into_owned())
}

/// A length of one or two units, then the units.
fn utf16(bytes: &[u8]) -> Option<String> {
    let (length, at) = match u16_at(bytes, 0)? {
        high if high & 0x8000 != 0 => (usize::from(high & 0x7fff) << 16 | usize::from(u16_at(bytes, 2)?), 4),
        length => (usize::from(length), 2),
    };
    if length > LONGEST {
        return None;
    }
    let units = bytes.get(at..at + length * 2)?.chunks_exact(2);
    let units: Vec<u16> = units.filter_map(|two| Some(u16::from_le_bytes(two.try_into().ok()?))).collect();
    Some(String::from_utf16_lossy(&units))
}
