//! Arbitrary input for the readers of `screencap` output.

use super::picture::whole_png;
use crate::{Frame, Screenshot};

/// Takes a screenshot as PNG and as raw pixels.
///
/// # Panics
/// When a reader does, or when pixels cannot be turned into a PNG.
pub fn screencap(bytes: &[u8]) {
    if let Ok(png) = whole_png(bytes) {
        assert!(png.len() <= bytes.len());
    }
    if let Ok(frame) = Frame::read(bytes.to_vec().into()) {
        let png = Screenshot::Raw(frame).into_png().unwrap_or_default();
        assert!(whole_png(&png).is_ok());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use droidmux_testutils::mangled;

    fn printed() -> Vec<Vec<u8>> {
        let raw = |header: &[u32], pixels: usize| -> Vec<u8> {
            header.iter().flat_map(|word| word.to_le_bytes()).chain((0_u8..).take(pixels)).collect()
        };
        let frame = Frame::read(raw(&[2, 1, 1], 8).into());
        let png = frame.and_then(|frame| Screenshot::Raw(frame).into_png()).expect("sound");
        let warned = [b"[Warning] Multiple displays were found\n".as_slice(), &png].concat();
        vec![
            raw(&[2, 2, 1], 16),
            raw(&[3, 1, 2, 1], 12),
            raw(&[2, 3, 3, 1], 18),
            raw(&[1, 1, 5], 4),
            png,
            warned,
        ]
    }

    proptest! {
        #[test]
        fn anything_screencap_prints_is_read(bytes in mangled(printed())) {
            screencap(&bytes);
        }

        #[test]
        fn any_header_is_read(header in prop::collection::vec(0..6_u32, 3..5), rest in 0..80_usize) {
            let bytes: Vec<u8> =
                header.iter().flat_map(|word| word.to_le_bytes()).chain((0_u8..).take(rest)).collect();
            screencap(&bytes);
        }
    }
}
