//! Which areas of a screenshot have content, and which are plain.

use image::RgbaImage;

use droidmux_gui::Bounds;
use droidmux_words::number::real;

/// The side, in pixels, of the squares that are distinguished.
const SQUARE: u32 = 4;

/// The difference in brightness between neighbouring squares that counts as content.
const EDGE: u32 = 12;

/// For each square, how many squares above and to the left of it have content.
pub(super) struct Busyness {
    columns: usize,
    rows: usize,
    sums: Vec<u32>,
}

impl Busyness {
    pub(super) fn of(image: &RgbaImage) -> Self {
        let (across, down) = (image.width() / SQUARE, image.height() / SQUARE);
        let light = |x: u32, y: u32| {
            let pixel = image.get_pixel_checked((x * SQUARE).min(image.width() - 1), y * SQUARE);
            pixel.map_or(0, |pixel| (pixel.0.iter().take(3)).map(|byte| u32::from(*byte)).sum::<u32>() / 3)
        };
        let (columns, rows) = (across as usize + 1, down as usize + 1);
        let mut sums = vec![0; columns * rows];
        let mut above: Vec<u32> = (0..across).map(|x| light(x, 0)).collect();
        for y in 0..down {
            let (mut left, mut run) = (light(0, y), 0);
            for (x, above) in (0..across).zip(&mut above) {
                let here = light(x, y);
                run += u32::from(here.abs_diff(left) > EDGE || here.abs_diff(*above) > EDGE);
                let at = (y as usize + 1) * columns + x as usize + 1;
                let upper = sums.get(at - columns).copied().unwrap_or(0);
                if let Some(sum) = sums.get_mut(at) {
                    *sum = upper + run;
                }
                (left, *above) = (here, here);
            }
        }
        Self { columns, rows, sums }
    }

    /// The share of this area, 0 to 1, that has content.
    pub(super) fn share(&self, area: Bounds) -> f64 {
        let side = |n: i32, most: usize| (usize::try_from(n).unwrap_or(0) / SQUARE as usize).min(most - 1);
        let (left, right) = (side(area.left, self.columns), side(area.right, self.columns));
        let (top, bottom) = (side(area.top, self.rows), side(area.bottom, self.rows));
        let sum = |x: usize, y: usize| f64::from(self.sums.get(y * self.columns + x).copied().unwrap_or(0));
        let squares = (right.saturating_sub(left) * bottom.saturating_sub(top)).max(1);
        (sum(right, bottom) - sum(left, bottom) - sum(right, top) + sum(left, top)) / real(squares)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_paint::{Canvas, Color};

    #[test]
    fn plain_areas_show_nothing() {
        let mut canvas = Canvas::new(400, 400, Color::WHITE);
        for x in (200..400).step_by(8) {
            canvas.fill(Bounds::new(x, 200, x + 4, 400), Color::INK);
        }
        let busy = Busyness::of(canvas.image());
        assert_eq!(busy.share(Bounds::new(0, 0, 180, 400)), 0.0);
        assert!(busy.share(Bounds::new(220, 220, 380, 380)) > 0.9);
        for absurd in [Bounds::new(-9, -9, -1, -1), Bounds::new(9, 9, 3, 3), Bounds::new(0, 0, i32::MAX, 1)] {
            assert!((0.0..=1.0).contains(&busy.share(absurd)), "{absurd}");
        }
        Busyness::of(Canvas::new(1, 1, Color::INK).image()).share(Bounds::new(0, 0, 1, 1));
    }
}
