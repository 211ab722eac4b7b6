//! Screenshots, ready to be drawn on: decoded, their password fields painted over.

use std::io::Cursor;

use image::imageops::FilterType;
use image::{DynamicImage, ImageFormat, ImageReader, Limits, RgbaImage, imageops};

use super::{PictureError, Source};
use droidmux_gui::{Bounds, Flags, Layout};
use droidmux_paint::{Canvas, Color, MAX_SIDE};
use droidmux_record::{BlobHash, Frame};
use droidmux_words::number::scaled;

/// The most bytes that decoding a screenshot may take.
const MAX_BYTES: u64 = 256 << 20;

/// The minimum length of an icon's longer side: below that, models see nothing.
const SMALLEST_ICON: u32 = 96;

const COVER: Color = Color(158, 158, 158);
const HATCH: Color = Color(97, 97, 97);

/// A screen at the device's resolution.
pub(super) fn screen(frame: &Frame, source: &dyn Source) -> Result<RgbaImage, PictureError> {
    let layout = source.layout(frame.layout).ok_or(PictureError::NoLayout(frame.layout))?;
    let hash = frame.screenshot;
    let bytes = source.screenshot(hash).ok_or(PictureError::NoScreenshot(hash))?;
    let mut canvas = Canvas::on(decoded(hash, &bytes)?);
    hide_passwords(&mut canvas, &layout);
    Ok(canvas.finish())
}

/// The factor, at most 1, that makes a screen of this width and height fit into another.
pub(super) fn scale_to((width, height): (u32, u32), room: (u32, u32)) -> f64 {
    let factor = |room: u32, length: u32| f64::from(room) / f64::from(length.max(1));
    factor(room.0, width).min(factor(room.1, height)).min(1.0)
}

/// A part of a screen, its longer side at most `longest` pixels and large enough to be seen.
pub(super) fn icon(screen: &RgbaImage, bounds: Bounds, longest: u32) -> Result<RgbaImage, PictureError> {
    let side = |length: u32| i32::try_from(length).unwrap_or(i32::MAX);
    let part = bounds.intersection(Bounds::new(0, 0, side(screen.width()), side(screen.height())));
    if part.is_empty() {
        return Err(PictureError::Outside(bounds));
    }
    let [x, y, width, height] =
        [part.left, part.top, part.width(), part.height()].map(|n| u32::try_from(n).unwrap_or(0));
    let icon = imageops::crop_imm(screen, x, y, width, height).to_image();
    let side = icon.width().max(icon.height()).max(1);
    let target = side.clamp(SMALLEST_ICON.min(longest), longest);
    Ok(resized(&icon, f64::from(target) / f64::from(side)))
}

/// Regardless of the orientation of their bounds.
fn hide_passwords(canvas: &mut Canvas, layout: &Layout) {
    for widget in layout.widgets().filter(|widget| widget.has(Flags::PASSWORD)) {
        let Bounds { left, top, right, bottom } = widget.bounds();
        let area = Bounds::new(left.min(right), top.min(bottom), left.max(right), top.max(bottom));
        let area = area.intersection(canvas.bounds());
        canvas.clip(area);
        canvas.fill(area, COVER);
        let gap = (area.height() / 3).max(12);
        let reach = area.height();
        for x in (area.left - reach..area.right).step_by(usize::try_from(gap).unwrap_or(12)) {
            canvas.line((x, area.bottom), (x + reach, area.top), gap / 5, HATCH);
        }
        canvas.unclip();
    }
}

/// The image scaled by this factor; never smaller than one pixel.
pub(super) fn resized(image: &RgbaImage, scale: f64) -> RgbaImage {
    let side = |length: u32| scaled(length, scale).min(MAX_SIDE);
    let (width, height) = (side(image.width()), side(image.height()));
    if (width, height) == image.dimensions() {
        return image.clone();
    }
    // A dynamic image is scaled by code inside the library, which a debug build optimises.
    DynamicImage::from(image.clone()).resize_exact(width, height, FilterType::Triangle).into_rgba8()
}

pub(super) fn decoded(hash: BlobHash, bytes: &[u8]) -> Result<RgbaImage, PictureError> {
    let unreadable = |why: String| PictureError::Unreadable { hash, why };
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
    let mut reader = reader.map_err(|error| unreadable(error.to_string()))?;
    if !matches!(reader.format(), Some(ImageFormat::Png | ImageFormat::Jpeg)) {
        return Err(unreadable("neither PNG nor JPEG".into()));
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_BYTES);
    reader.limits(limits);
    Ok(reader.decode().map_err(|error| unreadable(error.to_string()))?.into_rgba8())
}
