//! Screenshots, made ready for the terminal off the event loop.

use std::io::Cursor;
use std::sync::Arc;
use std::time::Duration;

use image::{DynamicImage, ImageReader, Limits, Rgba, RgbaImage};
use ratatui::layout::Size;
use ratatui_image::picker::{Picker, ProtocolType};
use ratatui_image::protocol::Protocol;
use ratatui_image::{FilterType, Resize};

use crate::gui::Bounds;
use crate::record::BlobHash;

/// How long the terminal may take to say what images it shows.
const ASK: Duration = Duration::from_millis(1_000);
/// Largest side of a screenshot, in pixels, and bytes its decoding may take.
const MAX_SIDE: u32 = 8_192;
const MAX_BYTES: u64 = 256 << 20;
/// The box around the selected widget.
const BOX: Rgba<u8> = Rgba([255, 64, 96, 255]);

/// An image as the terminal is to show it.
pub type Picture = Protocol;

/// Which screenshot, for how many cells, with which widget boxed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureKey {
    pub blob: BlobHash,
    pub size: Size,
    pub boxed: Option<Bounds>,
}

/// A picture to make from PNG bytes.
#[derive(Clone, Debug)]
pub struct PictureJob {
    pub key: PictureKey,
    pub png: Arc<Vec<u8>>,
}

/// How images are shown: by the protocol the terminal names, asked once, within a deadline; by
/// half blocks in a multiplexer or when there is no answer.
///
/// Must be called in raw mode, before anything else reads from the terminal.
pub(super) fn picker() -> Picker {
    let multiplexed = ["TMUX", "STY", "ZELLIJ"].iter().any(|name| std::env::var_os(name).is_some());
    let term = std::env::var("TERM").unwrap_or_default();
    let mute = ["", "dumb", "linux"].contains(&term.as_str());
    if multiplexed || mute || term.starts_with("tmux") || term.starts_with("screen") {
        return halfblocks();
    }
    let options = ratatui_image::picker::cap_parser::QueryStdioOptions { timeout: ASK, ..Default::default() };
    Picker::from_query_stdio_with_options(options).unwrap_or_else(|_| halfblocks())
}

pub(super) fn halfblocks() -> Picker {
    let mut picker = Picker::halfblocks();
    picker.set_protocol_type(ProtocolType::Halfblocks);
    picker
}

/// Decodes, boxes and encodes; `None` when the bytes are no image or a monstrous one.
pub(super) fn make(picker: &Picker, job: &PictureJob) -> Option<Picture> {
    let mut reader = ImageReader::new(Cursor::new(job.png.as_slice())).with_guessed_format().ok()?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_BYTES);
    reader.limits(limits);
    let mut image = reader.decode().ok()?.into_rgba8();
    if let Some(bounds) = job.key.boxed {
        draw_box(&mut image, bounds);
    }
    let image = DynamicImage::ImageRgba8(image);
    picker.new_protocol(image, job.key.size, Resize::Scale(Some(FilterType::Triangle))).ok()
}

/// A frame inside the bounds, thick enough to survive scaling down.
fn draw_box(image: &mut RgbaImage, bounds: Bounds) {
    let (width, height) = image.dimensions();
    let clamp = |value: i32, most: u32| u32::try_from(value).unwrap_or(0).min(most);
    let (left, right) = (clamp(bounds.left, width), clamp(bounds.right, width));
    let (top, bottom) = (clamp(bounds.top, height), clamp(bounds.bottom, height));
    let thick = (width.max(height) / 120).max(2);
    for y in top..bottom {
        for x in left..right {
            let inside = x >= left + thick && x + thick < right && y >= top + thick && y + thick < bottom;
            if !inside {
                image.put_pixel(x, y, BOX);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> Arc<Vec<u8>> {
        let mut bytes = Vec::new();
        let image = RgbaImage::from_pixel(width, height, Rgba([10, 20, 30, 255]));
        let written = image.write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png);
        assert!(written.is_ok());
        Arc::new(bytes)
    }

    #[test]
    fn pictures_fit_their_cells_and_garbage_is_none() {
        let key = PictureKey { blob: BlobHash([0; 32]), size: Size::new(30, 20), boxed: None };
        let picture = make(&halfblocks(), &PictureJob { key, png: png(108, 234) }).expect("an image");
        assert!(picture.size().width <= 30 && picture.size().height <= 20);
        assert!(picture.size().height >= 19, "scaled to the pane: {:?}", picture.size());
        let broken = PictureJob { key, png: Arc::new(b"no image".to_vec()) };
        assert!(make(&halfblocks(), &broken).is_none());
    }

    #[test]
    fn boxes_stay_inside_the_image() {
        let cases = [
            Bounds::new(10, 10, 50, 50),
            Bounds::new(-100, -100, 20_000, 20_000),
            Bounds::new(90, 90, 20, 20),
            Bounds::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX),
        ];
        for bounds in cases {
            let mut image = RgbaImage::from_pixel(100, 200, Rgba([0, 0, 0, 255]));
            draw_box(&mut image, bounds);
            let boxed = image.pixels().any(|pixel| *pixel == BOX);
            assert_eq!(boxed, !bounds.is_empty(), "{bounds}");
        }
    }
}
