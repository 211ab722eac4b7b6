//! Bodies: a value as JSON with bytes beside it, compressed where that helps.
//!
//! ```text
//! flag u8: 0 plain, 1 zstd │ length u32, JSON │ (length u32, bytes)…      (numbers little-endian)
//! ```
//!
//! Invariant: nothing is unpacked to more than [`MOST_UNPACKED`], whatever it claims.

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::frame::MOST_BODY;

/// The most bytes of a body after decompression.
pub const MOST_UNPACKED: usize = 2 * MOST_BODY;
/// Shorter ones stay as they are.
const WORTH_PACKING: usize = 200;
/// Dumps get a twentieth smaller with the next levels, and take twice as long.
const LEVEL: i32 = 3;
const PLAIN: u8 = 0;
const ZSTD: u8 = 1;

/// Why a body cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PackError {
    /// It breaks off, or is no body at all.
    #[error("a message breaks off")]
    Short,
    /// In zstd's words, or more than it may contain.
    #[error("a message cannot be unpacked: {0}")]
    Packed(String),
    /// In the words of the reader of JSON.
    #[error("a message cannot be understood: {0}")]
    Value(String),
    /// More than a message may contain.
    #[error("{0} bytes are more than a message may contain")]
    TooLarge(usize),
}

/// Writes a value with what belongs to it.
///
/// # Errors
/// When it is too large to be sent.
pub fn pack<T: Serialize>(value: &T, beside: &[Bytes]) -> Result<Bytes, PackError> {
    let json = serde_json::to_vec(value).map_err(|error| PackError::Value(error.to_string()))?;
    let mut plain = vec![PLAIN];
    for part in std::iter::once(json.as_slice()).chain(beside.iter().map(|part| &**part)) {
        let length = u32::try_from(part.len()).map_err(|_| PackError::TooLarge(part.len()))?;
        plain.extend_from_slice(&length.to_le_bytes());
        plain.extend_from_slice(part);
    }
    let body = plain.get(1..).unwrap_or_default();
    // Pictures are compressed already.
    let worth = body.len() >= WORTH_PACKING && body.len() <= MOST_UNPACKED;
    let packed = worth.then(|| zstd::bulk::compress(body, LEVEL).ok()).flatten();
    let packed = packed.filter(|packed| packed.len() < body.len());
    let content = packed.map_or(plain, |packed| [&[ZSTD], packed.as_slice()].concat());
    match content.len() {
        ..=MOST_BODY => Ok(content.into()),
        length => Err(PackError::TooLarge(length)),
    }
}

/// Reads [`pack`] back.
///
/// # Errors
/// When it was not made there.
pub fn unpack<T: DeserializeOwned>(content: &Bytes) -> Result<(T, Vec<Bytes>), PackError> {
    let (&flag, packed) = content.split_first().ok_or(PackError::Short)?;
    let mut rest = match flag {
        PLAIN => content.slice(1..),
        ZSTD => {
            // Whoever packs knows the size: a frame without it was not made here.
            let claimed = zstd::zstd_safe::get_frame_content_size(packed).ok().flatten();
            let claimed = claimed.and_then(|size| usize::try_from(size).ok());
            let claimed =
                claimed.ok_or_else(|| PackError::Packed("it does not say how large it is".into()))?;
            if claimed > MOST_UNPACKED {
                return Err(PackError::TooLarge(claimed));
            }
            let unpacked = zstd::bulk::decompress(packed, claimed);
            unpacked.map_err(|error| PackError::Packed(error.to_string()))?.into()
        }
        other => return Err(PackError::Packed(format!("its flag is {other}"))),
    };
    let json = part(&mut rest)?;
    let value = serde_json::from_slice(&json).map_err(|error| PackError::Value(error.to_string()))?;
    let mut beside = Vec::new();
    while !rest.is_empty() {
        beside.push(part(&mut rest)?);
    }
    Ok((value, beside))
}

fn part(rest: &mut Bytes) -> Result<Bytes, PackError> {
    if rest.len() < 4 {
        return Err(PackError::Short);
    }
    let length = rest.split_to(4);
    let length = <[u8; 4]>::try_from(&*length).map(u32::from_le_bytes).map_err(|_| PackError::Short)?;
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    if length > rest.len() {
        return Err(PackError::Short);
    }
    Ok(rest.split_to(length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_with_what_lies_beside_them() {
        for (text, beside) in [
            ("short".to_owned(), vec![]),
            ("long ".repeat(1_000), vec![Bytes::from_static(b"picture"), Bytes::new()]),
            ("longer ".repeat(600_000), vec![]),
        ] {
            let packed = pack(&text, &beside).expect("packed");
            assert!(packed.len() < 1_000, "{}", packed.len());
            assert_eq!(unpack::<String>(&packed), Ok((text, beside)));
        }
    }

    #[test]
    fn what_is_no_body_is_refused_in_words() {
        let bomb =
            [&[ZSTD], zstd::bulk::compress(&vec![0; MOST_UNPACKED + 1], 1).unwrap().as_slice()].concat();
        let cases: [(&str, Vec<u8>, &str); 6] = [
            ("nothing", vec![], "breaks off"),
            ("a flag alone", vec![PLAIN], "breaks off"),
            ("a length without bytes", vec![PLAIN, 9, 0, 0, 0, 1], "breaks off"),
            ("no JSON", vec![PLAIN, 1, 0, 0, 0, b'{'], "cannot be understood"),
            ("no zstd", vec![ZSTD, 1, 2, 3], "cannot be unpacked"),
            ("a bomb", bomb, "more than a message may contain"),
        ];
        for (name, bytes, words) in cases {
            let error = unpack::<String>(&bytes.into()).expect_err(name);
            assert!(error.to_string().contains(words), "{name}: {error}");
        }
    }
}
