//! Frames on the wire: a length, a flag, a value in postcard, compressed when that helps.
//!
//! ```text
//! length u32 BE │ flag u8: 0 plain, 1 zstd │ postcard
//! ```
//!
//! The greeting that comes before them is in [`super::greeting`].

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use tokio_util::codec::LengthDelimitedCodec;

/// The most bytes of a frame from a viewer.
pub const MOST_FROM_VIEWER: usize = 1 << 20;
/// The most bytes of a frame from a lab; screenshots are the longest.
pub const MOST_FROM_LAB: usize = 32 << 20;

/// The most bytes of a value after decompression.
const MOST_UNPACKED: usize = 128 << 20;
/// Values shorter than this stay as they are.
const WORTH_PACKING: usize = 256;
const LEVEL: i32 = 1;

const PLAIN: u8 = 0;
const ZSTD: u8 = 1;

/// Why bytes could not be turned into a value, or a value into bytes.
#[derive(Debug, Error)]
pub enum FrameError {
    /// No bytes, so not even the flag that says whether it is compressed.
    #[error("a frame is empty")]
    Empty,
    /// The first byte means neither plain nor compressed.
    #[error("a frame has the unknown flag {0}")]
    Flag(u8),
    /// Broken zstd, or more than a value may contain.
    #[error("a frame cannot be decompressed: {0}")]
    Packed(std::io::Error),
    /// The bytes are not a value of the expected type.
    #[error("a frame's value cannot be read: {0}")]
    Value(postcard::Error),
    /// The value could not be written as bytes.
    #[error("a value cannot be written: {0}")]
    Unwritable(postcard::Error),
    /// Bytes after compression.
    #[error("a value of {0} bytes is too large to be sent")]
    TooLarge(usize),
}

/// Cuts a stream into frames of at most `most` bytes.
pub fn codec(most: usize) -> LengthDelimitedCodec {
    LengthDelimitedCodec::builder().length_field_length(4).max_frame_length(most).new_codec()
}

/// The content of a frame.
///
/// # Errors
/// When the value cannot be written in postcard, or is larger than a lab may send.
pub fn encode<T: Serialize>(value: &T) -> Result<Bytes, FrameError> {
    let plain = postcard::to_extend(value, vec![PLAIN]).map_err(FrameError::Unwritable)?;
    let body = plain.get(1..).unwrap_or_default();
    let packed = match body.len() {
        ..WORTH_PACKING => None,
        _ => zstd::bulk::compress(body, LEVEL).ok().filter(|packed| packed.len() < body.len()),
    };
    let content = match packed {
        Some(packed) => [&[ZSTD], packed.as_slice()].concat(),
        None => plain,
    };
    if content.len() > MOST_FROM_LAB {
        return Err(FrameError::TooLarge(content.len()));
    }
    Ok(content.into())
}

/// The value in a frame's content.
///
/// # Errors
/// When it was not made by [`encode`], or unpacks to more than 128 MiB.
pub fn decode<T: DeserializeOwned>(content: &[u8]) -> Result<T, FrameError> {
    let (flag, body) = content.split_first().ok_or(FrameError::Empty)?;
    match *flag {
        PLAIN => postcard::from_bytes(body).map_err(FrameError::Value),
        ZSTD => {
            let unpacked = zstd::bulk::Decompressor::new()
                .and_then(|mut packer| packer.decompress(body, MOST_UNPACKED.min(capacity(body))))
                .map_err(FrameError::Packed)?;
            postcard::from_bytes(&unpacked).map_err(FrameError::Value)
        }
        other => Err(FrameError::Flag(other)),
    }
}

/// The size that the frame claims to unpack to; a frame that makes no claim gets little room.
fn capacity(packed: &[u8]) -> usize {
    let claimed = zstd::zstd_safe::get_frame_content_size(packed).ok().flatten();
    claimed.and_then(|size| usize::try_from(size).ok()).unwrap_or(1 << 20)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{LabView, Request, ToLab, ToViewer};
    use droidmux_record::SessionId;

    #[test]
    fn values_come_back_and_long_ones_get_shorter() {
        for times in [2_000, 2_000_000] {
            let view = LabView { name: "lab ".repeat(times), ..LabView::default() };
            let sent = ToViewer::View(Box::new(view));
            let content = encode(&sent).expect("written");
            assert!(content.len() < 500 + times / 1_000, "{} bytes", content.len());
            assert_eq!(decode::<ToViewer>(&content).expect("read").view(), sent.view());
        }
        let request = ToLab::Request(Request::Pause(SessionId(7)));
        assert_eq!(decode::<ToLab>(&encode(&request).expect("written")).expect("read"), request);
    }

    #[test]
    fn a_bomb_is_refused() {
        let bomb = zstd::bulk::compress(&vec![0_u8; MOST_UNPACKED + 1], 3).expect("packed");
        let content = [&[ZSTD], bomb.as_slice()].concat();
        assert!(matches!(decode::<Vec<u8>>(&content), Err(FrameError::Packed(_))));
    }

    proptest! {
        #[test]
        fn any_bytes_give_a_value_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode::<ToLab>(&bytes);
            let _ = decode::<ToViewer>(&bytes);
        }
    }
}
