//! Screenshots, made ready for the terminal off the event loop.

use std::io::Cursor;
use std::sync::Arc;

use image::{DynamicImage, ImageReader, Limits, Rgba, RgbaImage};
use ratatui::layout::Size;
use ratatui_image::picker::{Picker, ProtocolType};
use ratatui_image::protocol::Protocol;
use ratatui_image::{FilterType, FontSize, Resize};

use crate::gui::Bounds;
use crate::record::BlobHash;
use crate::tui::terminal::Answer;

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

/// What the terminal has said of the images it shows.
#[derive(Debug, Default)]
pub(super) struct Shows {
    kitty: bool,
    cell: Option<(u16, u16)>,
}

impl Shows {
    /// Takes an answer in. With the last one: how pictures are to be made, when that is not with half blocks.
    pub(super) fn learn(&mut self, answer: Answer) -> Option<Picker> {
        let sixel = match answer {
            Answer::Ready => return None,
            Answer::Kitty => {
                self.kitty = true;
                return None;
            }
            Answer::CellSize { width, height } => {
                self.cell = Some((width, height));
                return None;
            }
            Answer::Attributes { sixel } => sixel,
        };
        let way = way(self.kitty, sixel, &|name| std::env::var(name).unwrap_or_default())?;
        // Without the size of a cell a picture's place is not known.
        let (width, height) = self.cell?;
        #[expect(deprecated, reason = "the questions are asked elsewhere, so that nothing waits for the answers")]
        let mut picker = Picker::from_fontsize(FontSize::new(width, height));
        picker.set_protocol_type(way);
        Some(picker)
    }
}

/// The protocol to use; `None` for half blocks.
fn way(kitty: bool, sixel: bool, var: &dyn Fn(&str) -> String) -> Option<ProtocolType> {
    let program = var("TERM_PROGRAM");
    let iterm = ["iTerm", "WezTerm", "mintty", "vscode", "Tabby", "rio", "WarpTerminal"];
    if iterm.iter().any(|name| program.contains(name)) || var("LC_TERMINAL").contains("iTerm") {
        return Some(ProtocolType::Iterm2);
    }
    // Konsole answers for kitty and sixel, but has no placeholders and draws sixel in the wrong place.
    if !var("KONSOLE_VERSION").is_empty() {
        return None;
    }
    match (kitty, sixel) {
        (true, _) => Some(ProtocolType::Kitty),
        (false, true) => Some(ProtocolType::Sixel),
        (false, false) => None,
    }
}

/// False where the terminal is a multiplexer, which shows half blocks, or one that would print the questions.
pub(super) fn may_ask() -> bool {
    let multiplexed = ["TMUX", "STY", "ZELLIJ"].iter().any(|name| std::env::var_os(name).is_some());
    let term = std::env::var("TERM").unwrap_or_default();
    let mute = ["", "dumb", "linux"].contains(&term.as_str());
    !(multiplexed || mute || term.starts_with("tmux") || term.starts_with("screen"))
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
