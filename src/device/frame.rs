//! A picture of the screen as raw pixels, as `screencap` prints them.
//!
//! In: what was printed. Out: rows of pixels from the top, red first, or a PNG. Invariants: sizes are checked against
//! the bytes that came; the memory goes back to where it was taken from.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};

use super::buffers::Buffer;

/// The most bytes of text before a picture.
const MOST_TEXT: usize = 64 * 1024;

/// A picture with a longer side is not a screen.
const MAX_SIDE: u32 = 16_384;

/// A picture of the screen.
#[derive(Debug)]
pub enum Screenshot {
    /// Made by the device.
    Png(Vec<u8>),
    /// Nothing has been made of its pixels yet.
    Raw(Frame),
}

/// Why raw pixels are of no use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// Not even their size is there.
    #[error("screencap printed no picture")]
    NoPicture,
    /// A number of Android's `PixelFormat`.
    #[error("pixels of format {0}, which is not known here")]
    Format(u32),
    /// No screen has this size.
    #[error("a picture of {width} by {height}")]
    Size {
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
    },
    /// Pixels are missing, or too many.
    #[error("{bytes} bytes are no picture of {width} by {height}")]
    Length {
        /// How many came, with the header.
        bytes: usize,
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
    },
    /// In the encoder's words.
    #[error("making a PNG failed: {0}")]
    Png(String),
}

impl Screenshot {
    /// As PNG. For raw pixels this takes some ten milliseconds: call it off the async workers.
    ///
    /// # Errors
    /// When none can be made of them.
    pub fn into_png(self) -> Result<Vec<u8>, FrameError> {
        match self {
            Self::Png(png) => Ok(png),
            Self::Raw(mut frame) => frame.png(),
        }
    }
}

/// Rows of pixels from the top.
#[derive(Debug)]
pub struct Frame {
    width: u32,
    height: u32,
    form: Form,
    buffer: Buffer,
    /// Bytes of the buffer before the first pixel.
    header: usize,
}

/// The pixel formats of Android's `PixelFormat` that screens have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Rgba,
    Rgbx,
    Rgb,
    Bgra,
}

/// What stands before the pixels.
struct Head {
    width: u32,
    height: u32,
    form: Form,
    /// Where the pixels begin.
    header: usize,
}

impl Head {
    /// Finds it at the beginning or behind a line of text. What is wrong at the beginning is what is told.
    fn find(bytes: &[u8]) -> Result<Self, FrameError> {
        let at_once = Self::read(bytes, 0);
        let text = bytes.get(..MOST_TEXT.min(bytes.len())).unwrap_or_default();
        let mut behind_lines = memchr::memchr_iter(b'\n', text).map(|at| at + 1);
        at_once.or_else(|error| behind_lines.find_map(|from| Self::read(bytes, from).ok()).ok_or(error))
    }

    /// Reads it from here on: the rest must be exactly its pixels.
    fn read(bytes: &[u8], from: usize) -> Result<Self, FrameError> {
        let word = |n: usize| {
            let at = from + n * 4;
            let word = bytes.get(at..at + 4).and_then(|bytes| <[u8; 4]>::try_from(bytes).ok());
            word.map(u32::from_le_bytes).ok_or(FrameError::NoPicture)
        };
        let (width, height, format) = (word(0)?, word(1)?, word(2)?);
        let (form, each) = match format {
            1 => (Form::Rgba, 4),
            2 => (Form::Rgbx, 4),
            3 => (Form::Rgb, 3),
            5 => (Form::Bgra, 4),
            other => return Err(FrameError::Format(other)),
        };
        if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
            return Err(FrameError::Size { width, height });
        }
        let wanted = usize::try_from(u64::from(width) * u64::from(height) * each).unwrap_or(usize::MAX);
        let header = bytes.len().checked_sub(wanted);
        let header = header.filter(|header| matches!(header.checked_sub(from), Some(12 | 16)));
        let header = header.ok_or(FrameError::Length { bytes: bytes.len() - from, width, height })?;
        Ok(Self { width, height, form, header })
    }
}

impl Frame {
    /// Reads what `screencap` printed: a header of u32 LE width, height, format and, since Android 9, colour space; the
    /// pixels follow. Lines of text may come before it, such as the linker's warnings.
    pub(crate) fn read(buffer: Buffer) -> Result<Self, FrameError> {
        let Head { width, height, form, header } = Head::find(&buffer)?;
        Ok(Self { width, height, form, buffer, header })
    }

    /// Pixels in a row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Red, green and blue of each pixel, and alpha if there are four bytes for each. In another order, they are turned
    /// where they are, which takes a few milliseconds.
    pub fn pixels(&mut self) -> &[u8] {
        let turn: Option<fn(&mut [u8; 4])> = match self.form {
            Form::Rgba | Form::Rgb => None,
            Form::Rgbx => Some(|pixel| pixel[3] = u8::MAX),
            Form::Bgra => Some(|pixel| pixel.swap(0, 2)),
        };
        let pixels = self.buffer.get_mut(self.header..).unwrap_or_default();
        if let Some(turn) = turn {
            pixels.as_chunks_mut().0.iter_mut().for_each(turn);
            self.form = Form::Rgba;
        }
        pixels
    }

    /// Fast rather than small: screens are flat, most rows equal the one above.
    fn png(&mut self) -> Result<Vec<u8>, FrameError> {
        let mut png = Vec::new();
        let encoder = PngEncoder::new_with_quality(&mut png, CompressionType::Fast, FilterType::Up);
        let colours = if self.form == Form::Rgb { ExtendedColorType::Rgb8 } else { ExtendedColorType::Rgba8 };
        let (width, height) = (self.width, self.height);
        let written = encoder.write_image(self.pixels(), width, height, colours);
        written.map(|()| png).map_err(|error| FrameError::Png(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(header: &[u32], pixels: &[u8]) -> Vec<u8> {
        header.iter().flat_map(|word| word.to_le_bytes()).chain(pixels.iter().copied()).collect()
    }

    #[test]
    fn pixels_become_pictures() {
        let two = [1, 2, 3, 4, 5, 6, 7, 8];
        let warned =
            |lines: &str, header: &[u32], pixels: &[u8]| [lines.as_bytes(), &raw(header, pixels)].concat();
        let cases: [(&str, Vec<u8>, Result<Vec<u8>, &str>); 15] = [
            ("behind a warning", warned("WARNING: linker: x\n", &[2, 1, 1, 1], &two), Ok(two.to_vec())),
            ("behind several", warned("[Warning] two\r\nSee -d\n\n", &[2, 1, 1], &two), Ok(two.to_vec())),
            // A width of 10 begins with a byte like a line's end.
            ("of such a size", warned("x\n", &[10, 1, 3, 1], &[7; 30]), Ok([7, 7, 7, 255].repeat(10))),
            ("cut behind a warning", warned("WARNING: x\n", &[2, 1, 1, 1], &two[..7]), Err("format")),
            ("text alone", b"Display Id '7' is not valid.\nSee\n".to_vec(), Err("format")),
            ("old header", raw(&[2, 1, 1], &two), Ok(two.to_vec())),
            ("with colour space", raw(&[2, 1, 1, 1], &two), Ok(two.to_vec())),
            ("without alpha", raw(&[2, 1, 2, 1], &two), Ok(vec![1, 2, 3, 255, 5, 6, 7, 255])),
            ("blue first", raw(&[1, 2, 5, 1], &two), Ok(vec![3, 2, 1, 4, 7, 6, 5, 8])),
            ("three bytes", raw(&[1, 2, 3], &two[..6]), Ok(vec![1, 2, 3, 255, 4, 5, 6, 255])),
            ("cut", raw(&[2, 1, 1, 1], &two[..7]), Err("no picture of 2 by 1")),
            ("too long", raw(&[1, 1, 1, 1, 1], &two), Err("no picture of 1 by 1")),
            ("huge", raw(&[u32::MAX, u32::MAX, 1], &two), Err("a picture of 4294967295")),
            ("another format", raw(&[2, 1, 43, 1], &two), Err("format 43")),
            ("nothing", Vec::new(), Err("no picture")),
        ];
        for (name, bytes, expected) in cases {
            match (Frame::read(bytes.into()), expected) {
                (Ok(frame), Ok(pixels)) => {
                    let png = Screenshot::Raw(frame).into_png().expect("a PNG");
                    let back = image::load_from_memory(&png).expect("a PNG").into_rgba8();
                    assert_eq!(back.into_raw(), pixels, "{name}");
                }
                (Err(said), Err(part)) => assert!(said.to_string().contains(part), "{name}: {said}"),
                (frame, _) => panic!("{name}: {frame:?}"),
            }
        }
    }
}
