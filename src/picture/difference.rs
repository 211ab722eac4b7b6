//! Where two screenshots of one screen differ.

use image::RgbaImage;

use super::{PictureError, Source, shot};
use droidmux_gui::Bounds;
use droidmux_record::BlobHash;

/// The side, in pixels, of the squares that are compared.
const SQUARE: u32 = 16;

/// A colour may differ by this much, of 255: what compression and half a frame of a ripple leave.
const TOLERANCE: u8 = 24;

/// The most areas that are told apart; what differs beyond that is one area.
const MOST: usize = 20;

/// The areas in which two screenshots differ, from the top down; none when they show the same. Squares that touch are
/// one area.
///
/// # Errors
/// When one of them is missing, or cannot be read.
pub fn difference(
    earlier: BlobHash,
    later: BlobHash,
    source: &dyn Source,
) -> Result<Vec<Bounds>, PictureError> {
    if earlier == later {
        return Ok(Vec::new());
    }
    let read = |hash| {
        let bytes = source.screenshot(hash).ok_or(PictureError::NoScreenshot(hash))?;
        shot::decoded(hash, &bytes)
    };
    Ok(areas(&read(earlier)?, &read(later)?))
}

fn areas(a: &RgbaImage, b: &RgbaImage) -> Vec<Bounds> {
    let side = |length: u32| i32::try_from(length).unwrap_or(i32::MAX);
    if a.dimensions() != b.dimensions() {
        return vec![Bounds::new(0, 0, side(b.width()), side(b.height()))];
    }
    let mut areas: Vec<Bounds> = Vec::new();
    for top in (0..a.height()).step_by(SQUARE as usize) {
        for left in (0..a.width()).step_by(SQUARE as usize) {
            let (right, bottom) = ((left + SQUARE).min(a.width()), (top + SQUARE).min(a.height()));
            if (top..bottom).any(|y| (left..right).any(|x| differs(a, b, x, y))) {
                add(&mut areas, Bounds::new(side(left), side(top), side(right), side(bottom)));
            }
        }
    }
    areas.sort_unstable_by_key(|area| (area.top, area.left));
    areas
}

fn differs(a: &RgbaImage, b: &RgbaImage, x: u32, y: u32) -> bool {
    let (Some(a), Some(b)) = (a.get_pixel_checked(x, y), b.get_pixel_checked(x, y)) else { return false };
    a.0.iter().zip(b.0).take(3).any(|(a, b)| a.abs_diff(b) > TOLERANCE)
}

/// Puts a square to the areas that it touches, which become one.
fn add(areas: &mut Vec<Bounds>, square: Bounds) {
    let around = |a: Bounds, b: Bounds| {
        Bounds::new(a.left.min(b.left), a.top.min(b.top), a.right.max(b.right), a.bottom.max(b.bottom))
    };
    let touches = |area: &Bounds| {
        area.left <= square.right
            && square.left <= area.right
            && area.top <= square.bottom
            && square.top <= area.bottom
    };
    let mut whole = square;
    areas.retain(|area| {
        let one = touches(area);
        if one {
            whole = around(whole, *area);
        }
        !one
    });
    let full = areas.len() >= MOST;
    match areas.last_mut().filter(|_| full) {
        Some(last) => *last = around(*last, whole),
        None => areas.push(whole),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_paint::{Canvas, Color};

    #[test]
    fn areas_are_where_something_is_drawn_otherwise() {
        let drawn = |marks: &[(Bounds, Color)]| {
            let mut canvas = Canvas::new(200, 400, Color::WHITE);
            marks.iter().for_each(|(area, color)| canvas.fill(*area, *color));
            canvas.finish()
        };
        let (one, two) = (Bounds::new(20, 20, 40, 40), Bounds::new(100, 300, 150, 320));
        let plain = drawn(&[]);
        for (what, a, b, expected) in [
            ("the same", &plain, plain.clone(), vec![]),
            ("one", &plain, drawn(&[(one, Color::INK)]), vec![Bounds::new(16, 16, 48, 48)]),
            (
                "two",
                &plain,
                drawn(&[(one, Color::INK), (two, Color::INK)]),
                vec![Bounds::new(16, 16, 48, 48), Bounds::new(96, 288, 160, 320)],
            ),
            ("hardly", &plain, drawn(&[(one, Color(240, 240, 240))]), vec![]),
            ("of another size", &plain, RgbaImage::new(10, 10), vec![Bounds::new(0, 0, 10, 10)]),
        ] {
            assert_eq!(areas(a, &b), expected, "{what}");
        }
    }
}
