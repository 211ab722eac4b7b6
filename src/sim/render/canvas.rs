//! Drawing on a picture: rectangles, discs, lines and text.

use image::RgbaImage;

use super::font::glyph;
use crate::gui::Bounds;
use crate::sim::toolkit::{CELL, Color, columns};

/// A picture being drawn. Whatever lies outside it or outside `clip` is dropped.
pub(super) struct Canvas {
    image: RgbaImage,
    clip: Bounds,
}

impl Canvas {
    /// A black picture, at most 8,192 pixels a side.
    pub(super) fn new(width: i32, height: i32) -> Self {
        let side = |length: i32| u32::try_from(length.clamp(1, 8192)).unwrap_or(1);
        let image = RgbaImage::from_pixel(side(width), side(height), image::Rgba([0, 0, 0, 255]));
        Self { image, clip: Bounds::new(0, 0, width.clamp(1, 8192), height.clamp(1, 8192)) }
    }

    pub(super) fn finish(self) -> RgbaImage {
        self.image
    }

    /// Draws only inside these bounds from now on.
    pub(super) fn clip(&mut self, clip: Bounds) {
        let side = |length: u32| i32::try_from(length).unwrap_or(0);
        let (width, height) = (side(self.image.width()), side(self.image.height()));
        self.clip =
            Bounds::new(clip.left.max(0), clip.top.max(0), clip.right.min(width), clip.bottom.min(height));
    }

    pub(super) fn unclip(&mut self) {
        self.clip(Bounds::new(0, 0, i32::MAX, i32::MAX));
    }

    pub(super) fn fill(&mut self, area: Bounds, color: Color) {
        for y in area.top.max(self.clip.top)..area.bottom.min(self.clip.bottom) {
            self.run(y, area.left, area.right, color);
        }
    }

    /// A rectangle with round corners.
    pub(super) fn rounded(&mut self, area: Bounds, radius: i32, color: Color) {
        let radius = radius.min(area.width() / 2).min(area.height() / 2).max(0);
        for y in area.top.max(self.clip.top)..area.bottom.min(self.clip.bottom) {
            let from_edge = (y - area.top).min(area.bottom - 1 - y);
            let cut = if from_edge < radius { radius - half_chord(radius, radius - from_edge) } else { 0 };
            self.run(y, area.left + cut, area.right - cut, color);
        }
    }

    pub(super) fn disc(&mut self, x: i32, y: i32, radius: i32, color: Color) {
        self.rounded(Bounds::new(x - radius, y - radius, x + radius, y + radius), radius, color);
    }

    pub(super) fn ring(&mut self, x: i32, y: i32, radius: i32, thick: i32, color: Color) {
        let inner = (radius - thick).max(0);
        for dy in -radius..radius {
            let (outer, hole) = (half_chord(radius, dy), half_chord(inner, dy));
            self.run(y + dy, x - outer, x - hole, color);
            self.run(y + dy, x + hole, x + outer, color);
        }
    }

    /// The outline of a rectangle.
    pub(super) fn outline(&mut self, area: Bounds, thick: i32, color: Color) {
        let Bounds { left, top, right, bottom } = area;
        self.fill(Bounds::new(left, top, right, top + thick), color);
        self.fill(Bounds::new(left, bottom - thick, right, bottom), color);
        self.fill(Bounds::new(left, top, left + thick, bottom), color);
        self.fill(Bounds::new(right - thick, top, right, bottom), color);
    }

    /// A line this thick, with round ends.
    pub(super) fn line(&mut self, from: (i32, i32), to: (i32, i32), thick: i32, color: Color) {
        let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).clamp(1, 8192);
        let radius = (thick / 2).max(1);
        for step in (0..=steps).step_by(usize::try_from(radius).unwrap_or(1)) {
            let at = |a: i32, b: i32| a + (b - a) * step / steps;
            self.disc(at(from.0, to.0), at(from.1, to.1), radius, color);
        }
    }

    /// One line of text with dots of this side, cut with an ellipsis after `room` pixels.
    pub(super) fn text(&mut self, at: (i32, i32), text: &str, dot: i32, room: i32, color: Color) {
        let room = usize::try_from(room / (CELL.0 * dot).max(1)).unwrap_or(0);
        let cut = columns(text) > room;
        let mut x = at.0;
        let mut used = 0;
        for char in text.chars() {
            let width = columns(char.encode_utf8(&mut [0; 4]));
            if used + width + usize::from(cut) > room {
                break;
            }
            self.glyph((x, at.1), char, dot, color);
            used += width;
            x += i32::try_from(width).unwrap_or(0) * CELL.0 * dot;
        }
        if cut && room > 0 {
            self.glyph((x, at.1), '…', dot, color);
        }
    }

    /// Darkens the whole picture, as Android does behind a dialog.
    pub(super) fn dim(&mut self) {
        let image: &mut [u8] = &mut self.image;
        for (n, byte) in image.iter_mut().enumerate() {
            if n % 4 != 3 {
                *byte = *byte / 5 * 2;
            }
        }
    }

    fn glyph(&mut self, at: (i32, i32), char: char, dot: i32, color: Color) {
        let (mut top, glyph) = (at.1, glyph(char));
        for row in glyph {
            for column in 0..5 {
                if row & (0x10 >> column) != 0 {
                    let left = at.0 + column * dot;
                    self.fill(Bounds::new(left, top, left + dot, top + dot), color);
                }
            }
            top += dot;
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

/// Half the width of a circle at this height above its middle.
fn half_chord(radius: i32, height: i32) -> i32 {
    (radius * radius - height * height).max(0).isqrt()
}
