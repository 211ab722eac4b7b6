//! Packed screenshots: all pixels of a device's PNG in a quarter to a half of its bytes.
//!
//! In: what [`super::packer`] packed. Out: a PNG of the same pixels again.
//!
//! ```text
//! "\x93DMX" │ version u8 │ one zstd frame of
//!   width u32 │ height u32 │ bytes a pixel u8, 3 or 4 │ profile's length u32 │ colours u8     little-endian
//!   the colour profile │ the colours │ a byte a pixel: which colour, 255 for none of them
//!   for each pixel of none: its difference from what its neighbours promise
//! ```
//!
//! Screens are flat: the 255 most frequent colours make up nearly all pixels, and zstd quickly finds their repetitions
//! in single bytes. What is left is smoothed corners, shadows and photographs, which a predictor from lossless photo
//! formats (LOCO-I's) flattens.
//!
//! # Invariants
//!
//! - Equal pixels (and profiles) give equal bytes, whatever PNG they came in.
//! - Nothing is lost: what does not fit this form (16 bits, grey, animations) is not packed.
//! - Packed pictures are not trusted: sizes are checked before memory is taken.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};

use super::colours::MOST_COLOURS;
use super::damage::PictureDamage;

/// The beginning of packed pictures: a name, and the version of the form.
pub(super) const MAGIC: &[u8] = b"\x93DMX\x01";

/// The most pixels of a picture: somewhat more than those of an 8K display.
pub(super) const MOST_PIXELS: usize = 1 << 25;
/// The most bytes of a colour profile; those of devices have a few hundred.
pub(super) const MOST_PROFILE: usize = 1 << 16;
/// A pixel whose colour is not in the list.
pub(super) const OTHER: u8 = MOST_COLOURS;

/// The pixels of a screenshot from the top, `each` bytes for each: red, green, blue and, if any pixel is not opaque, alpha.
#[derive(Debug, PartialEq, Eq)]
pub struct ScreenPixels {
    /// In pixels, at least 1.
    pub width: u32,
    /// In pixels, at least 1.
    pub height: u32,
    /// Bytes of a pixel: 3 or 4.
    pub each: usize,
    /// Row after row.
    pub bytes: Vec<u8>,
    /// An ICC profile; empty for pictures that everything displays as sRGB.
    pub(super) profile: Vec<u8>,
}

/// The packed picture as PNG, fast rather than small.
pub(super) fn unpack(packed: &[u8]) -> Result<Vec<u8>, PictureDamage> {
    ScreenPixels::unpack(packed)?.png()
}

/// What is wrong with a packed picture, if anything is.
pub(super) fn check(packed: &[u8]) -> Result<(), PictureDamage> {
    ScreenPixels::unpack(packed).map(drop)
}

impl ScreenPixels {
    pub(super) fn unpack(packed: &[u8]) -> Result<Self, PictureDamage> {
        let frame = packed.strip_prefix(MAGIC).ok_or(PictureDamage::Form)?;
        // One byte and one difference per pixel, and what comes before.
        let most = MOST_PIXELS * 5 + MOST_PROFILE + 2_048;
        let told = zstd::zstd_safe::get_frame_content_size(frame).ok().flatten();
        let size = told.and_then(|size| usize::try_from(size).ok()).filter(|size| *size <= most);
        let raw = zstd::bulk::decompress(frame, size.ok_or(PictureDamage::Size)?);
        Self::read(&raw.map_err(|error| PictureDamage::Compression(error.to_string()))?)
    }

    /// What is in the zstd frame.
    fn read(raw: &[u8]) -> Result<Self, PictureDamage> {
        let mut rest = Rest(raw);
        let (width, height) = (rest.word()?, rest.word()?);
        let each = usize::from(rest.byte()?);
        let profile = usize::try_from(rest.word()?).unwrap_or(usize::MAX);
        let colours = usize::from(rest.byte()?);
        let pixels = area(width, height).filter(|pixels| (1..=MOST_PIXELS).contains(pixels));
        let pixels = pixels.ok_or(PictureDamage::Area { width, height })?;
        if !matches!(each, 3 | 4) {
            return Err(PictureDamage::PixelSize(each));
        }
        let profile = rest.take(profile)?.to_vec();
        let colours = rest.take(colours * each)?;
        let numbers = rest.take(pixels)?;
        let width_in_pixels = usize::try_from(width).map_err(|_| PictureDamage::Area { width, height })?;
        let bytes = match each {
            3 => restored::<3>(numbers, colours, rest.0, width_in_pixels)?,
            _ => restored::<4>(numbers, colours, rest.0, width_in_pixels)?,
        };
        Ok(Self { width, height, each, bytes, profile })
    }

    fn png(&self) -> Result<Vec<u8>, PictureDamage> {
        let mut png = Vec::new();
        let mut encoder = PngEncoder::new_with_quality(&mut png, CompressionType::Fast, FilterType::Up);
        if !self.profile.is_empty() {
            let set = encoder.set_icc_profile(self.profile.clone());
            set.map_err(|error| PictureDamage::Profile(error.to_string()))?;
        }
        let colours = if self.each == 3 { ExtendedColorType::Rgb8 } else { ExtendedColorType::Rgba8 };
        let written = encoder.write_image(&self.bytes, self.width, self.height, colours);
        written.map(|()| png).map_err(|error| PictureDamage::Png(error.to_string()))
    }
}

fn restored<const EACH: usize>(
    numbers: &[u8],
    colours: &[u8],
    others: &[u8],
    width: usize,
) -> Result<Vec<u8>, PictureDamage> {
    let (colours, _) = colours.as_chunks::<EACH>();
    let (others, rest) = others.as_chunks::<EACH>();
    let mut others = others.iter();
    let mut pixels: Vec<[u8; EACH]> = Vec::with_capacity(numbers.len());
    for run in numbers.chunk_by(|a, b| a == b) {
        let number = run.first().copied().unwrap_or(OTHER);
        match colours.get(usize::from(number)) {
            Some(colour) => pixels.resize(pixels.len() + run.len(), *colour),
            None if number == OTHER => {
                for _ in run {
                    let other = others.next().ok_or(PictureDamage::TooShort)?;
                    pixels.push(sum(*other, promised(&pixels, pixels.len(), width)));
                }
            }
            None => return Err(PictureDamage::Colour),
        }
    }
    if others.next().is_some() || !rest.is_empty() {
        return Err(PictureDamage::TooLong);
    }
    Ok(pixels.into_flattened())
}

/// The prediction for this pixel from those to the left, above and in between: LOCO-I's median of the two and of the
/// plane through all three. Outside the picture all values are 0.
pub(super) fn promised<const EACH: usize>(pixels: &[[u8; EACH]], at: usize, width: usize) -> [u8; EACH] {
    let is_first = at.is_multiple_of(width.max(1));
    let before = |ahead: usize, known: bool| {
        let pixel = at.checked_sub(ahead).filter(|_| known).and_then(|at| pixels.get(at));
        pixel.copied().unwrap_or([0; EACH])
    };
    let (left, above, between) = (before(1, !is_first), before(width, true), before(width + 1, !is_first));
    std::array::from_fn(|n| {
        let [a, b, c] = [left[n], above[n], between[n]];
        let (least, most) = (a.min(b), a.max(b));
        match c {
            _ if c >= most => least,
            _ if c <= least => most,
            _ => a.wrapping_add(b).wrapping_sub(c),
        }
    })
}

/// Green as it is; red and blue minus what green already accounts for.
pub(super) fn difference<const EACH: usize>(pixel: [u8; EACH], promised: [u8; EACH]) -> [u8; EACH] {
    let mut difference: [u8; EACH] = std::array::from_fn(|n| pixel[n].wrapping_sub(promised[n]));
    let green = difference[1];
    difference[0] = difference[0].wrapping_sub(green);
    difference[2] = difference[2].wrapping_sub(green);
    difference
}

/// Undoes [`difference`].
fn sum<const EACH: usize>(mut difference: [u8; EACH], promised: [u8; EACH]) -> [u8; EACH] {
    let green = difference[1];
    difference[0] = difference[0].wrapping_add(green);
    difference[2] = difference[2].wrapping_add(green);
    std::array::from_fn(|n| difference[n].wrapping_add(promised[n]))
}

pub(super) fn area(width: u32, height: u32) -> Option<usize> {
    usize::try_from(u64::from(width) * u64::from(height)).ok()
}

/// What has not been read of a packed picture.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, bytes: usize) -> Result<&'a [u8], PictureDamage> {
        let (taken, rest) = self.0.split_at_checked(bytes).ok_or(PictureDamage::TooShort)?;
        self.0 = rest;
        Ok(taken)
    }

    fn word(&mut self) -> Result<u32, PictureDamage> {
        let bytes = self.take(4)?.try_into().map_err(|_| PictureDamage::TooShort)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn byte(&mut self) -> Result<u8, PictureDamage> {
        Ok(self.take(1)?.first().copied().unwrap_or_default())
    }
}

#[cfg(test)]
#[path = "packed_tests.rs"]
mod tests;
