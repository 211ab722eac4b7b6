//! The share of a session's events that goes into random exploration that changes data.

use crate::ledger::Ledger;
use droidmux_record::{Choice, Explore, Goal};

/// Roaming, as far as it is planned: at an even pace from where it begins to the end of the budget.
#[derive(Clone, Debug)]
pub struct Roaming {
    /// Percent of all events.
    share: u32,
    /// Events of one test.
    test: u32,
    planned: u64,
    /// What all work had taken when roaming was first asked for.
    begun: Option<u64>,
}

/// One in this many of its events may be planned before they are due.
const AHEAD: u64 = 4;

impl Roaming {
    /// Nothing planned yet: `share` percent of all events, in tests of this length.
    pub fn new(share: u32, test: u32) -> Self {
        Self { share, test: test.max(1), planned: 0, begun: None }
    }

    /// The next test, if one is due; `None` when other work is.
    pub fn plan(&mut self, ledger: &Ledger) -> Option<Explore> {
        let begun = *self.begun.get_or_insert(ledger.planned());
        let events = u64::from(self.test);
        let rest = ledger.horizon().saturating_sub(begun).max(1);
        let gone = u128::from(ledger.planned().saturating_sub(begun));
        let due = u128::from(ledger.share(self.share)) * gone / u128::from(rest);
        if u128::from(self.planned + events) > due { None } else { self.next(ledger) }
    }

    /// A test before it is due: devices have nothing else to do while a phase waits for its last results.
    pub fn ahead(&mut self, ledger: &Ledger) -> Option<Explore> {
        let most = ledger.share(self.share) / AHEAD;
        if self.planned + u64::from(self.test) > most { None } else { self.next(ledger) }
    }

    fn next(&mut self, ledger: &Ledger) -> Option<Explore> {
        let events = u64::from(self.test);
        ledger.can_search(events).then(|| {
            self.planned += events;
            Explore::new(Goal::Roam, Choice::Changing, self.test)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Charge;
    use droidmux_record::Slot;

    #[test]
    fn its_share_is_spread_over_the_session() {
        for (share, least) in [(0, 0), (10, 8), (33, 28), (50, 43)] {
            let mut ledger = Ledger::new(100_000);
            // The model is mined first.
            ledger.plan(Slot(0), 5_000, Charge::Search);
            ledger.finish(Slot(0), 5_000);
            let mut roaming = Roaming::new(share, 50);
            let mut roamed: Vec<u64> = Vec::new();
            let mut in_a_row = 0;
            for slot in (1..).map(Slot) {
                let roams = roaming.plan(&ledger).is_some();
                let events = if roams { 50 } else { 220 };
                if !ledger.can_search(events) {
                    break;
                }
                ledger.plan(slot, events, Charge::Search);
                ledger.finish(slot, events);
                in_a_row = if roams { in_a_row + 1 } else { 0 };
                assert!(in_a_row <= 6, "{share}");
                roamed.extend(roams.then_some(ledger.spent()));
            }
            let percent = 50 * roamed.len() as u64 * 100 / ledger.spent();
            assert!((least..=u64::from(share)).contains(&percent), "{share}: {percent}");
            let late = roamed.iter().filter(|&&at| at > 50_000).count();
            assert!(
                share == 0 || (late * 3 > roamed.len() && late * 3 < roamed.len() * 2),
                "{share}: {late}"
            );
        }
    }

    #[test]
    fn a_quarter_of_its_share_is_there_for_devices_that_wait() {
        for (share, most, expected) in [(33, 20_000, 33), (33, 300, 0), (0, 20_000, 0), (50, 1_000, 2)] {
            let ledger = Ledger::new(most);
            let mut roaming = Roaming::new(share, 50);
            let ahead = (0..1_000).filter(|_| roaming.ahead(&ledger).is_some()).count();
            assert_eq!(ahead, expected, "{share} % of {most}");
            assert!(roaming.plan(&ledger).is_none(), "none is due yet");
        }
    }
}
