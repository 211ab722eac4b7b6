//! A log of a million steps is as fast as one of ten, and 64 sessions leave room for drawing.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;

use super::Cockpit;
use crate::app::Msg;
use crate::screen;
use crate::terminal::{Canvas, Urgency};
use droidmux_proto::Request;
use droidmux_testutils::fixtures::crowd;

/// Time for scrolling and drawing, the fastest of several rounds.
fn scroll(steps: u64) -> Duration {
    let mut cockpit = Cockpit::new(200, 60, steps);
    cockpit.press("2 g");
    let round = |cockpit: &mut Cockpit| {
        let start = Instant::now();
        for keys in ["page-down", "j", "k", "page-up", "G", "g"] {
            cockpit.press(keys);
            cockpit.screen();
        }
        start.elapsed()
    };
    (0..5).map(|_| round(&mut cockpit)).min().unwrap_or_default()
}

/// The longer log fills the pane and fetches pages, which costs something, but the cost does not grow with its length.
/// For people, with `--ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn a_million_steps_scroll_as_fast_as_ten() {
    let (few, many) = (scroll(10), scroll(1_000_000));
    println!("six keys with a frame each: {few:?} for 10 steps, {many:?} for 1,000,000");
}

/// 64 sessions that all move, a trace of a million steps, keys on every screen: what a key or a message costs up to
/// the bytes. For people, with `--ignored --nocapture`, in an optimised build.
#[test]
#[ignore = "a measurement"]
fn update_and_draw_with_64_sessions() {
    let mut cockpit = Cockpit::new(200, 60, 1_000_000);
    let mut canvas = Canvas::new(cockpit.app.area);
    let mut took = Vec::new();
    let keys = ["1", "j", "2", "j", "k", "page-up", "G", "3", "j", "2", "page-down", "1", "k"];
    for beat in 0..1_500u64 {
        let mut view = cockpit.lab.view();
        crowd(&mut view, 64, beat);
        let began = Instant::now();
        match beat % 2 {
            0 => cockpit.tell(Msg::View(Arc::new(view))),
            _ => cockpit.press(keys[usize::try_from(beat / 2).unwrap_or(0) % keys.len()]),
        }
        let mut drawn = Buffer::empty(cockpit.app.area);
        let cursor = screen::view(&cockpit.app, &mut drawn);
        canvas.show(drawn, cursor, Urgency::Moves);
        while let Some(urgency) = canvas.urgency() {
            canvas.take(1 << 20, urgency);
        }
        took.push(began.elapsed());
    }
    took.sort();
    let at = |share: usize| took[took.len() * share / 1_000];
    println!(
        "update and draw: half within {:?}, p99 {:?}, longest {:?}",
        at(500),
        at(990),
        took[took.len() - 1]
    );
    if !cfg!(debug_assertions) {
        assert!(at(990) < Duration::from_millis(8), "p99 of {:?}", at(990));
    }
}

#[test]
fn only_visible_windows_are_fetched() {
    let mut cockpit = Cockpit::new(200, 60, 1_000_000);
    cockpit.press("2 g G g G");
    let fetched: u64 = cockpit
        .lab
        .asked
        .iter()
        .filter_map(|request| match request {
            Request::Steps { limit, .. } => Some(u64::from(*limit)),
            _ => None,
        })
        .sum();
    assert!(fetched <= 4 * 128, "{fetched} steps fetched for two windows");
}
