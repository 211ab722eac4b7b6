//! How long an exploration goes on where it gets nowhere.
//!
//! In: what became of its events and tests. Out: whether a test is stuck, the next attempt to come back to the app, and
//! whether another test is of any use. Invariant: whatever an app does, attempts are counted, and end.

use droidmux_gui::EventKind;

/// What happened in a row up to now.
#[derive(Clone, Copy, Debug, Default)]
pub struct Streaks {
    /// Attempts to come back to the app.
    away: u32,
    /// Looks at pages of an outing.
    outing: u32,
    /// Resets with no event between.
    resets: u32,
    /// Resets after which the app did not come in front.
    absent: u32,
    /// Tests that ended because nothing changed, and no event of this exploration ever changed anything.
    inert: u32,
    /// Events that left the layout as it was.
    still: u32,
}

/// Attempts to come back to the app before a reset.
const MOST_AWAY: u32 = 3;

/// Events on pages of other apps in a row, before the way back.
const LONGEST_OUTING: u32 = 3;

/// Resets in a row after which the app is given up.
const MOST_RESETS: u32 = 3;

/// Resets in a row after which the app does not come in front, whatever is tried, and is given up. More of them would
/// take as long as the other jobs that are planned ahead.
const MOST_ABSENT: u32 = 1;

/// Tests in a row without any effect after which the app is given up.
const MOST_INERT: u32 = 2;

/// Events in a row that change nothing after which a test is stuck.
const MOST_STILL: u32 = 12;

impl Streaks {
    /// An event left the layout as it was, or did not.
    pub fn acted(&mut self, stayed: bool) {
        (self.still, self.inert) = if stayed { (self.still + 1, self.inert) } else { (0, 0) };
    }

    /// An event could not be performed.
    pub fn failed(&mut self) {
        self.still += 1;
    }

    /// An event is asked for.
    pub fn asks(&mut self) {
        self.resets = 0;
    }

    /// The app is in front, or an outing of it.
    pub fn arrived(&mut self) {
        (self.away, self.absent) = (0, 0);
    }

    /// Whether nothing changes any more.
    pub fn is_stuck(&self) -> bool {
        self.still >= MOST_STILL
    }

    /// A test ends because it is stuck.
    pub fn ends_stuck(&mut self) {
        self.inert += 1;
    }

    /// Whether a page is looked at as one of an outing; `is_outing` is asked only where there may be more of them.
    pub fn goes_out(&mut self, is_outing: impl FnOnce() -> bool) -> bool {
        let goes = self.outing < LONGEST_OUTING && is_outing();
        self.outing = if goes { self.outing + 1 } else { 0 };
        goes
    }

    /// The next attempt to come back to the app: the back key, then the launcher icon; `None` where it takes a reset.
    pub fn way_back(&mut self) -> Option<EventKind> {
        self.away += 1;
        match self.away {
            1 => Some(EventKind::Back),
            2..=MOST_AWAY => Some(EventKind::Launch),
            _ => None,
        }
    }

    /// A test ends, and a reset is to come; whether that is of any use.
    pub fn restarts(&mut self) -> bool {
        (self.away, self.still) = (0, 0);
        self.resets += 1;
        self.absent += 1;
        self.resets <= MOST_RESETS && self.absent <= MOST_ABSENT && self.inert < MOST_INERT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_stuck_after_events_that_change_nothing() {
        let mut streaks = Streaks::default();
        for (stayed, times, stuck) in
            [(true, 11, false), (false, 1, false), (true, 11, false), (true, 1, true)]
        {
            (0..times).for_each(|_| streaks.acted(stayed));
            assert_eq!(streaks.is_stuck(), stuck, "{streaks:?}");
        }
    }

    #[test]
    fn ways_back_end_in_a_reset() {
        let mut streaks = Streaks::default();
        let ways = [Some(EventKind::Back), Some(EventKind::Launch), Some(EventKind::Launch), None];
        for _ in 0..2 {
            assert_eq!([(); 4].map(|()| streaks.way_back()), ways);
            streaks.arrived();
        }
    }

    #[test]
    fn resets_end_where_they_are_of_no_use() {
        // what each test does, and how many there may be, up to ten
        for (what, each, tests) in [
            ("the app never comes in front", (|_| ()) as fn(&mut Streaks), 1),
            ("nothing can be done in it", Streaks::arrived, 3),
            (
                "nothing changes in it",
                |streaks| {
                    streaks.arrived();
                    streaks.asks();
                    streaks.ends_stuck();
                },
                2,
            ),
            (
                "it goes on",
                |streaks| {
                    streaks.arrived();
                    streaks.asks();
                    streaks.acted(false);
                    streaks.ends_stuck();
                },
                10,
            ),
        ] {
            let mut streaks = Streaks::default();
            let begun = (0..10).take_while(|_| {
                let is_of_use = streaks.restarts();
                each(&mut streaks);
                is_of_use
            });
            assert_eq!(begun.count(), tests, "{what}");
        }
    }
}
