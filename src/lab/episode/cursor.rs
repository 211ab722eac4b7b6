//! Whether two screenshots differ by a text cursor alone.
//!
//! In: the pixels of two screenshots of one layout, and where a field has the focus. Out: yes or no. A cursor blinks,
//! every half second (AOSP, `android.widget.Editor`, `BLINK`), so of two screenshots of a field that was left alone one
//! may have it.

use droidmux_gui::{Bounds, Point};
use droidmux_store::ScreenPixels;

/// How often the widest cursor fits into the shorter side of a screen. The platform draws two of 360 units, apps a
/// little more.
const FITS: u32 = 90;

/// Whether nothing differs but an upright bar in this field, as thin as a cursor. Screenshots of different sizes differ
/// by more.
pub(super) fn differ_by_cursor(one: &ScreenPixels, other: &ScreenPixels, field: Bounds) -> bool {
    let form = |pixels: &ScreenPixels| (pixels.width, pixels.height, pixels.each);
    if form(one) != form(other) {
        return false;
    }
    let Some((left, top, right, bottom)) = extent(one, other) else { return true };
    let (width, height) = (right - left + 1, bottom - top + 1);
    let inside = |x: usize, y: usize| match (i32::try_from(x), i32::try_from(y)) {
        (Ok(x), Ok(y)) => field.contains(Point { x, y }),
        _ => false,
    };
    let widest = usize::try_from(one.width.min(one.height) / FITS).unwrap_or(usize::MAX);
    width <= widest && width < height && inside(left, top) && inside(right, bottom)
}

/// The columns and rows of all that differs: left, top, right and bottom, ends included. Both have the same form.
fn extent(one: &ScreenPixels, other: &ScreenPixels) -> Option<(usize, usize, usize, usize)> {
    let each = one.each.max(1);
    let row = usize::try_from(one.width).unwrap_or(usize::MAX).saturating_mul(each).max(1);
    let rows = one.bytes.chunks(row).zip(other.bytes.chunks(row)).enumerate();
    let mut extent: Option<(usize, usize, usize, usize)> = None;
    for (y, (a, b)) in rows.filter(|(_, (a, b))| a != b) {
        let mut differing = a.chunks(each).zip(b.chunks(each)).map(|(a, b)| a != b);
        let Some(first) = differing.clone().position(|differs| differs) else { continue };
        let last = differing.rposition(|differs| differs).unwrap_or(first);
        let (left, top, right, _) = extent.unwrap_or((first, y, last, y));
        extent = Some((left.min(first), top, right.max(last), y));
    }
    extent
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A white screen of this size with black areas.
    fn drawn(width: i32, height: i32, marks: &[Bounds]) -> ScreenPixels {
        let all = (0..height).flat_map(|y| (0..width).map(move |x| Point { x, y }));
        let grey = all.map(|at| if marks.iter().any(|mark| mark.contains(at)) { 0 } else { 255 });
        let picture = image(width, height, grey.flat_map(|grey| [grey; 3]).collect());
        droidmux_store::Store::pixels_of(droidmux_record::BlobHash::of(&picture), &picture).unwrap()
    }

    fn image(width: i32, height: i32, pixels: Vec<u8>) -> Vec<u8> {
        let side = |side| u32::try_from(side).unwrap();
        droidmux_store::ScreenPacker::default().pack_pixels(side(width), side(height), &pixels).unwrap()
    }

    #[test]
    fn a_thin_bar_in_the_field_is_a_cursor() {
        let screen = |marks: &[Bounds]| drawn(360, 640, marks);
        let field = Bounds::new(20, 100, 340, 140);
        let (cursor, moved) = (Bounds::new(60, 105, 62, 130), Bounds::new(80, 105, 82, 130));
        for (what, a, b, expected) in [
            ("the same", screen(&[cursor]), screen(&[cursor]), true),
            ("on and off", screen(&[cursor]), screen(&[]), true),
            ("off and on", screen(&[]), screen(&[cursor]), true),
            ("at another letter", screen(&[cursor]), screen(&[moved]), false),
            ("at one side of the field", screen(&[Bounds::new(20, 100, 22, 140)]), screen(&[]), true),
            ("outside of the field", screen(&[Bounds::new(60, 205, 62, 230)]), screen(&[]), false),
            ("beyond the field", screen(&[Bounds::new(60, 105, 62, 150)]), screen(&[]), false),
            ("as wide as a letter", screen(&[Bounds::new(60, 105, 70, 130)]), screen(&[]), false),
            ("a line below a word", screen(&[Bounds::new(60, 130, 64, 132)]), screen(&[]), false),
            ("with something else", screen(&[cursor, Bounds::new(0, 0, 9, 9)]), screen(&[]), false),
            ("of another size", screen(&[cursor]), drawn(100, 100, &[]), false),
        ] {
            assert_eq!(differ_by_cursor(&a, &b, field), expected, "{what}");
        }
    }
}
