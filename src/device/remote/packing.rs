//! Bodies: a value as JSON with bytes beside it, packed against what both sides know.
//!
//! ```text
//! flag u8: 0 plain │ length u32, JSON │ (length u32, bytes)…                       (numbers little-endian)
//! flag u8: 1 zstd  │ which u8 │ the same, with a sample of bodies and the known ones that `which` has bits for as prefix
//! ```
//!
//! What both sides know are replies of before: most screens differ little from one of the last few.
//!
//! Invariant: nothing is unpacked to more than [`MOST_UNPACKED`], whatever it claims.

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use zstd::zstd_safe::{CCtx, CParameter, DCtx, compress_bound, get_error_name, get_frame_content_size};

use crate::frame::MOST_BODY;

/// The most bytes of a body after decompression.
pub const MOST_UNPACKED: usize = 2 * MOST_BODY;
/// The most known bodies that one is packed against.
pub const MOST_KNOWN: usize = 8;
/// Shorter ones stay as they are.
const WORTH_PACKING: usize = 60;
/// Dumps get a twentieth smaller with the next levels, and take twice as long.
const LEVEL: i32 = 3;
const PLAIN: u8 = 0;
const ZSTD: u8 = 1;
/// What bodies look like, the commonest last. It belongs to the version of the wire like every type in `wire`.
const SAMPLE: &[u8] = include_bytes!("sample.json");

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

/// A value with what belongs to it, as one body.
///
/// # Errors
/// When it is too large to be sent.
pub fn body<T: Serialize>(value: &T, beside: &[Bytes]) -> Result<Bytes, PackError> {
    let json = serde_json::to_vec(value).map_err(|error| PackError::Value(error.to_string()))?;
    let mut plain = Vec::new();
    for part in std::iter::once(json.as_slice()).chain(beside.iter().map(|part| &**part)) {
        let length = u32::try_from(part.len()).map_err(|_| PackError::TooLarge(part.len()))?;
        plain.extend_from_slice(&length.to_le_bytes());
        plain.extend_from_slice(part);
    }
    match plain.len() {
        ..=MOST_UNPACKED => Ok(plain.into()),
        length => Err(PackError::TooLarge(length)),
    }
}

/// Packs a body against those that whoever unpacks it has, in this order; those that are not here are `None`.
///
/// # Errors
/// When it is too large to be sent.
pub fn pack_body(body: &Bytes, known: &[Option<Bytes>]) -> Result<Bytes, PackError> {
    let which = known.iter().take(MOST_KNOWN).enumerate();
    let which = which.filter(|(_, known)| known.is_some()).fold(0_u8, |which, (n, _)| which | 1 << n);
    let prefix = prefix(known.iter().take(MOST_KNOWN).flatten());
    // Pictures are compressed already.
    let packed = (body.len() >= WORTH_PACKING).then(|| compress(body, &prefix)).flatten();
    let packed = packed.filter(|packed| packed.len() < body.len());
    let content = match packed {
        Some(packed) => [&[ZSTD, which], packed.as_slice()].concat(),
        None => [&[PLAIN], &**body].concat(),
    };
    match content.len() {
        ..=MOST_BODY => Ok(content.into()),
        length => Err(PackError::TooLarge(length)),
    }
}

/// Packs a value with what belongs to it, for somebody who knows nothing.
///
/// # Errors
/// When it is too large to be sent.
pub fn pack<T: Serialize>(value: &T, beside: &[Bytes]) -> Result<Bytes, PackError> {
    pack_body(&body(value, beside)?, &[])
}

/// Reads [`pack_body`] back: the body itself.
///
/// # Errors
/// When it was not made there, or against something else than what is known.
pub fn unpack_body(content: &Bytes, known: &[Bytes]) -> Result<Bytes, PackError> {
    let flag = *content.first().ok_or(PackError::Short)?;
    match flag {
        PLAIN => Ok(content.slice(1..)),
        ZSTD => {
            let which = *content.get(1).ok_or(PackError::Short)?;
            let packed = content.get(2..).ok_or(PackError::Short)?;
            if usize::try_from(u8::BITS - which.leading_zeros()).unwrap_or(usize::MAX) > known.len() {
                return Err(PackError::Packed("it was packed against what is not known".into()));
            }
            // Whoever packs knows the size: a frame without it was not made here.
            let claimed = get_frame_content_size(packed).ok().flatten();
            let claimed = claimed.and_then(|size| usize::try_from(size).ok());
            let claimed =
                claimed.ok_or_else(|| PackError::Packed("it does not say how large it is".into()))?;
            if claimed > MOST_UNPACKED {
                return Err(PackError::TooLarge(claimed));
            }
            let used = known.iter().take(MOST_KNOWN).enumerate();
            let used = used.filter(|(n, _)| which >> n & 1 == 1).map(|(_, known)| known);
            decompress(packed, claimed, &prefix(used)).map(Bytes::from)
        }
        other => Err(PackError::Packed(format!("its flag is {other}"))),
    }
}

/// The value of a body with what belongs to it.
///
/// # Errors
/// When it is no body of such a value.
pub fn read<T: DeserializeOwned>(body: &Bytes) -> Result<(T, Vec<Bytes>), PackError> {
    let mut rest = body.clone();
    let json = part(&mut rest)?;
    let value = serde_json::from_slice(&json).map_err(|error| PackError::Value(error.to_string()))?;
    let mut beside = Vec::new();
    while !rest.is_empty() {
        beside.push(part(&mut rest)?);
    }
    Ok((value, beside))
}

/// Reads [`pack`] back.
///
/// # Errors
/// When it was not made there.
pub fn unpack<T: DeserializeOwned>(content: &Bytes) -> Result<(T, Vec<Bytes>), PackError> {
    read(&unpack_body(content, &[])?)
}

fn prefix<'a>(known: impl Iterator<Item = &'a Bytes>) -> Vec<u8> {
    let mut prefix = SAMPLE.to_vec();
    known.for_each(|known| prefix.extend_from_slice(known));
    prefix
}

/// `None` when that cannot be done: then the body stays as it is.
fn compress(body: &[u8], prefix: &[u8]) -> Option<Vec<u8>> {
    let mut context = CCtx::try_create()?;
    context.set_parameter(CParameter::CompressionLevel(LEVEL)).ok()?;
    // A wrong prefix must not go unnoticed.
    context.set_parameter(CParameter::ChecksumFlag(true)).ok()?;
    context.ref_prefix(prefix).ok()?;
    let mut packed = Vec::with_capacity(compress_bound(body.len()));
    context.compress2(&mut packed, body).ok()?;
    Some(packed)
}

fn decompress(packed: &[u8], claimed: usize, prefix: &[u8]) -> Result<Vec<u8>, PackError> {
    let failed = |code| PackError::Packed(get_error_name(code).to_owned());
    let mut context = DCtx::try_create().ok_or_else(|| PackError::Packed("no memory".into()))?;
    context.ref_prefix(prefix).map_err(failed)?;
    let mut body = Vec::with_capacity(claimed);
    context.decompress(&mut body, packed).map_err(failed)?;
    Ok(body)
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
    fn a_body_like_those_that_are_known_is_a_few_bytes() {
        let screen = |seed: u64| {
            let mut x = seed;
            let noise: Vec<u8> = std::iter::repeat_with(|| {
                x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (x >> 56) as u8
            })
            .take(5_000)
            .collect();
            Bytes::from(noise)
        };
        let bodies: Vec<Bytes> = (1..4).map(|seed| body(&"x", &[screen(seed)]).expect("a body")).collect();
        // A changed place in a known screen.
        let mut next = screen(2).to_vec();
        next[2_000] ^= 1;
        let next = body(&"x", &[next.into()]).expect("a body");
        let all: Vec<Option<Bytes>> = bodies.iter().cloned().map(Some).collect();
        // (what the host has, the most bytes)
        let cases = [
            (vec![], 5_100),
            (all.clone(), 100),
            (vec![None, all[1].clone(), None], 100),
            (vec![all[0].clone(), None, all[2].clone()], 5_100),
        ];
        for (here, most) in cases {
            let packed = pack_body(&next, &here).expect("packed");
            assert!(packed.len() < most, "{} bytes", packed.len());
            assert_eq!(unpack_body(&packed, &bodies), Ok(next.clone()));
        }
        let packed = pack_body(&next, &all).expect("packed");
        let error = unpack_body(&packed, &bodies[..2]).expect_err("one is missing");
        assert!(error.to_string().contains("not known"), "{error}");
        let mut other = bodies.clone();
        other.swap(0, 1);
        let error = unpack_body(&packed, &other).expect_err("others");
        assert!(error.to_string().contains("cannot be unpacked"), "{error}");
    }

    #[test]
    fn what_is_no_body_is_refused_in_words() {
        let bomb =
            [&[ZSTD, 0], zstd::bulk::compress(&vec![0; MOST_UNPACKED + 1], 1).unwrap().as_slice()].concat();
        let cases: [(&str, Vec<u8>, &str); 6] = [
            ("nothing", vec![], "breaks off"),
            ("a flag alone", vec![PLAIN], "breaks off"),
            ("a length without bytes", vec![PLAIN, 9, 0, 0, 0, 1], "breaks off"),
            ("no JSON", vec![PLAIN, 1, 0, 0, 0, b'{'], "cannot be understood"),
            ("no zstd", vec![ZSTD, 0, 2, 3], "cannot be unpacked"),
            ("a bomb", bomb, "more than a message may contain"),
        ];
        for (name, bytes, words) in cases {
            let error = unpack::<String>(&bytes.into()).expect_err(name);
            assert!(error.to_string().contains(words), "{name}: {error}");
        }
    }
}
