//! Messages: the pieces of sled's log, each with a checksum of its own.
//!
//! In: the bytes of a segment. Out: the messages in them whose checksum is right.

pub(super) const SEGMENT: usize = 512 << 10;
pub(super) const SEGMENT_HEADER: usize = 20;
/// The shortest message: a checksum, a kind and three numbers.
pub(super) const SHORTEST: usize = 8;
/// A longer message has its body in a file of its own.
const LONGEST: usize = 128 << 10;

pub(super) const PAD: u8 = 2;
pub(super) const BATCH: u8 = 3;
pub(super) const LEAF: u8 = 8;
pub(super) const LEAF_FILE: u8 = 9;
pub(super) const CHANGE: u8 = 10;
pub(super) const CHANGE_FILE: u8 = 11;

/// A message whose checksum is right.
pub(super) struct Message<'a> {
    pub kind: u8,
    pub segment: u64,
    pub page: u64,
    pub body: &'a [u8],
    /// Its total length in bytes.
    pub length: usize,
}

/// The segment number given in a segment's header, if it is sound.
pub(super) fn segment_number(bytes: &[u8]) -> Option<u64> {
    let header: &[u8; SEGMENT_HEADER] = bytes.first_chunk()?;
    let crc = u32::from_le_bytes(*header.first_chunk()?);
    let time = u64::from_le_bytes(*header.get(4..)?.first_chunk()?) ^ 0x7fff_ffff_ffff_ffff;
    (crc32fast::hash(&header[4..]) ^ u32::MAX == crc).then_some(time / SEGMENT as u64)
}

/// The message at this place, if there is a sound one.
pub(super) fn message(bytes: &[u8], at: usize) -> Option<Message<'_>> {
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
pub(super) fn next(bytes: &[u8], after: usize, segment: Option<u64>) -> usize {
    let is_next = |at: &usize| {
        // Checked first because it is cheap: most places have another number, so no checksum needs to be computed for
        // them.
        let mut rest = Rest { bytes, at: at + 5 };
        let own = rest.number().and_then(|_| rest.number());
        let fits = own.is_some() && segment.is_none_or(|segment| own == Some(segment));
        fits && message(bytes, *at).is_some()
    };
    (after + 1..bytes.len().saturating_sub(SHORTEST)).find(is_next).unwrap_or(bytes.len())
}

/// Whether the end of a segment still holds what it held before the segment was reused: the last one is not full.
pub(super) fn is_leftover(bytes: &[u8], from: usize, to: usize, segment: Option<u64>) -> bool {
    let is_earlier = |at| message(bytes, at).is_some_and(|message| Some(message.segment) < segment);
    let is_empty = || bytes[from..to].iter().all(|byte| *byte == 0);
    // An earlier message begins, at the latest, where the partly overwritten one ends.
    to == bytes.len() && !is_empty() && (from..to.min(from + LONGEST)).any(is_earlier)
}

/// Reads bytes one after the other.
pub(super) struct Rest<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl Rest<'_> {
    pub fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// A number: one byte up to 240; above that, the first byte says how it continues.
    pub fn number(&mut self) -> Option<u64> {
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

    /// Bytes preceded by their length: where they begin and end.
    pub fn piece(&mut self) -> Option<(usize, usize)> {
        let length = usize::try_from(self.number()?).ok()?;
        let start = self.at;
        let end = start.checked_add(length).filter(|end| *end <= self.bytes.len())?;
        self.at = end;
        Some((start, end))
    }
}
