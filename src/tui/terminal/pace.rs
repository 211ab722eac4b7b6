//! When the next drawing of what moves may be made.

use std::time::{Duration, Instant};

/// A screen that nobody reads as fast as it changes is drawn this often when much of it moves.
const CALM: Duration = Duration::from_millis(500);
/// A drawing that took more bytes than this moved much of the screen.
const MUCH: usize = 1_000;

/// Draws at once after a pause, else at most a given number of times a second.
#[derive(Debug)]
pub struct Pace {
    gap: Duration,
    last: Option<Instant>,
    /// Bytes that the last drawing took.
    cost: usize,
}

impl Pace {
    /// `frames` a second at most, at least 1.
    pub fn new(frames: u32) -> Self {
        Self { gap: Duration::from_secs(1) / frames.max(1), last: None, cost: 0 }
    }

    /// How long to wait before drawing; zero for at once. `calm` for a screen of figures side by side.
    pub fn wait(&self, now: Instant, calm: bool) -> Duration {
        let gap = if calm && self.cost > MUCH { CALM } else { self.gap };
        self.last.map_or(Duration::ZERO, |last| (last + gap).saturating_duration_since(now))
    }

    pub fn drawn(&mut self, now: Instant) {
        self.last = Some(now);
        self.cost = 0;
    }

    /// Bytes went out for the last drawing.
    pub fn spent(&mut self, bytes: usize) {
        self.cost += bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_frame_after_a_pause_is_at_once() {
        let start = Instant::now();
        let at = |ms: u64| start + Duration::from_millis(ms);
        let mut pace = Pace::new(10);
        // (moment of a change, wait until it is drawn), each drawn when its wait is over.
        for (change, wait) in [(0, 0), (10, 90), (500, 0), (550, 50), (601, 99)] {
            assert_eq!(pace.wait(at(change), false), Duration::from_millis(wait), "change at {change}");
            pace.drawn(at(change + wait));
        }
    }

    #[test]
    fn figures_are_drawn_twice_a_second_when_much_of_them_moves() {
        let start = Instant::now();
        let mut pace = Pace::new(10);
        for (bytes, calm, wait) in [(200, true, 100), (5_000, true, 500), (5_000, false, 100)] {
            pace.drawn(start);
            pace.spent(bytes);
            assert_eq!(pace.wait(start, calm), Duration::from_millis(wait), "{bytes} bytes");
        }
    }
}
