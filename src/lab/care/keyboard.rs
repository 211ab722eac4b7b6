//! A keyboard in the way of the next touch.

use droidmux_device::Gesture;
use droidmux_gui::{Layout, Point};

/// The part of the screen, in percent from the bottom, that every keyboard covers. If an app makes room for the
/// keyboard, none of its widgets are there; if it does not, they lie beneath it.
const COVERED: i64 = 30;

/// Whether a gesture on a screen with the keyboard up would hit the keyboard.
pub(crate) fn is_in_the_way(layout: &Layout, gesture: &Gesture) -> bool {
    match gesture {
        Gesture::Tap(point) | Gesture::LongPress(point) | Gesture::Type(point, _) => covers(layout, *point),
        _ => false,
    }
}

fn covers(layout: &Layout, point: Point) -> bool {
    let bottom = layout.widgets().map(|widget| widget.bounds().bottom).max().unwrap_or_default();
    let (bottom, y) = (i64::from(bottom), i64::from(point.y));
    bottom > 0 && y > bottom - bottom * COVERED / 100
}
