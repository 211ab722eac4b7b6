//! Drawing on a picture: rectangles, discs, lines and text.

use image::RgbaImage;

use super::Color;
use super::font::{Glyphs, Type, text_width};
use droidmux_gui::Bounds;

/// The largest side of an image, in pixels.
pub const MAX_SIDE: u32 = 8_192;

/// A picture being drawn. Whatever lies outside it or outside `clip` is dropped.
pub struct Canvas {
    image: RgbaImage,
    clip: Bounds,
    glyphs: Glyphs,
}

impl Canvas {
    /// One colour all over, at most [`MAX_SIDE`] pixels per side.
    pub fn new(width: i32, height: i32, color: Color) -> Self {
        Self::within(Vec::new(), width, height, color)
    }

    /// The same in memory that there is already, whatever is in it.
    pub fn within(mut memory: Vec<u8>, width: i32, height: i32, color: Color) -> Self {
        let side = |length: i32| u32::try_from(length).unwrap_or(1).clamp(1, MAX_SIDE);
        let (width, height) = (side(width), side(height));
        let length = u64::from(width) * u64::from(height) * 4;
        memory.resize(usize::try_from(length).unwrap_or(0), 0);
        let image = RgbaImage::from_raw(width, height, memory);
        let mut canvas = Self::on(image.unwrap_or_else(|| RgbaImage::new(width, height)));
        canvas.fill(canvas.bounds(), color);
        canvas
    }

    /// Draws on this image.
    pub fn on(image: RgbaImage) -> Self {
        let mut canvas = Self { image, clip: Bounds::default(), glyphs: Glyphs::default() };
        canvas.unclip();
        canvas
    }

    /// All of the image.
    pub fn bounds(&self) -> Bounds {
        let side = |length: u32| i32::try_from(length).unwrap_or(i32::MAX);
        Bounds::new(0, 0, side(self.image.width()), side(self.image.height()))
    }

    /// The image as drawn so far.
    pub fn image(&self) -> &RgbaImage {
        &self.image
    }

    /// The image, once everything has been drawn.
    pub fn finish(self) -> RgbaImage {
        self.image
    }

    /// Draws only inside these bounds from now on.
    pub fn clip(&mut self, clip: Bounds) {
        self.clip = clip.intersection(self.bounds());
    }

    /// Draws on all of the image again.
    pub fn unclip(&mut self) {
        self.clip = self.bounds();
    }

    /// Paints over an area, as far as it lies within the clip.
    pub fn fill(&mut self, area: Bounds, color: Color) {
        for y in area.top.max(self.clip.top)..area.bottom.min(self.clip.bottom) {
            self.run(y, area.left, area.right, color);
        }
    }

    /// A rectangle with rounded corners.
    pub fn rounded(&mut self, area: Bounds, radius: i32, color: Color) {
        let radius = radius.min(area.width() / 2).min(area.height() / 2).max(0);
        for y in area.top.max(self.clip.top)..area.bottom.min(self.clip.bottom) {
            let from_edge = (y - area.top).min(area.bottom - 1 - y);
            let cut = if from_edge < radius { radius - half_chord(radius, radius - from_edge) } else { 0 };
            self.run(y, area.left + cut, area.right - cut, color);
        }
    }

    /// A filled circle around a point, in pixels.
    pub fn disc(&mut self, x: i32, y: i32, radius: i32, color: Color) {
        self.rounded(Bounds::new(x - radius, y - radius, x + radius, y + radius), radius, color);
    }

    /// A circular line around a point, `thick` pixels wide, from `radius` inwards.
    pub fn ring(&mut self, x: i32, y: i32, radius: i32, thick: i32, color: Color) {
        let inner = (radius - thick).max(0);
        for dy in -radius..radius {
            let (outer, hole) = (half_chord(radius, dy), half_chord(inner, dy));
            self.run(y + dy, x - outer, x - hole, color);
            self.run(y + dy, x + hole, x + outer, color);
        }
    }

    /// The outline of a rectangle.
    pub fn outline(&mut self, area: Bounds, thick: i32, color: Color) {
        let Bounds { left, top, right, bottom } = area;
        self.fill(Bounds::new(left, top, right, top + thick), color);
        self.fill(Bounds::new(left, bottom - thick, right, bottom), color);
        self.fill(Bounds::new(left, top, left + thick, bottom), color);
        self.fill(Bounds::new(right - thick, top, right, bottom), color);
    }

    /// A line this thick, with round ends.
    pub fn line(&mut self, from: (i32, i32), to: (i32, i32), thick: i32, color: Color) {
        let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).clamp(1, 8192);
        let radius = (thick / 2).max(1);
        for step in (0..=steps).step_by(usize::try_from(radius).unwrap_or(1)) {
            let at = |a: i32, b: i32| a + (b - a) * step / steps;
            self.disc(at(from.0, to.0), at(from.1, to.1), radius, color);
        }
    }

    /// The interior of a closed line through these points.
    pub fn polygon(&mut self, corners: &[(i32, i32)], color: Color) {
        let rows = || corners.iter().map(|corner| corner.1);
        let (Some(top), Some(bottom)) = (rows().min(), rows().max()) else { return };
        let edges = || corners.iter().zip(corners.iter().skip(1).chain(corners.first()));
        for y in top.max(self.clip.top)..bottom.min(self.clip.bottom) {
            let crossed = edges().filter(|(a, b)| (a.1 <= y) != (b.1 <= y));
            let cross = |(a, b): (&(i32, i32), &(i32, i32))| a.0 + (b.0 - a.0) * (y - a.1) / (b.1 - a.1);
            let mut crossings: Vec<i32> = crossed.map(cross).collect();
            crossings.sort_unstable();
            for [from, to] in crossings.as_chunks::<2>().0 {
                self.run(y, *from, *to + 1, color);
            }
        }
    }

    /// One line of text starting at this point of its baseline, cut with an ellipsis after `room` pixels.
    pub fn text(&mut self, at: (i32, i32), text: &str, kind: Type, room: i32, color: Color) {
        let fits = text_width(text, kind) <= room;
        let room = if fits { room } else { room - text_width("…", kind) };
        let mut x = 0.0;
        for char in text.chars() {
            let advance = kind.advance(char);
            if !fits && f64::from(x + advance) > f64::from(room) {
                break;
            }
            self.glyph(at, x, char, kind, color);
            x += advance;
        }
        if !fits && room >= 0 {
            self.glyph(at, x, '…', kind, color);
        }
    }

    /// One line of text centred in an area.
    pub fn centered(&mut self, area: Bounds, text: &str, kind: Type, color: Color) {
        let (width, middle) = (text_width(text, kind), area.center());
        let left = (middle.x - width / 2).max(area.left);
        self.text((left, middle.y + kind.cap_height() / 2), text, kind, area.right - left, color);
    }

    /// Draws another picture on top of this one, with its top left corner at this point.
    pub fn place(&mut self, other: &RgbaImage, at: (i32, i32)) {
        image::imageops::replace(&mut self.image, other, i64::from(at.0), i64::from(at.1));
    }

    /// Darkens the whole picture to three eighths, about as Android does behind a dialog.
    pub fn dim(&mut self) {
        const QUARTERS: u64 = 0x3f3f_3f3f_3f3f_3f3f;
        const EIGHTHS: u64 = 0x1f1f_1f1f_1f1f_1f1f;
        const OPAQUE: u64 = 0xff00_0000_ff00_0000;
        let image: &mut [u8] = &mut self.image;
        // Two pixels at a time; of an odd number the last one stays as it is.
        for pixels in image.as_chunks_mut::<8>().0 {
            let bright = u64::from_le_bytes(*pixels);
            let dark = ((bright >> 2) & QUARTERS) + ((bright >> 3) & EIGHTHS);
            *pixels = (dark | OPAQUE).to_le_bytes();
        }
    }

    fn glyph(&mut self, (left, base): (i32, i32), x: f32, char: char, kind: Type, color: Color) {
        let glyph = self.glyphs.glyph(char, kind);
        let left = left.saturating_add(super::font::whole(x));
        for (n, row) in (0..).zip(glyph.coverage.chunks(glyph.width.max(1))) {
            let y = base.saturating_add(glyph.top).saturating_add(n);
            if !(self.clip.top..self.clip.bottom).contains(&y) {
                continue;
            }
            for (x, &share) in (left.saturating_add(glyph.left)..).zip(row) {
                if share > 0 && (self.clip.left..self.clip.right).contains(&x) {
                    blend(&mut self.image, x, y, color, share);
                }
            }
        }
    }

    /// Colours the pixels of a row from `left` up to `right`.
    fn run(&mut self, y: i32, left: i32, right: i32, color: Color) {
        let (left, right) = (left.max(self.clip.left), right.min(self.clip.right));
        if left >= right || !(self.clip.top..self.clip.bottom).contains(&y) {
            return;
        }
        let width = i64::from(self.image.width());
        let at = |x: i32| usize::try_from((i64::from(y) * width + i64::from(x)) * 4).unwrap_or(usize::MAX);
        let (start, end) = (at(left), at(right));
        let bytes: &mut [u8] = &mut self.image;
        let Some(run) = bytes.get_mut(start..end) else { return };
        let Color(r, g, b) = color;
        // Each copy doubles what is coloured: far quicker than pixel by pixel.
        let Some(first) = run.get_mut(..4) else { return };
        first.copy_from_slice(&[r, g, b, 255]);
        let mut done = 4;
        while done < run.len() {
            let next = done.min(run.len() - done);
            let (coloured, rest) = run.split_at_mut(done);
            if let (Some(to), Some(from)) = (rest.get_mut(..next), coloured.get(..next)) {
                to.copy_from_slice(from);
            }
            done += next;
        }
    }
}

/// Covers part of a pixel: 255 means all of it.
fn blend(image: &mut RgbaImage, x: i32, y: i32, color: Color, share: u8) {
    let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { return };
    let Some(image::Rgba([r, g, b, _])) = image.get_pixel_mut_checked(x, y) else { return };
    let mix = |under: &mut u8, over: u8| {
        let sum = u16::from(*under) * u16::from(u8::MAX - share) + u16::from(over) * u16::from(share);
        *under = u8::try_from(sum / u16::from(u8::MAX)).unwrap_or(u8::MAX);
    };
    mix(r, color.0);
    mix(g, color.1);
    mix(b, color.2);
}

/// Half the width of a circle at this height above its middle.
fn half_chord(radius: i32, height: i32) -> i32 {
    (radius * radius - height * height).max(0).isqrt()
}
