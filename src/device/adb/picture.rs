//! Pictures of the screen: PNG from the device, or raw pixels.

use memchr::memmem;

use super::device::AdbDevice;
use super::sections::find;
use crate::buffers::Buffer;
use crate::{DeviceErrorKind, Frame, Screenshot};

/// The most bytes of a picture.
pub(super) const MAX_PICTURE: usize = 64 << 20;

/// What is looked through for words where there is no picture.
const MOST_WORDS: usize = 2_000;

const PNG_HEAD: &[u8] = b"\x89PNG\r\n\x1a\n";
const PNG_TAIL: &[u8] = b"IEND\xaeB`\x82";

impl AdbDevice {
    /// The screen, taken the way that was chosen: raw into the buffer if there is one, otherwise as PNG. Pixels that
    /// cannot be read are not asked for again.
    pub(super) async fn screenshot_now(&self, buffer: Option<Buffer>) -> Result<Screenshot, DeviceErrorKind> {
        if let Some(buffer) = buffer {
            match self.picture_of_pixels(buffer).await {
                Err(DeviceErrorKind::Answer(why)) => {
                    self.set_raw_pictures(false);
                    self.remark(&format!("pictures are taken as PNG from now on: {why}"));
                }
                taken => return taken.map(Screenshot::Raw),
            }
        }
        self.picture().await.map(Screenshot::Png)
    }

    /// A PNG that the device makes.
    pub(super) async fn picture(&self) -> Result<Vec<u8>, DeviceErrorKind> {
        let command = format!("screencap -p{}", self.of_display().await?);
        let bytes = self.screencap(&command, Vec::new()).await?;
        match whole_png(&bytes) {
            Err(DeviceErrorKind::Answer(_)) => {
                let said =
                    String::from_utf8_lossy(bytes.get(..MOST_WORDS.min(bytes.len())).unwrap_or_default());
                Err(self.failed(&command, 0, &said).await)
            }
            read => read,
        }
    }

    /// Raw pixels.
    pub(super) async fn picture_of_pixels(&self, mut buffer: Buffer) -> Result<Frame, DeviceErrorKind> {
        let command = format!("screencap{}", self.of_display().await?);
        *buffer = self.screencap(&command, std::mem::take(&mut *buffer)).await?;
        Frame::read(buffer).map_err(|error| DeviceErrorKind::Answer(error.to_string()))
    }

    async fn screencap(&self, command: &str, into: Vec<u8>) -> Result<Vec<u8>, DeviceErrorKind> {
        if self.has_shell_v2().await? {
            let output = self.run_into(command, into).await?;
            return match output.exit {
                0 => Ok(output.stdout),
                _ => Err(self.failure(command, &output).await),
            };
        }
        // The old shell service would mangle binary output.
        let mut connection = self.transport().await?;
        connection.request(&format!("exec:{command}")).await?;
        connection.read_to_end_into(into, MAX_PICTURE).await
    }
}

pub(super) fn whole_png(bytes: &[u8]) -> Result<Vec<u8>, DeviceErrorKind> {
    // Warnings come before it (several displays, the linker's), on some systems also behind it.
    let start = find(bytes, PNG_HEAD);
    let png = start.and_then(|at| bytes.get(at..));
    let whole = png.map(|png| memmem::rfind(png, PNG_TAIL).and_then(|at| png.get(..at + PNG_TAIL.len())));
    match whole {
        Some(Some(png)) => Ok(png.to_vec()),
        Some(None) => Err(DeviceErrorKind::Lost("the picture ended too early".into())),
        None => Err(DeviceErrorKind::Answer("screencap printed no PNG".into())),
    }
}
