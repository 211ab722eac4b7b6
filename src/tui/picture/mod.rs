//! Screenshots, made ready for the terminal off the event loop.
//!
//! In: PNG bytes as the lab has them, the boxes of widgets, what the terminal can show. Out: a picture for a given
//! number of cells. Images that are too large or broken yield none.

mod boxes;
mod kitty;
mod shows;

use std::collections::VecDeque;
use std::io::Cursor;
use std::sync::Arc;

use image::{DynamicImage, ImageReader, Limits};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::widgets::Widget;
use ratatui_image::protocol::Protocol;
use ratatui_image::protocol::halfblocks::Halfblocks;
use ratatui_image::protocol::iterm2::Iterm2;
use ratatui_image::protocol::sixel::Sixel;
use ratatui_image::{FilterType, Resize};

use droidmux_gui::{Bounds, LayoutHash};
use droidmux_record::BlobHash;

pub use boxes::Boxes;
use kitty::Kitty;
pub(super) use shows::{HALF_BLOCKS, Shower, Shows, Way, may_ask};

/// Largest side of a screenshot, in pixels, and bytes its decoding may take.
const MAX_SIDE: u32 = 8_192;
const MAX_BYTES: u64 = 256 << 20;

/// An image as the terminal is to show it.
pub enum Picture {
    /// A picture made of characters: its cells hold all of it.
    Cells(Protocol),
    /// Sent apart from its cells.
    Kitty(Kitty),
}

/// Which screenshot, for how many cells, with which widgets boxed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PictureKey {
    pub blob: BlobHash,
    pub size: Size,
    /// The layout whose widgets are boxed where they can be operated.
    pub layout: Option<LayoutHash>,
    pub acted: Option<Bounds>,
    pub selected: Option<Bounds>,
}

impl PictureKey {
    /// A picture without boxes.
    pub fn plain(blob: BlobHash, size: Size) -> Self {
        Self { blob, size, layout: None, acted: None, selected: None }
    }
}

/// A picture to make from PNG bytes.
#[derive(Clone, Debug)]
pub struct PictureJob {
    pub key: PictureKey,
    pub png: Arc<Vec<u8>>,
    pub boxes: Boxes,
}

impl Picture {
    pub fn size(&self) -> Size {
        match self {
            Self::Cells(protocol) => protocol.size(),
            Self::Kitty(kitty) => kitty.size(),
        }
    }

    pub fn render(&self, area: Rect, buffer: &mut Buffer) {
        match self {
            Self::Cells(protocol) => ratatui_image::Image::new(protocol).render(area, buffer),
            Self::Kitty(kitty) => kitty.render(area, buffer),
        }
    }

    /// What is to be written before it shows, in pieces between which anything may stand.
    pub fn upload(&self) -> VecDeque<Vec<u8>> {
        match self {
            Self::Cells(_) => VecDeque::new(),
            Self::Kitty(kitty) => kitty.upload(),
        }
    }
}

/// Decodes, boxes and encodes; `None` if the bytes are not an image, or are one of monstrous size. `count` is how many
/// were made before.
pub(super) fn make(shower: Shower, job: &PictureJob, count: u32) -> Option<Picture> {
    let mut reader = ImageReader::new(Cursor::new(job.png.as_slice())).with_guessed_format().ok()?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_BYTES);
    reader.limits(limits);
    let mut image = reader.decode().ok()?.into_rgba8();
    job.boxes.draw(&mut image);
    let image = DynamicImage::ImageRgba8(image);
    let resize = Resize::Scale(Some(FilterType::Triangle));
    let size = resize.size_for(&image, shower.cell, job.key.size);
    if size.width == 0 || size.height == 0 {
        return None;
    }
    let image = resize.resize(&image, shower.cell, size, None);
    let cells = match shower.way {
        Way::Kitty => return Kitty::new(&image, size, count).map(Picture::Kitty),
        Way::HalfBlocks => Protocol::Halfblocks(Halfblocks::new(image, size).ok()?),
        Way::Sixel => Protocol::Sixel(Sixel::new(image, size, false).ok()?),
        Way::ITerm2 => Protocol::ITerm2(Iterm2::new(image, size, false).ok()?),
    };
    Some(Picture::Cells(cells))
}

#[cfg(test)]
mod tests {
    use image::{Rgba, RgbaImage};
    use ratatui_image::FontSize;

    use super::*;

    fn png(width: u32, height: u32) -> Arc<Vec<u8>> {
        let mut bytes = Vec::new();
        let shade = |x, y| if x > y { Rgba([10, 20, 30, 255]) } else { Rgba([200, 190, 180, 255]) };
        let image = RgbaImage::from_fn(width, height, shade);
        let written = image.write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png);
        assert!(written.is_ok());
        Arc::new(bytes)
    }

    #[test]
    fn pictures_fit_their_cells_in_every_way_and_garbage_is_none() {
        let key = PictureKey::plain(BlobHash([0; 32]), Size::new(30, 20));
        // (the way, how the bytes of an image begin, wherever they are)
        let ways = [
            (Way::HalfBlocks, "▄"),
            (Way::Kitty, "\u{1b}_Gq=2,a=T,U=1"),
            (Way::Sixel, "\u{1b}P"),
            (Way::ITerm2, "\u{1b}]1337;File="),
        ];
        for (way, mark) in ways {
            let shower = Shower { way, cell: FontSize::new(10, 20) };
            let job = PictureJob { key, png: png(108, 234), boxes: Boxes::default() };
            let picture = make(shower, &job, 0).expect("an image");
            assert!(picture.size().width <= 30 && picture.size().height <= 20, "{way:?}");
            assert!(picture.size().height >= 19, "{way:?} scaled to the pane: {:?}", picture.size());
            let mut buffer = Buffer::empty(Rect::new(0, 0, 30, 20));
            picture.render(Rect::new(0, 0, picture.size().width, picture.size().height), &mut buffer);
            let mut bytes: String = buffer.content.iter().map(|cell| cell.symbol()).collect();
            bytes.extend(picture.upload().iter().map(|piece| String::from_utf8_lossy(piece).into_owned()));
            assert!(bytes.contains(mark), "{way:?}: {}", bytes.escape_debug());
            let broken = PictureJob { png: Arc::new(b"no image".to_vec()), ..job };
            assert!(make(shower, &broken, 0).is_none());
        }
    }
}
