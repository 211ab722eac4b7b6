//! Whether two screenshots differ by a text cursor alone.
//!
//! In: two PNGs of one layout, and where a field has the focus. Out: yes or no. A cursor blinks, every half second
//! (AOSP, `android.widget.Editor`, `BLINK`), so of two screenshots of a field that was left alone one may have it.

use image::RgbaImage;

use super::{PictureError, shot};
use droidmux_gui::{Bounds, Point};
use droidmux_record::BlobHash;

/// How often the widest cursor fits into the shorter side of a screen. The platform draws two of 360 units, apps a
/// little more.
const FITS: u32 = 90;

/// Whether nothing differs but an upright bar in this field, as thin as a cursor. Screenshots of different sizes differ
/// by more.
///
/// # Errors
/// When one of them cannot be read.
pub fn differ_by_cursor(
    one: (BlobHash, &[u8]),
    other: (BlobHash, &[u8]),
    field: Bounds,
) -> Result<bool, PictureError> {
    let (one, other) = (shot::decoded(one.0, one.1)?, shot::decoded(other.0, other.1)?);
    Ok(one.dimensions() == other.dimensions() && is_cursor(&one, &other, field))
}

fn is_cursor(one: &RgbaImage, other: &RgbaImage, field: Bounds) -> bool {
    let differing =
        one.enumerate_pixels().filter(|(x, y, pixel)| other.get_pixel_checked(*x, *y) != Some(pixel));
    // The columns and rows of all that differs, ends included.
    let mut extent: Option<(u32, u32, u32, u32)> = None;
    for (x, y, _) in differing {
        let (left, top, right, bottom) = extent.unwrap_or((x, y, x, y));
        extent = Some((left.min(x), top.min(y), right.max(x), bottom.max(y)));
    }
    let Some((left, top, right, bottom)) = extent else { return true };
    let (width, height) = (right - left + 1, bottom - top + 1);
    let inside = |x: u32, y: u32| match (i32::try_from(x), i32::try_from(y)) {
        (Ok(x), Ok(y)) => field.contains(Point { x, y }),
        _ => false,
    };
    let widest = one.width().min(one.height()) / FITS;
    width <= widest && width < height && inside(left, top) && inside(right, bottom)
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_paint::{Canvas, Color};

    #[test]
    fn a_thin_bar_in_the_field_is_a_cursor() {
        let drawn = |marks: &[Bounds]| {
            let mut canvas = Canvas::new(360, 640, Color::WHITE);
            marks.iter().for_each(|area| canvas.fill(*area, Color::INK));
            canvas.finish()
        };
        let field = Bounds::new(20, 100, 340, 140);
        let (cursor, moved) = (Bounds::new(60, 105, 62, 130), Bounds::new(80, 105, 82, 130));
        for (what, a, b, expected) in [
            ("the same", drawn(&[cursor]), drawn(&[cursor]), true),
            ("on and off", drawn(&[cursor]), drawn(&[]), true),
            ("off and on", drawn(&[]), drawn(&[cursor]), true),
            ("at another letter", drawn(&[cursor]), drawn(&[moved]), false),
            ("at one side of the field", drawn(&[Bounds::new(20, 100, 22, 140)]), drawn(&[]), true),
            ("outside of the field", drawn(&[Bounds::new(60, 205, 62, 230)]), drawn(&[]), false),
            ("beyond the field", drawn(&[Bounds::new(60, 105, 62, 150)]), drawn(&[]), false),
            ("as wide as a letter", drawn(&[Bounds::new(60, 105, 70, 130)]), drawn(&[]), false),
            ("a line below a word", drawn(&[Bounds::new(60, 130, 64, 132)]), drawn(&[]), false),
            ("with something else", drawn(&[cursor, Bounds::new(0, 0, 9, 9)]), drawn(&[]), false),
            ("of another size", drawn(&[cursor]), RgbaImage::new(10, 10), false),
        ] {
            let png = |image: &RgbaImage| super::super::png(image.clone()).unwrap();
            let (a, b) = (png(&a), png(&b));
            let hashed = |png: &[u8]| BlobHash::of(png);
            let found = differ_by_cursor((hashed(&a), &a), (hashed(&b), &b), field).unwrap();
            assert_eq!(found, expected, "{what}");
        }
    }

    #[test]
    fn what_is_no_picture_is_an_error() {
        let png = super::super::png(RgbaImage::new(10, 10)).unwrap();
        let (sound, hash) = ((BlobHash::of(&png), png.as_slice()), BlobHash::of(b"none"));
        let field = Bounds::new(0, 0, 10, 10);
        assert!(differ_by_cursor(sound, (hash, b"none"), field).is_err());
        assert!(differ_by_cursor((hash, b"none"), sound, field).is_err());
    }
}
