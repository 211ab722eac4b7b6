//! Values: postcard behind a version byte, compressed when that helps, cut into pieces small
//! enough that sled keeps them in its log instead of writing a file for each.
//!
//! `version · flags · [raw length: u32] · [pieces: u16] · data`, big-endian; the version is that of the value's kind
//! ([`super::shape`]); the length is present when the data is compressed, the number of pieces when there is more than
//! one. Further pieces are bare data under chunk keys.

use std::fmt::Display;

use serde::Serialize;

use super::key::Key;
use super::{Damage, StoreError, codec, shape};

const COMPRESSED: u8 = 1;
const CHUNKED: u8 = 1 << 1;

/// Sixteen of these in a leaf stay below the 128 KiB at which sled 0.34 puts a page into a file of its own.
const PIECE: usize = 4_000;
/// A value's limit before compression, in bytes.
const LIMIT: usize = 32 << 20;
/// Below this many bytes compression gains nothing.
const WORTH_COMPRESSING: usize = 400;
const ZSTD_LEVEL: i32 = 1;

/// A value ready to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Packed {
    pub head: Vec<u8>,
    pub chunks: Vec<Vec<u8>>,
}

/// A stored head: its description of the value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<'a> {
    version: u8,
    raw_length: Option<usize>,
    pieces: u16,
    data: &'a [u8],
}

impl Packed {
    pub fn of<T: Serialize>(key: &Key, value: &T) -> Result<Self, StoreError> {
        let raw = codec::encode(value).map_err(|why| StoreError::Misuse(format!("{key}: {why}")))?;
        Self::raw(key, raw)
    }

    /// Packs already encoded bytes, in the last version of this key's kind.
    pub fn raw(key: &Key, raw: Vec<u8>) -> Result<Self, StoreError> {
        Self::versioned(shape::version(&key.bytes()), &key, raw)
    }

    fn versioned(version: u8, what: &dyn Display, raw: Vec<u8>) -> Result<Self, StoreError> {
        let size = raw.len();
        let too_large = || StoreError::TooLarge { what: what.to_string(), size, limit: LIMIT };
        if size > LIMIT {
            return Err(too_large());
        }
        let small = (size >= WORTH_COMPRESSING).then(|| zstd::bulk::compress(&raw, ZSTD_LEVEL).ok());
        let (data, compressed) = match small.flatten() {
            Some(small) if small.len() < size => (small, true),
            _ => (raw, false),
        };
        let pieces = u16::try_from(data.len().div_ceil(PIECE).max(1)).map_err(|_| too_large())?;
        let mut head = vec![version, 0];
        let mut flags = 0;
        if compressed {
            flags |= COMPRESSED;
            head.extend(u32::try_from(size).map_err(|_| too_large())?.to_be_bytes());
        }
        if pieces > 1 {
            flags |= CHUNKED;
            head.extend(pieces.to_be_bytes());
        }
        head[1] = flags;
        let mut cut = data.chunks(PIECE);
        head.extend_from_slice(cut.next().unwrap_or_default());
        Ok(Self { head, chunks: cut.map(<[u8]>::to_vec).collect() })
    }

    /// Bytes to be written, keys not counted.
    pub fn size(&self) -> usize {
        self.head.len() + self.chunks.iter().map(Vec::len).sum::<usize>()
    }
}

impl<'a> Head<'a> {
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Damage> {
        let (&version, rest) = bytes.split_first().ok_or(Damage::Empty)?;
        let (&flags, mut data) = rest.split_first().ok_or(Damage::CutOff("after its version"))?;
        if flags & !(COMPRESSED | CHUNKED) != 0 {
            return Err(Damage::Flags(flags));
        }
        let mut raw_length = None;
        if flags & COMPRESSED != 0 {
            let (length, rest) = data.split_first_chunk().ok_or(Damage::CutOff("inside its length"))?;
            let length = u32::from_be_bytes(*length) as usize;
            if length > LIMIT {
                return Err(Damage::TooLarge { claimed: length, limit: LIMIT });
            }
            raw_length = Some(length);
            data = rest;
        }
        let mut pieces = 1;
        if flags & CHUNKED != 0 {
            let (count, rest) =
                data.split_first_chunk().ok_or(Damage::CutOff("inside its number of pieces"))?;
            pieces = u16::from_be_bytes(*count);
            data = rest;
        }
        Ok(Self { version, raw_length, pieces, data })
    }

    /// The version of its kind in which the value is encoded.
    pub fn version(&self) -> u8 {
        self.version
    }

    /// How many chunk keys belong to this head.
    pub fn chunks(&self) -> u16 {
        self.pieces.saturating_sub(1)
    }

    /// The value's bytes. `chunk(n)` reads piece n, from 1.
    pub fn unpack<E>(
        &self,
        mut chunk: impl FnMut(u16) -> Result<Option<Vec<u8>>, E>,
    ) -> Result<Result<Vec<u8>, Damage>, E> {
        let mut data = self.data.to_vec();
        for number in 1..self.pieces {
            match chunk(number)? {
                Some(piece) => data.extend(piece),
                None => return Ok(Err(Damage::Piece { number, of: self.chunks() })),
            }
        }
        Ok(match self.raw_length {
            None => Ok(data),
            Some(length) => match zstd::bulk::decompress(&data, length) {
                Ok(raw) if raw.len() == length => Ok(raw),
                Ok(raw) => Err(Damage::Length { found: raw.len(), told: length }),
                Err(error) => Err(Damage::Compression(error.to_string())),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn unpack(packed: &Packed) -> Result<Vec<u8>, Damage> {
        let head = Head::parse(&packed.head)?;
        let piece = |number: u16| Ok::<_, Damage>(packed.chunks.get(usize::from(number) - 1).cloned());
        head.unpack(piece)?
    }

    fn noise(length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        blake3::Hasher::new().finalize_xof().fill(&mut bytes);
        bytes
    }

    #[test]
    fn values_of_every_size_read_back() {
        let cases = [
            ("empty", Vec::new(), 0),
            ("one piece", noise(PIECE), 0),
            ("two pieces", noise(PIECE + 1), 1),
            ("long but dull", vec![7; 10 * PIECE], 0),
            ("many pieces", noise(25 * PIECE), 24),
        ];
        for (name, raw, chunks) in cases {
            let packed = Packed::versioned(1, &name, raw.clone()).unwrap();
            assert_eq!(packed.chunks.len(), chunks, "{name}");
            assert_eq!(unpack(&packed), Ok(raw), "{name}");
        }
        assert!(matches!(
            Packed::versioned(1, &"huge", vec![0; LIMIT + 1]),
            Err(StoreError::TooLarge { .. })
        ));
    }

    #[test]
    fn a_missing_piece_is_named_and_the_version_told() {
        let mut packed = Packed::versioned(3, &"x", noise(3 * PIECE)).unwrap();
        assert_eq!(Head::parse(&packed.head).unwrap().version(), 3);
        packed.chunks.pop();
        assert_eq!(unpack(&packed).unwrap_err().to_string(), "piece 2 of 2 is missing");
    }

    proptest! {
        #[test]
        fn damaged_values_never_panic(mut bytes in proptest::collection::vec(any::<u8>(), 0..64), real: bool) {
            if real && bytes.len() > 1 {
                bytes[1] &= COMPRESSED | CHUNKED;
            }
            if let Ok(head) = Head::parse(&bytes) {
                let _ = head.unpack(|_| Ok::<_, String>(None));
            }
            let _ = codec::decode::<Vec<String>>(&bytes);
        }
    }
}
