//! What parent and child say to each other: postcard after a big-endian u32 length.

use std::io::{self, Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Probe;
use droidmux_record::{Expectation, Generation, GeneratorFailure};

/// Bytes of a frame at most: a request with the longest code, or the longest input at three bytes a
/// unit.
pub(super) const MOST_FRAME: usize = super::MOST_CODE + (64 << 10);

/// What the child has to do; it gets one request.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Request {
    Generate(Generation),
    Probe(Probe),
}

/// What the child says: any number of inputs, then that it is done.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Message {
    Input(Vec<u16>, Option<Expectation>),
    Done(Option<GeneratorFailure>),
}

/// A frame with its length.
///
/// # Errors
/// When it is longer than [`MOST_FRAME`].
pub(super) fn frame<T: Serialize>(value: &T) -> io::Result<Vec<u8>> {
    let body = postcard::to_stdvec(value).map_err(io::Error::other)?;
    let length = u32::try_from(body.len()).ok().filter(|_| body.len() <= MOST_FRAME);
    let length = length.ok_or_else(|| io::Error::other("a frame is too long"))?;
    Ok([&length.to_be_bytes()[..], &body].concat())
}

/// The value in a frame without its length.
///
/// # Errors
/// When there is none, or more than one.
pub(super) fn value<T: DeserializeOwned>(body: &[u8]) -> io::Result<T> {
    match postcard::take_from_bytes(body) {
        Ok((value, [])) => Ok(value),
        Ok(_) => Err(io::Error::other("a frame goes on after its value")),
        Err(error) => Err(io::Error::other(error)),
    }
}

/// Reads one frame to its end.
pub(super) fn read<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<T> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let length = usize::try_from(u32::from_be_bytes(length)).unwrap_or(usize::MAX);
    if length > MOST_FRAME {
        return Err(io::Error::other("a frame is too long"));
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body)?;
    value(&body)
}

pub(super) fn write<T: Serialize>(to: &mut impl Write, value: &T) -> io::Result<()> {
    to.write_all(&frame(value)?)?;
    to.flush()
}
