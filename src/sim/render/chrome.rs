//! What the system draws around apps: status bar, navigation bar, keyboard, toasts.

use super::Screen;
use crate::gui::Bounds;
use crate::paint::{Canvas, Color, Type, text_width};

const KEYS: [&str; 4] = ["qwertyuiop", "asdfghjkl", "zxcvbnm", ",     ."];

/// Draws the bars, and keyboard and toast when they are there.
pub(super) fn draw(canvas: &mut Canvas, screen: &Screen<'_>) {
    status_bar(canvas, screen);
    navigation_bar(canvas, screen);
    if screen.keyboard {
        keyboard(canvas, screen);
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

fn keyboard(canvas: &mut Canvas, screen: &Screen<'_>) {
    let frame = screen.frame;
    let area = frame.keyboard();
    canvas.fill(area, Color(207, 216, 220));
    let high = area.height() / 4;
    let wide = area.width() / 10;
    let gap = frame.px(3);
    for (row, keys) in (0..).zip(KEYS) {
        let count = i32::try_from(keys.len()).unwrap_or(1);
        let start = area.left + (area.width() - count * wide) / 2;
        for (column, key) in (0..).zip(keys.chars()) {
            let left = start + column * wide;
            let top = area.top + row * high;
            let cap = Bounds::new(left + gap, top + gap, left + wide - gap, top + high - gap);
            canvas.rounded(cap, frame.px(4), Color::WHITE);
            canvas.centered(cap, key.encode_utf8(&mut [0; 4]), Type::plain(frame.px(20)), Color::INK);
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
