//! Pictures of the screen: PNG from the device, or raw pixels that are encoded as PNG here.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};

use super::device::AdbDevice;
use super::sections::find;
use crate::DeviceErrorKind;

/// The most bytes of a picture.
const MAX_PICTURE: usize = 64 << 20;
/// A picture with a longer side is not a screen.
const MAX_SIDE: u32 = 16_384;

const PNG_HEAD: &[u8] = b"\x89PNG\r\n\x1a\n";
const PNG_TAIL: &[u8] = b"IEND\xaeB`\x82";

impl AdbDevice {
    /// The screen as PNG, taken the way that was chosen. Pixels that cannot be read are not asked for
    /// again.
    pub(super) async fn screenshot_now(&self) -> Result<Vec<u8>, DeviceErrorKind> {
        if self.takes_raw_pictures() {
            match self.picture_of_pixels().await {
                Err(DeviceErrorKind::Answer(why)) => {
                    self.set_raw_pictures(false);
                    self.remark(&format!("pictures are taken as PNG from now on: {why}"));
                }
                taken => return taken,
            }
        }
        self.picture().await
    }

    /// A PNG that the device makes.
    pub(super) async fn picture(&self) -> Result<Vec<u8>, DeviceErrorKind> {
        whole_png(&self.screencap("screencap -p").await?)
    }

    /// A PNG that is made here, off the async workers.
    pub(super) async fn picture_of_pixels(&self) -> Result<Vec<u8>, DeviceErrorKind> {
        let raw = self.screencap("screencap").await?;
        let encoded = tokio::task::spawn_blocking(move || Pixels::read(&raw)?.png()).await;
        let encoded = encoded.unwrap_or_else(|error| Err(format!("making a PNG failed: {error}")));
        encoded.map_err(DeviceErrorKind::Answer)
    }

    async fn screencap(&self, command: &str) -> Result<Vec<u8>, DeviceErrorKind> {
        if self.has_shell_v2().await? {
            return Ok(self.run(command).await?.checked()?.stdout);
        }
        // The old shell service would mangle binary output.
        let mut connection = self.transport().await?;
        connection.request(&format!("exec:{command}")).await?;
        connection.read_to_end(MAX_PICTURE).await
    }
}

pub(super) fn whole_png(bytes: &[u8]) -> Result<Vec<u8>, DeviceErrorKind> {
    // Devices with several displays print a warning first.
    let start = find(bytes, PNG_HEAD);
    let png = start.and_then(|at| bytes.get(at..));
    match png {
        Some(png) if png.ends_with(PNG_TAIL) => Ok(png.to_vec()),
        Some(_) => Err(DeviceErrorKind::Lost("the picture ended too early".into())),
        None => Err(DeviceErrorKind::Answer("screencap printed no PNG".into())),
    }
}

/// Rows of pixels from the top, as `screencap` prints them behind its header: u32 LE width, height,
/// format and, since Android 9, colour space.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pixels<'a> {
    width: u32,
    height: u32,
    form: Form,
    bytes: &'a [u8],
}

/// The pixel formats of Android's `PixelFormat` that screens have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Rgba,
    Rgbx,
    Rgb,
    Bgra,
}

impl<'a> Pixels<'a> {
    pub(super) fn read(raw: &'a [u8]) -> Result<Self, String> {
        let word = |n: usize| {
            let bytes = raw.get(n * 4..n * 4 + 4).and_then(|bytes| <[u8; 4]>::try_from(bytes).ok());
            bytes.map(u32::from_le_bytes).ok_or("screencap printed no picture")
        };
        let (width, height, format) = (word(0)?, word(1)?, word(2)?);
        let (form, each) = match format {
            1 => (Form::Rgba, 4),
            2 => (Form::Rgbx, 4),
            3 => (Form::Rgb, 3),
            5 => (Form::Bgra, 4),
            other => return Err(format!("pixels of format {other}, which is not known here")),
        };
        if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
            return Err(format!("a picture of {width} by {height}"));
        }
        let wanted = usize::try_from(u64::from(width) * u64::from(height) * each).unwrap_or(usize::MAX);
        let header = raw.len().checked_sub(wanted).filter(|header| matches!(header, 12 | 16));
        let bytes = header.and_then(|header| raw.get(header..));
        let lengths = || format!("{} bytes are no picture of {width} by {height}", raw.len());
        Ok(Self { width, height, form, bytes: bytes.ok_or_else(lengths)? })
    }

    /// Fast rather than small: screens are flat, most rows equal the one above.
    pub(super) fn png(&self) -> Result<Vec<u8>, String> {
        let mut png = Vec::new();
        let encoder = PngEncoder::new_with_quality(&mut png, CompressionType::Fast, FilterType::Up);
        let (turned, colours);
        let bytes = match self.form {
            Form::Rgba => self.bytes,
            Form::Rgb => self.bytes,
            Form::Rgbx => {
                turned = self.each(|[r, g, b, _]| [r, g, b, u8::MAX]);
                &turned
            }
            Form::Bgra => {
                turned = self.each(|[b, g, r, a]| [r, g, b, a]);
                &turned
            }
        };
        colours = if self.form == Form::Rgb { ExtendedColorType::Rgb8 } else { ExtendedColorType::Rgba8 };
        let written = encoder.write_image(bytes, self.width, self.height, colours);
        written.map(|()| png).map_err(|error| format!("making a PNG failed: {error}"))
    }

    fn each(&self, turn: impl Fn([u8; 4]) -> [u8; 4]) -> Vec<u8> {
        self.bytes.as_chunks::<4>().0.iter().flat_map(|pixel| turn(*pixel)).collect()
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
        let cases: [(&str, Vec<u8>, Result<Vec<u8>, &str>); 10] = [
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
            let png = Pixels::read(&bytes).and_then(|pixels| pixels.png());
            match (png, expected) {
                (Ok(png), Ok(pixels)) => {
                    assert!(whole_png(&png).is_ok(), "{name}");
                    let back = image::load_from_memory(&png).expect("a PNG").into_rgba8();
                    assert_eq!(back.into_raw(), pixels, "{name}");
                }
                (Err(said), Err(part)) => assert!(said.contains(part), "{name}: {said}"),
                (png, _) => panic!("{name}: {png:?}"),
            }
        }
    }
}
