//! Whether two screenshots of one layout show the same page, but for what moves by itself.
//!
//! In: a layout, and the pixels of two screenshots of it. Out: yes or no. What moves by itself is
//!
//! - the status bar: its clock, its arrows of networks;
//! - a cursor, which blinks every half second (AOSP, `android.widget.Editor`, `BLINK`), so of two screenshots of a field
//!   that was left alone one may have it;
//! - the letter of a password that was typed last, which is shown for a second and a half (AOSP,
//!   `android.text.method.PasswordTransformationMethod`), and then is a dot.

use droidmux_gui::{Bounds, Flags, Layout, Point, Widget};
use droidmux_store::ScreenPixels;

/// How often the widest cursor fits into the shorter side of a screen. The platform draws two of 360 units, apps a
/// little more.
const FITS: u32 = 90;

/// How often the highest status bar fits into the longer side of a screen. The platform's is 24 of some 800 units, and
/// higher where a camera is in it.
const BARS: u32 = 16;

/// What moves by itself on a page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Likeness {
    field: Option<Field>,
    /// Where the page begins to say something, in pixels from the top: above it there is the status bar, if there is one.
    top: i32,
}

/// Where text is being entered.
#[derive(Clone, Copy, Debug)]
struct Field {
    bounds: Bounds,
    hides_text: bool,
}

/// The columns and rows of all that differs, ends included.
#[derive(Clone, Copy, Debug)]
struct Extent {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl Likeness {
    /// Of the pictures of this layout.
    pub(super) fn of(layout: &Layout) -> Self {
        let mut fields = layout.widgets().filter(|widget| widget.is_editable() && widget.has(Flags::FOCUSED));
        let field = fields
            .next()
            .map(|field| Field { bounds: field.bounds(), hides_text: field.has(Flags::PASSWORD) });
        let tops = layout.widgets().filter(says_something).map(|widget| widget.bounds().top);
        Self { field, top: tops.min().unwrap_or_default() }
    }

    /// Whether nothing but that differs. Screenshots of different sizes differ by more.
    pub(super) fn is_same_page(&self, one: &ScreenPixels, other: &ScreenPixels) -> bool {
        let form = |pixels: &ScreenPixels| (pixels.width, pixels.height, pixels.each);
        if form(one) != form(other) {
            return false;
        }
        let bar = usize::try_from(one.width.max(one.height) / BARS).unwrap_or_default();
        let top = usize::try_from(self.top).unwrap_or_default();
        let Some(extent) = Extent::of(one, other, top.min(bar)) else { return true };
        let cursor = usize::try_from(one.width.min(one.height) / FITS).unwrap_or_default();
        self.field.is_some_and(|field| field.explains(extent, cursor))
    }
}

/// A widget with words, or one that can be touched and holds no others: status bars lie above all of these.
fn says_something(widget: &Widget<'_>) -> bool {
    let has_words = !widget.text().is_empty() || !widget.description().is_empty();
    let is_button = widget.has(Flags::CLICKABLE) && widget.is_leaf();
    (has_words || is_button) && !widget.has(Flags::INVISIBLE)
}

impl Field {
    /// Whether this is an upright bar in the field, as thin as a cursor, or, where the text is hidden, one letter with it.
    fn explains(self, extent: Extent, cursor: usize) -> bool {
        let (width, height) = (extent.right - extent.left + 1, extent.bottom - extent.top + 1);
        let is_cursor = width <= cursor && width < height;
        // A letter with the cursor beside it is hardly wider than a line of the field is high.
        let is_letter = self.hides_text && width <= usize::try_from(self.bounds.height()).unwrap_or_default();
        let inside = |x: usize, y: usize| match (i32::try_from(x), i32::try_from(y)) {
            (Ok(x), Ok(y)) => self.bounds.contains(Point { x, y }),
            _ => false,
        };
        (is_cursor || is_letter) && inside(extent.left, extent.top) && inside(extent.right, extent.bottom)
    }
}

impl Extent {
    /// Of two screenshots of the same form, from this row on.
    fn of(one: &ScreenPixels, other: &ScreenPixels, from: usize) -> Option<Self> {
        let each = one.each.max(1);
        let row = usize::try_from(one.width).unwrap_or(usize::MAX).saturating_mul(each).max(1);
        let rows = one.bytes.chunks(row).zip(other.bytes.chunks(row)).enumerate().skip(from);
        let mut extent: Option<Self> = None;
        for (y, (a, b)) in rows.filter(|(_, (a, b))| a != b) {
            let mut differing = a.chunks(each).zip(b.chunks(each)).map(|(a, b)| a != b);
            let Some(first) = differing.clone().position(|differs| differs) else { continue };
            let last = differing.rposition(|differs| differs).unwrap_or(first);
            let known = extent.unwrap_or(Self { left: first, top: y, right: last, bottom: y });
            extent =
                Some(Self { left: known.left.min(first), right: known.right.max(last), bottom: y, ..known });
        }
        extent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{LayoutBuilder, NewWidget};

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

    /// A layout of one field that has the focus.
    fn field(bounds: Bounds, password: bool) -> Likeness {
        let mut builder = LayoutBuilder::new();
        let flags = Flags::FOCUSED.with(Flags::PASSWORD, password);
        let class = "android.widget.EditText";
        builder.open(NewWidget { class, bounds, flags, ..NewWidget::default() });
        Likeness::of(&builder.finish())
    }

    #[test]
    fn a_letter_that_becomes_a_dot_is_no_change_of_a_password() {
        let bounds = Bounds::new(20, 100, 340, 140);
        let (dot, letter, cursor) =
            (Bounds::new(64, 118, 70, 124), Bounds::new(62, 108, 76, 130), Bounds::new(77, 105, 79, 132));
        let first = Bounds::new(24, 108, 38, 130);
        let hidden = drawn(360, 640, &[dot]);
        for (what, marks, of_password, of_text) in [
            ("a letter and the cursor", vec![letter, cursor], true, false),
            ("a letter", vec![letter], true, false),
            ("the cursor", vec![dot, cursor], true, true),
            ("all letters", vec![first, letter], false, false),
            ("something below the field", vec![dot, Bounds::new(64, 150, 70, 160)], false, false),
        ] {
            let shown = drawn(360, 640, &marks);
            for (password, expected) in [(true, of_password), (false, of_text)] {
                let told = field(bounds, password).is_same_page(&hidden, &shown);
                assert_eq!(told, expected, "{what}, of a password: {password}");
            }
        }
    }

    #[test]
    fn a_thin_bar_in_the_field_is_a_cursor() {
        let screen = |marks: &[Bounds]| drawn(360, 640, marks);
        let field = field(Bounds::new(20, 100, 340, 140), false);
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
            assert_eq!(field.is_same_page(&a, &b), expected, "{what}");
        }
    }

    #[test]
    fn what_moves_above_the_page_is_the_status_bar() {
        // What the page says, and where; a button without words at that place; where it differs; is it the same page?
        let clock = Bounds::new(20, 6, 60, 18);
        let cases = [
            ("the title below the bar", Some(("Notes", Bounds::new(16, 36, 120, 60))), clock, true),
            ("a page without a word", None, clock, false),
            ("a title in the bar", Some(("Notes", Bounds::new(16, 0, 120, 20))), clock, false),
            (
                "below the bar",
                Some(("Notes", Bounds::new(16, 136, 120, 160))),
                Bounds::new(20, 50, 60, 58),
                false,
            ),
            ("a button in the bar", Some(("", Bounds::new(0, 0, 40, 24))), clock, false),
        ];
        for (what, said, differs, expected) in cases {
            let mut builder = LayoutBuilder::new();
            builder.open(NewWidget { bounds: Bounds::new(0, 0, 360, 640), ..NewWidget::default() });
            if let Some((text, bounds)) = said {
                builder.open(NewWidget { text, bounds, flags: Flags::CLICKABLE, ..NewWidget::default() });
            }
            let likeness = Likeness::of(&builder.finish());
            let told = likeness.is_same_page(&drawn(360, 640, &[differs]), &drawn(360, 640, &[]));
            assert_eq!(told, expected, "{what}");
        }
    }
}
