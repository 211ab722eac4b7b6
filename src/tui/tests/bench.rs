//! A log of a million steps is as fast as one of ten.

use std::time::{Duration, Instant};

use super::Cockpit;
use crate::proto::Request;

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

/// The longer log fills the pane and fetches pages, which costs something, but not with its length. For
/// people, with `--ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn a_million_steps_scroll_as_fast_as_ten() {
    let (few, many) = (scroll(10), scroll(1_000_000));
    println!("six keys with a frame each: {few:?} for 10 steps, {many:?} for 1,000,000");
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
