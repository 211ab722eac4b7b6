//! When the next frame may be drawn.

use std::time::{Duration, Instant};

/// Draws at once after a pause, else at most so many frames a second.
#[derive(Debug)]
pub struct Pace {
    gap: Duration,
    last: Option<Instant>,
}

impl Pace {
    /// `frames` a second at most, at least 1.
    pub fn new(frames: u32) -> Self {
        Self { gap: Duration::from_secs(1) / frames.max(1), last: None }
    }

    /// How long to wait before drawing; zero for at once.
    pub fn wait(&self, now: Instant) -> Duration {
        self.last.map_or(Duration::ZERO, |last| (last + self.gap).saturating_duration_since(now))
    }

    pub fn drawn(&mut self, now: Instant) {
        self.last = Some(now);
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
            assert_eq!(pace.wait(at(change)), Duration::from_millis(wait), "change at {change}");
            pace.drawn(at(change + wait));
        }
    }
}
