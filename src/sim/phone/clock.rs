//! The phone's clock.

use droidmux_sim_toolkit::platform::scramble;

/// A clock that moves only when something is done to the phone.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    now_ms: u64,
    seed: u64,
    /// Launches since boot.
    pub(super) launches: u32,
}

/// 2026-03-06 10:06:00 UTC: the time at which every steady phone starts.
pub(super) const START: u64 = 1_772_791_560_000;
const MINUTE: u64 = 60_000;

impl Clock {
    /// A clock that starts within ten hours after [`START`], the hour by the seed; at [`START`]
    /// on a steady phone.
    pub(super) fn new(seed: u64, steady: bool) -> Self {
        let ahead = if steady { 0 } else { scramble(seed) % 600 * MINUTE };
        Self { now_ms: START + ahead, seed, launches: 0 }
    }

    pub(super) fn now_ms(&self) -> u64 {
        self.now_ms
    }

    /// A touch, a key or a text: one second.
    pub(super) fn input(&mut self) {
        self.now_ms += 1000;
    }

    /// A launch: some minutes; how many depends on the seed and the launches before.
    pub(super) fn launch(&mut self) {
        self.launches = self.launches.wrapping_add(1);
        let drawn = scramble(self.seed ^ u64::from(self.launches).rotate_left(32));
        self.now_ms += (7 + drawn % 50) * MINUTE;
    }

    /// Sets it forward by this many milliseconds, or back.
    pub(super) fn jump(&mut self, ms: i64) {
        self.now_ms = self.now_ms.saturating_add_signed(ms);
    }

    /// Clearing an app's data, besides the launch after it: one minute.
    pub(super) fn clear(&mut self) {
        self.now_ms += MINUTE;
    }
}
