//! Boxes on a screenshot: what can be operated, what was acted on, what is selected.

use image::{Rgba, RgbaImage};

use droidmux_gui::Bounds;

/// Widgets that can be operated.
const OPERABLE: Rgba<u8> = Rgba([64, 160, 255, 255]);
/// The widget that the step acts on, light and dark side by side, so that it shows on any screen.
const ACTED: Rgba<u8> = Rgba([255, 208, 0, 255]);
const ACTED_EDGE: Rgba<u8> = Rgba([32, 24, 0, 255]);
/// The selected widget.
const SELECTED: Rgba<u8> = Rgba([255, 64, 96, 255]);

/// What is boxed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Boxes {
    pub operable: Vec<Bounds>,
    pub acted: Option<Bounds>,
    pub selected: Option<Bounds>,
}

impl Boxes {
    /// Draws all of them, the most telling on top.
    pub fn draw(&self, image: &mut RgbaImage) {
        let (width, height) = image.dimensions();
        // Thick enough to survive scaling down.
        let thick = (width.max(height) / 120).max(2);
        for bounds in &self.operable {
            frame(image, *bounds, 0, (thick / 2).max(1), OPERABLE);
        }
        if let Some(bounds) = self.acted {
            frame(image, bounds, 0, thick * 2, ACTED_EDGE);
            frame(image, bounds, thick / 2, thick, ACTED);
            cross(image, bounds, thick);
        }
        if let Some(bounds) = self.selected {
            frame(image, bounds, 0, thick, SELECTED);
        }
    }
}

/// A frame inside the bounds, this far from their edge and this thick.
fn frame(image: &mut RgbaImage, bounds: Bounds, inset: u32, thick: u32, colour: Rgba<u8>) {
    let (left, right, top, bottom) = clamped(image, bounds);
    let (left, right) = (left.saturating_add(inset), right.saturating_sub(inset));
    let (top, bottom) = (top.saturating_add(inset), bottom.saturating_sub(inset));
    for y in top..bottom {
        let is_edge_row = y < top + thick || y + thick >= bottom;
        let mut x = left;
        while x < right {
            if !is_edge_row && x >= left + thick && x + thick < right {
                // Nothing to paint up to the right edge.
                x = right - thick;
            }
            image.put_pixel(x, y, colour);
            x += 1;
        }
    }
}

/// A cross where a finger would touch.
fn cross(image: &mut RgbaImage, bounds: Bounds, thick: u32) {
    let (left, right, top, bottom) = clamped(image, bounds);
    let (x, y) = (left.midpoint(right), top.midpoint(bottom));
    let arm = thick * 4;
    let (width, height) = image.dimensions();
    let half = thick.div_ceil(2);
    for (reach_x, reach_y) in [(arm, half), (half, arm)] {
        for y in y.saturating_sub(reach_y).max(top)..(y + reach_y).min(bottom).min(height) {
            for x in x.saturating_sub(reach_x).max(left)..(x + reach_x).min(right).min(width) {
                image.put_pixel(x, y, ACTED);
            }
        }
    }
}

/// Left, right, top and bottom inside the image.
fn clamped(image: &RgbaImage, bounds: Bounds) -> (u32, u32, u32, u32) {
    let (width, height) = image.dimensions();
    let clamp = |value: i32, most: u32| u32::try_from(value).unwrap_or(0).min(most);
    let (left, right) = (clamp(bounds.left, width), clamp(bounds.right, width));
    (left, right, clamp(bounds.top, height), clamp(bounds.bottom, height))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BACKGROUND: Rgba<u8> = Rgba([0, 0, 0, 255]);

    fn drawn(boxes: &Boxes) -> RgbaImage {
        let mut image = RgbaImage::from_pixel(100, 200, BACKGROUND);
        boxes.draw(&mut image);
        image
    }

    #[test]
    fn boxes_stay_inside_the_image() {
        let cases = [
            Bounds::new(10, 10, 50, 50),
            Bounds::new(-100, -100, 20_000, 20_000),
            Bounds::new(90, 90, 20, 20),
            Bounds::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX),
            Bounds::new(99, 199, 100, 200),
        ];
        for bounds in cases {
            let all = Boxes { operable: vec![bounds], acted: Some(bounds), selected: Some(bounds) };
            let boxed = drawn(&all).pixels().any(|pixel| *pixel != BACKGROUND);
            assert_eq!(boxed, !bounds.is_empty(), "{bounds}");
        }
    }

    #[test]
    fn each_kind_of_box_is_told_from_the_others() {
        let boxes = Boxes {
            operable: vec![Bounds::new(0, 0, 30, 30)],
            acted: Some(Bounds::new(40, 40, 90, 90)),
            selected: Some(Bounds::new(10, 120, 90, 190)),
        };
        let image = drawn(&boxes);
        for (x, y, colour) in [
            (0, 0, OPERABLE),
            (15, 15, BACKGROUND),
            (40, 40, ACTED_EDGE),
            (65, 65, ACTED),
            (10, 120, SELECTED),
            (50, 150, BACKGROUND),
        ] {
            assert_eq!(*image.get_pixel(x, y), colour, "at {x}, {y}");
        }
    }
}
