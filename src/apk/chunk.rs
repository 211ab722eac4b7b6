//! InnerChunks: what Android's binary files are made of.

/// A chunk: its kind, its complete header and its body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk<'a> {
    pub(super) kind: u16,
    /// With the eight bytes that every header begins with.
    pub(super) header: &'a [u8],
    pub(super) body: &'a [u8],
}

pub(super) const STRING_POOL: u16 = 0x0001;
pub(super) const TABLE: u16 = 0x0002;
pub(super) const XML: u16 = 0x0003;
pub(super) const START_ELEMENT: u16 = 0x0102;
pub(super) const END_ELEMENT: u16 = 0x0103;
pub(super) const RESOURCE_MAP: u16 = 0x0180;
pub(super) const PACKAGE: u16 = 0x0200;
pub(super) const TYPE: u16 = 0x0201;

/// Kinds of values.
pub(super) const REFERENCE: u8 = 0x01;
pub(super) const STRING: u8 = 0x03;

/// The smallest header.
const LEAST: usize = 8;

impl<'a> Chunk<'a> {
    /// The chunk at the beginning of `bytes`, and what follows it; `None` when there is none.
    pub(super) fn first(bytes: &'a [u8]) -> Option<(Chunk<'a>, &'a [u8])> {
        let kind = u16_at(bytes, 0)?;
        let header = usize::from(u16_at(bytes, 2)?);
        let size = usize::try_from(u32_at(bytes, 4)?).ok()?;
        if header < LEAST || size < header {
            return None;
        }
        let (whole, rest) = bytes.split_at_checked(size)?;
        let (header, body) = whole.split_at_checked(header)?;
        Some((Chunk { kind, header, body }, rest))
    }

    /// The chunks in its body, up to the first that is not a valid chunk.
    pub(super) fn inner(&self) -> InnerChunks<'a> {
        InnerChunks(self.body)
    }
}

/// InnerChunks one after the other. Each takes eight bytes at least, so there is an end.
pub(super) struct InnerChunks<'a>(&'a [u8]);

impl<'a> Iterator for InnerChunks<'a> {
    type Item = Chunk<'a>;

    fn next(&mut self) -> Option<Chunk<'a>> {
        let (chunk, rest) = Chunk::first(self.0)?;
        self.0 = rest;
        Some(chunk)
    }
}

pub(super) fn u8_at(bytes: &[u8], at: usize) -> Option<u8> {
    bytes.get(at).copied()
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let two = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes(two.try_into().ok()?))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}

/// A number that is a place in the bytes.
pub(super) fn place_at(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u32_at(bytes, at)?).ok()
}
