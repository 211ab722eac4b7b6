//! What the system draws around apps: status bar, navigation bar, keyboard, toasts.

use super::{Keyboard, Screen};
use droidmux_gui::Bounds;
use droidmux_paint::{Canvas, Color, Type, text_width};

/// The keys of each row, with how many tenths of the width each takes.
const KEYS: [&[(&str, i32)]; 4] = [
    &[("q", 1), ("w", 1), ("e", 1), ("r", 1), ("t", 1), ("y", 1), ("u", 1), ("i", 1), ("o", 1), ("p", 1)],
    &[("a", 1), ("s", 1), ("d", 1), ("f", 1), ("g", 1), ("h", 1), ("j", 1), ("k", 1), ("l", 1)],
    &[("Shift", 1), ("z", 1), ("x", 1), ("c", 1), ("v", 1), ("b", 1), ("n", 1), ("m", 1), ("Del", 1)],
    &[("?123", 2), (",", 1), ("English", 4), (".", 1), ("Enter", 2)],
];

/// Draws the bars, and the keyboard and the toast if they are showing.
pub(super) fn draw(canvas: &mut Canvas, screen: &Screen<'_>) {
    status_bar(canvas, screen);
    navigation_bar(canvas, screen);
    if let Some(shown) = screen.keyboard {
        keyboard(canvas, screen, shown);
    }
    if let Some(text) = screen.toast {
        toast(canvas, screen, text);
    }
}

fn status_bar(canvas: &mut Canvas, screen: &Screen<'_>) {
    let frame = screen.frame;
    let high = frame.status_bar();
    canvas.fill(Bounds::new(0, 0, frame.width, high), Color(55, 71, 79));
    let kind = Type::bold(frame.px(13));
    let width = text_width(screen.clock, kind);
    let at = (frame.free().right - width - frame.px(8), (high + kind.cap_height()) / 2);
    canvas.text(at, screen.clock, kind, width, Color::WHITE);
    let battery = Bounds::new(at.0 - frame.px(14), high / 4, at.0 - frame.px(6), high * 3 / 4);
    canvas.fill(battery, Color::WHITE);
}

fn navigation_bar(canvas: &mut Canvas, screen: &Screen<'_>) {
    let frame = screen.frame;
    let bar = frame.navigation_bar();
    canvas.fill(bar, Color(0, 0, 0));
    let radius = frame.px(8);
    let thick = frame.px(2);
    let middle = bar.center();
    let places = if bar.width() > bar.height() {
        [1, 3, 5].map(|n| (bar.left + bar.width() * n / 6, middle.y))
    } else {
        [5, 3, 1].map(|n| (middle.x, bar.top + bar.height() * n / 6))
    };
    let [back, home, recent] = places;
    let (tip, top, foot) =
        ((back.0 - radius, back.1), (back.0 + radius, back.1 - radius), (back.0 + radius, back.1 + radius));
    canvas.line(tip, top, thick, Color::WHITE);
    canvas.line(top, foot, thick, Color::WHITE);
    canvas.line(foot, tip, thick, Color::WHITE);
    canvas.ring(home.0, home.1, radius, thick, Color::WHITE);
    let square = Bounds::new(recent.0 - radius, recent.1 - radius, recent.0 + radius, recent.1 + radius);
    canvas.outline(square, thick, Color::WHITE);
}

fn keyboard(canvas: &mut Canvas, screen: &Screen<'_>, keyboard: Keyboard) {
    let frame = screen.frame;
    let area = frame.keyboard();
    canvas.fill(area, Color(207, 216, 220));
    if keyboard == Keyboard::Adb {
        return canvas.centered(area, "ADB Keyboard {ON}", Type::plain(frame.px(16)), Color::INK);
    }
    let high = area.height() / 4;
    let wide = area.width() / 10;
    for (row, keys) in (0..).zip(KEYS) {
        let tenths: i32 = keys.iter().map(|(_, tenths)| tenths).sum();
        let mut left = area.left + (area.width() - tenths * wide) / 2;
        let top = area.top + row * high;
        for (key, tenths) in keys {
            let cap = Bounds::new(left, top, left + tenths * wide, top + high).grown(-frame.px(3));
            let (size, light) = if key.len() > 1 { (11, *tenths > 2) } else { (20, true) };
            let color = if light { Color::WHITE } else { Color(176, 190, 197) };
            canvas.rounded(cap, frame.px(4), color);
            canvas.centered(cap, key, Type::plain(frame.px(size)), Color::INK);
            left += tenths * wide;
        }
    }
}

fn toast(canvas: &mut Canvas, screen: &Screen<'_>, text: &str) {
    let frame = screen.frame;
    let kind = Type::plain(frame.px(14));
    let free = frame.free();
    let width = text_width(text, kind).min(free.width() - frame.px(64));
    let left = (free.width() - width) / 2;
    let middle = free.bottom - frame.px(76);
    let bubble = Bounds::new(left, middle, left + width, middle).grown(frame.px(16));
    canvas.rounded(bubble, frame.px(18), Color(66, 66, 66));
    canvas.text((left, middle + kind.cap_height() / 2), text, kind, width, Color::WHITE);
}
