//! Gestures as commands of the `input` tool.

use super::place::Input;
use crate::{Gesture, Key};
use droidmux_gui::{Bounds, Direction, Point};

/// Longer than any device's long-press timeout (400 to 1,000 ms depending on the accessibility setting, and 500 by
/// default).
const LONG_PRESS_MS: u32 = 1_200;

/// Slow enough not to fling: the content stops where the finger does.
const SWIPE_MS: u32 = 700;

/// The command for a gesture that needs no knowledge of the device; `None` for the others.
pub(super) fn simple(gesture: &Gesture, input: Input) -> Option<String> {
    Some(match stroke(gesture)? {
        Stroke::Tap(at) => tap(input, at),
        Stroke::Press(Point { x, y }, ms) => format!("{input} swipe {x} {y} {x} {y} {ms}"),
        Stroke::Drag(from, to, ms) => format!("{input} swipe {} {} {} {} {ms}", from.x, from.y, to.x, to.y),
        Stroke::Key(key) => format!("{input} keyevent {}", key_code(key)),
    })
}

/// A gesture as a finger makes it, for those that need no knowledge of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stroke {
    Tap(Point),
    /// For this many milliseconds.
    Press(Point, u32),
    /// For this many milliseconds.
    Drag(Point, Point, u32),
    Key(Key),
}

/// What a finger does for such a gesture.
pub(super) fn stroke(gesture: &Gesture) -> Option<Stroke> {
    match gesture {
        Gesture::Tap(at) => Some(Stroke::Tap(*at)),
        Gesture::LongPress(at) => Some(Stroke::Press(*at, LONG_PRESS_MS)),
        Gesture::Swipe(inside, direction) => {
            let (from, to) = ends(*inside, *direction);
            Some(Stroke::Drag(from, to, SWIPE_MS))
        }
        Gesture::Key(key) => Some(Stroke::Key(*key)),
        Gesture::Set(..)
        | Gesture::Kill(_)
        | Gesture::Power(_)
        | Gesture::Relaunch(_)
        | Gesture::Type(..)
        | Gesture::Rotate
        | Gesture::Launch(_)
        | Gesture::Wait(_) => None,
    }
}

pub(super) fn tap(input: Input, at: Point) -> String {
    format!("{input} tap {} {}", at.x, at.y)
}

/// A drag from four fifths of the way to one fifth: the finger moves against the direction in which content is wanted,
/// and stays away from the edges, where systems have their own gestures.
fn ends(inside: Bounds, direction: Direction) -> (Point, Point) {
    let Point { x, y } = inside.center();
    let across = |low: i32, size: i32, fifths: i32| low.saturating_add(size / 5 * fifths);
    let along_x = |fifths| Point { x: across(inside.left, inside.width(), fifths), y };
    let along_y = |fifths| Point { x, y: across(inside.top, inside.height(), fifths) };
    match direction {
        Direction::Down => (along_y(4), along_y(1)),
        Direction::Up => (along_y(1), along_y(4)),
        Direction::Right => (along_x(4), along_x(1)),
        Direction::Left => (along_x(1), along_x(4)),
    }
}

/// `KeyEvent.KEYCODE_…`.
pub(super) fn key_number(key: Key) -> u32 {
    match key {
        Key::Home => 3,
        Key::Back => 4,
        Key::Enter => 66,
        Key::Menu => 82,
    }
}

fn key_code(key: Key) -> &'static str {
    match key {
        Key::Back => "KEYCODE_BACK",
        Key::Home => "KEYCODE_HOME",
        Key::Menu => "KEYCODE_MENU",
        Key::Enter => "KEYCODE_ENTER",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gestures_become_commands() {
        let list = Bounds::new(0, 100, 500, 1_100);
        let cases = [
            (Gesture::Tap(Point { x: 3, y: 4 }), Some("input tap 3 4")),
            (Gesture::LongPress(Point { x: 3, y: 4 }), Some("input swipe 3 4 3 4 1200")),
            (Gesture::Swipe(list, Direction::Down), Some("input swipe 250 900 250 300 700")),
            (Gesture::Swipe(list, Direction::Up), Some("input swipe 250 300 250 900 700")),
            (Gesture::Swipe(list, Direction::Right), Some("input swipe 400 600 100 600 700")),
            (Gesture::Swipe(list, Direction::Left), Some("input swipe 100 600 400 600 700")),
            (Gesture::Key(Key::Back), Some("input keyevent KEYCODE_BACK")),
            (Gesture::Rotate, None),
            (Gesture::Launch("a".into()), None),
        ];
        for (gesture, expected) in cases {
            assert_eq!(simple(&gesture, Input(None)).as_deref(), expected, "{gesture:?}");
            let elsewhere = expected.map(|command| command.replacen("input", "input -d 2", 1));
            assert_eq!(simple(&gesture, Input(Some(2))), elsewhere, "{gesture:?}");
        }
    }
}
