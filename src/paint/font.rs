//! Text: how wide it is, and the pixels of its characters.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, GlyphId, PxScale, ScaleFont, point};
use unicode_width::UnicodeWidthChar;

use droidmux_words::number::pixel;

/// The fonts, in the order in which they are searched for a character: letters, then emoji.
static FONTS: LazyLock<Vec<FontRef<'static>>> = LazyLock::new(|| {
    let files = [epaint_default_fonts::UBUNTU_LIGHT, epaint_default_fonts::NOTO_EMOJI_REGULAR];
    files.into_iter().filter_map(|file| FontRef::try_from_slice(file).ok()).collect()
});

/// The height of capital letters and digits as a share of the size.
const CAPITAL: f32 = 0.69;

/// Size and weight of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// Pixels of the em square, 1 to 512.
    pub size: u16,
    /// Strokes twice as wide: 1/16 of the size instead of 1/32.
    pub bold: bool,
}

/// A drawn character: how much of each pixel it covers, row by row.
#[derive(Debug, Default)]
pub(super) struct Glyph {
    /// The position of the first pixel relative to the start of the character on its baseline.
    pub left: i32,
    pub top: i32,
    pub width: usize,
    pub coverage: Vec<u8>,
}

/// Cache of drawn characters.
#[derive(Default)]
pub(super) struct Glyphs(HashMap<(char, Type), Rc<Glyph>>);

impl Type {
    /// With thin strokes; sizes out of range are clamped.
    pub fn plain(size: i32) -> Self {
        Self { size: u16::try_from(size.clamp(1, 512)).unwrap_or(1), bold: false }
    }

    /// With wide strokes; sizes as in [`Type::plain`].
    pub fn bold(size: i32) -> Self {
        Self { bold: true, ..Self::plain(size) }
    }

    /// The smallest type whose digits are this many pixels high.
    pub fn of_digits(height: i32, bold: bool) -> Self {
        let height = f32::from(u16::try_from(height.clamp(1, 512)).unwrap_or(1));
        Self { bold, ..Self::plain(whole((height / CAPITAL).ceil())) }
    }

    /// The height of capital letters and digits in pixels.
    pub fn cap_height(self) -> i32 {
        whole(f32::from(self.size) * CAPITAL)
    }

    /// How far a character moves the next one.
    pub(super) fn advance(self, char: char) -> f32 {
        if is_unseen(char) {
            return 0.0;
        }
        let size = f32::from(self.size);
        match source(char) {
            Some((font, id)) => font.as_scaled(scale(font, size)).h_advance(id) + f32::from(self.stroke()),
            None => size * 0.6,
        }
    }

    /// By how many pixels strokes are widened: the font is a light one.
    fn stroke(self) -> u16 {
        self.size / if self.bold { 16 } else { 32 }
    }
}

/// The height of a line of text in pixels.
pub fn text_width(text: &str, kind: Type) -> i32 {
    whole(text.chars().map(|char| kind.advance(char)).sum::<f32>().ceil())
}

/// The nearest whole number, clamped to `i32`.
pub(super) fn whole(number: f32) -> i32 {
    pixel(f64::from(number))
}

impl Glyphs {
    /// A character's pixels; a box for one that no font has.
    pub(super) fn glyph(&mut self, char: char, kind: Type) -> Rc<Glyph> {
        self.0.entry((char, kind)).or_insert_with(|| Rc::new(Glyph::drawn(char, kind))).clone()
    }
}

impl Glyph {
    fn drawn(char: char, kind: Type) -> Self {
        if is_unseen(char) || char.is_whitespace() {
            return Self::default();
        }
        let Some((font, id)) = source(char) else { return Self::unknown(kind) };
        let glyph = id.with_scale_and_position(scale(font, f32::from(kind.size)), point(0.0, 0.0));
        let Some(outline) = font.outline_glyph(glyph) else { return Self::default() };
        let bounds = outline.px_bounds();
        let stroke = usize::from(kind.stroke());
        let length = |length: f32| usize::try_from(whole(length)).unwrap_or(0).min(2_048);
        let (width, height) = (length(bounds.width()) + stroke, length(bounds.height()));
        let mut coverage = vec![0u8; width * height];
        outline.draw(|x, y, share| {
            let share = u8::try_from(whole((share.clamp(0.0, 1.0) * 255.0).floor())).unwrap_or(u8::MAX);
            let start = y as usize * width + x as usize;
            let Some(run) = coverage.get_mut(start..=start + stroke) else { return };
            run.iter_mut().for_each(|pixel| *pixel = share.max(*pixel));
        });
        Self { left: whole(bounds.min.x), top: whole(bounds.min.y), width, coverage }
    }

    fn unknown(kind: Type) -> Self {
        let (width, height) = (usize::from(kind.size) / 2, usize::try_from(kind.cap_height()).unwrap_or(0));
        let thick = (width / 10).max(1);
        let edge = |at: usize, length: usize| at < thick || at + thick >= length;
        let pixel = |n: usize| {
            let (x, y) = (n % width.max(1), n / width.max(1));
            if edge(x, width) || edge(y, height) { u8::MAX } else { 0 }
        };
        Self { left: 1, top: -kind.cap_height(), width, coverage: (0..width * height).map(pixel).collect() }
    }
}

/// Controls, combining marks and the like: they take no room of their own here.
fn is_unseen(char: char) -> bool {
    char.width().unwrap_or(0) == 0
}

/// The first font that has this character.
fn source(char: char) -> Option<(&'static FontRef<'static>, GlyphId)> {
    let found = FONTS.iter().map(|font| (font, font.glyph_id(char)));
    found.into_iter().find(|(_, id)| id.0 != 0)
}

/// The scale at which the em square has this many pixels.
fn scale(font: &FontRef<'_>, size: f32) -> PxScale {
    let em = font.units_per_em().unwrap_or(1_000.0);
    PxScale::from(size * font.height_unscaled() / em)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_have_pictures_of_their_own() {
        let mut glyphs = Glyphs::default();
        let kind = Type::plain(32);
        let shown: Vec<char> = ('!'..='~').chain("äßЖλ…’“•😀".chars()).collect();
        let drawn: Vec<Vec<u8>> =
            shown.iter().map(|char| glyphs.glyph(*char, kind).coverage.clone()).collect();
        let unknown = Glyph::unknown(kind).coverage;
        for (n, one) in drawn.iter().enumerate() {
            assert_ne!(*one, unknown, "{:?} is in no font", shown[n]);
            assert!(one.iter().any(|share| *share > 0), "{:?} is blank", shown[n]);
            assert!(!drawn[..n].contains(one), "{:?} looks like another", shown[n]);
        }
        assert_eq!(glyphs.glyph('語', kind).coverage, unknown);
    }

    #[test]
    fn sizes_are_what_they_say() {
        for height in [1, 8, 12, 19, 40, 200] {
            let kind = Type::of_digits(height, true);
            let eight = Glyph::drawn('8', kind);
            let drawn = eight.coverage.len() / eight.width.max(1);
            let height = usize::try_from(height).expect("a height");
            assert!((height..=height + 2 + height / 10).contains(&drawn), "{height}: {drawn}");
        }
        let cases = [("", 0), ("\u{301}\u{200b}\u{7}", 0)];
        for (text, width) in cases {
            assert_eq!(text_width(text, Type::plain(20)), width, "{text:?}");
        }
        assert!(text_width("wider", Type::plain(20)) > text_width("wide", Type::plain(20)));
        assert!(text_width("bold", Type::bold(20)) > text_width("bold", Type::plain(20)));
    }
}
