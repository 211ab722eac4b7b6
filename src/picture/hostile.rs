//! Arbitrary input for the reader of stored screenshots.

use super::shot::decoded;
use droidmux_record::BlobHash;

/// Decodes a screenshot, PNG or JPEG.
///
/// # Panics
/// When the reader does, or when the picture has no pixels.
pub fn screenshot(bytes: &[u8]) {
    if let Ok(image) = decoded(BlobHash::of(bytes), bytes) {
        assert!(image.width() > 0 && image.height() > 0);
    }
}

#[cfg(test)]
mod tests {
    use image::{DynamicImage, ImageFormat, RgbaImage};
    use proptest::prelude::*;

    use super::*;
    use droidmux_testutils::mangled;

    fn pictures() -> Vec<Vec<u8>> {
        let image = RgbaImage::from_fn(9, 7, |x, y| image::Rgba([x as u8, y as u8, 3, 255]));
        let encoded = |format, image: DynamicImage| {
            let mut bytes = std::io::Cursor::new(Vec::new());
            image.write_to(&mut bytes, format).expect("encoded");
            bytes.into_inner()
        };
        let image = DynamicImage::from(image);
        vec![encoded(ImageFormat::Png, image.clone()), encoded(ImageFormat::Jpeg, image.into_rgb8().into())]
    }

    proptest! {
        #[test]
        fn any_picture_is_read(bytes in mangled(pictures())) {
            screenshot(&bytes);
        }
    }

    #[test]
    fn the_sound_ones_are_decoded() {
        for bytes in pictures() {
            let image = decoded(BlobHash::of(&bytes), &bytes).expect("sound");
            assert_eq!(image.dimensions(), (9, 7));
        }
    }
}
