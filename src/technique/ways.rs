//! Ways to see a finding again: shortened tests, and the whole one.
//!
//! In: tests that may show it, and what replays of them said. Out: the test to be replayed next, and what a replay
//! counts for.
//!
//! Invariants: a shortened test is a proposal. Until it shows the finding, what it does not show says nothing, and one
//! replay of it is under way at most. The next longer one follows when it missed more often than it showed. Only the
//! whole test can refute.

use super::findings::Replay;
use droidmux_record::{Test, events_of};

/// Tests that may show one finding.
#[derive(Clone, Debug)]
pub struct Ways {
    whole: Vec<Test>,
    /// The shortest first; the next one to be tried, or the one that shows it.
    shorter: Vec<Vec<Test>>,
    /// Replays of the first of the shorter ones that showed it, and that did not.
    shown: u32,
    missed: u32,
    /// A replay of a proposal is under way.
    trying: bool,
}

/// What a replay says of a finding, by the test that was replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Nothing: the test was only proposed.
    None,
    /// It is told, but refutes nothing: a shortened test that showed the finding before did not show it again.
    Aside,
    /// It counts.
    Full,
}

impl Ways {
    /// The test known to show it, and shorter ones that may, the shortest first.
    pub fn new(whole: Vec<Test>, shorter: Vec<Vec<Test>>) -> Self {
        Self { whole, shorter, shown: 0, missed: 0, trying: false }
    }

    /// The test to be replayed next; empty where none is known.
    pub fn present(&self) -> &[Test] {
        self.shorter.first().unwrap_or(&self.whole)
    }

    /// Whether the next one has shown nothing yet, and may be too short.
    fn is_proposal(&self) -> bool {
        !self.shorter.is_empty() && self.shown == 0
    }

    /// Another replay may begin now.
    pub fn is_free(&self) -> bool {
        !(self.trying && self.is_proposal())
    }

    /// Notes that a replay of the present test begins.
    pub fn begin(&mut self) {
        self.trying = self.is_proposal();
    }

    /// Events that so many replays that show it may take, if what is proposed leads to nothing.
    pub fn owed(&self, times: u32) -> u64 {
        let tests = if self.is_proposal() { &self.whole } else { self.present() };
        events_of(tests).saturating_mul(times.into())
    }

    /// Takes in what a replay of these tests said of the finding.
    pub fn replayed(&mut self, tests: &[Test], replay: Replay) -> Weight {
        let is_whole = tests == self.whole;
        if self.shorter.first().is_none_or(|first| first != tests) {
            // A test that was given up meanwhile says nothing but that it shows the finding.
            return if is_whole || replay == Replay::Shown { Weight::Full } else { Weight::None };
        }
        self.trying = false;
        if replay == Replay::Shown {
            self.shown += 1;
            return Weight::Full;
        }
        let weight = if self.shown == 0 { Weight::None } else { Weight::Aside };
        self.missed += 1;
        if self.missed > self.shown {
            self.shorter.remove(0);
            (self.shown, self.missed) = (0, 0);
        }
        weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{Event, EventKind};
    use droidmux_record::Role;

    fn test(events: usize) -> Vec<Test> {
        vec![Test { role: Role::Seed, events: vec![Event::global(EventKind::Back); events] }]
    }

    #[test]
    fn a_shortened_test_is_a_proposal() {
        use Replay::{Absent, Shown, Unfaithful};
        // What each replay said; the lengths of the tests replayed, and `-` for nothing, `a` for aside, `f` in full.
        for (replays, lengths, weights) in [
            (&[Shown, Shown][..], &[2, 2, 2][..], "ff"),
            (&[Absent, Shown, Shown], &[2, 5, 5, 5], "-ff"),
            (&[Absent, Unfaithful, Shown, Absent, Unfaithful], &[2, 5, 9, 9, 9, 9], "--fff"),
            (&[Shown, Absent, Shown], &[2, 2, 2, 2], "faf"),
            (&[Shown, Absent, Absent, Absent, Absent], &[2, 2, 2, 5, 9, 9], "faa-f"),
        ] {
            let mut ways = Ways::new(test(9), vec![test(2), test(5)]);
            let mut told = String::new();
            let mut replayed = vec![events_of(ways.present())];
            for replay in replays {
                assert!(ways.is_free());
                ways.begin();
                let present = ways.present().to_vec();
                told.push(match ways.replayed(&present, *replay) {
                    Weight::None => '-',
                    Weight::Aside => 'a',
                    Weight::Full => 'f',
                });
                replayed.push(events_of(ways.present()));
            }
            assert_eq!((told.as_str(), replayed.as_slice()), (weights, lengths), "{replays:?}");
        }
    }

    #[test]
    fn one_replay_of_a_proposal_at_a_time_and_events_for_the_whole() {
        let mut ways = Ways::new(test(9), vec![test(2)]);
        assert_eq!(ways.owed(2), 18);
        ways.begin();
        assert!(!ways.is_free());
        ways.replayed(&test(2), Replay::Shown);
        ways.begin();
        assert!(ways.is_free(), "it is no proposal any more");
        assert_eq!(ways.owed(2), 4);
        let mut whole = Ways::new(test(9), Vec::new());
        whole.begin();
        assert!(whole.is_free());
    }
}
