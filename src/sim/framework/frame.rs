//! A screen as the host sends it.
//!
//! In: an image in the Quite OK Image format, from a process that runs an app's code. Out: its pixels, or nothing where it
//! is not such an image or larger than any screen.

use image::RgbaImage;

/// Pixels of the largest screen: 8K in either direction.
const MOST_PIXELS: u64 = 7_680 * 7_680;

/// The pixels of an image.
pub(super) fn read(qoi: &[u8]) -> Option<RgbaImage> {
    let mut decoder = qoi::Decoder::new(&qoi).ok()?.with_channels(qoi::Channels::Rgba);
    let header = *decoder.header();
    if u64::from(header.width) * u64::from(header.height) > MOST_PIXELS {
        return None;
    }
    RgbaImage::from_raw(header.width, header.height, decoder.decode_to_vec().ok()?)
}

#[cfg(test)]
mod tests {
    use image::Rgba;
    use proptest::prelude::*;

    use super::*;

    fn written(screen: &RgbaImage) -> Vec<u8> {
        qoi::encode_to_vec(screen.as_raw(), screen.width(), screen.height()).expect("an image")
    }

    #[test]
    fn an_image_comes_back_as_it_was() {
        let screen = RgbaImage::from_fn(40, 30, |x, y| Rgba([x as u8, y as u8, (x * y) as u8, 255]));
        assert_eq!(read(&written(&screen)), Some(screen));
    }

    #[test]
    fn what_claims_to_be_larger_than_a_screen_is_none() {
        let mut bytes = written(&RgbaImage::new(2, 2));
        bytes[4..12].copy_from_slice(&[0, 1, 0, 0, 0, 0, 0xff, 0xff]);
        assert_eq!(read(&bytes), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_taken(mut bytes in proptest::collection::vec(any::<u8>(), 0..400), head in any::<bool>()) {
            if head && bytes.len() > 14 {
                bytes[..14].copy_from_slice(b"qoif\0\0\0\x09\0\0\0\x09\x04\0");
            }
            let _ = read(&bytes);
        }
    }
}
