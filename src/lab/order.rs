//! In which order the steps of a session came: its log's sequence numbers.

use crate::record::Slot;

/// Where a step of the log is found in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) slot: Slot,
    pub(super) attempt: u32,
    /// Turn of the episode, from 0.
    pub(super) turn: u32,
    /// Test of the job, from 0.
    pub(super) test: u16,
    /// Events of the test up to this turn; 0 for the reset.
    pub(super) event: u16,
    /// The device, as [`super::Hub`] numbers them.
    pub(super) device: u16,
}

/// One session's places by sequence number, packed: turns of one episode mostly come in runs, so
/// a run is kept as its first place and its length.
#[derive(Debug, Default)]
pub(super) struct Order {
    runs: Vec<Run>,
    len: u64,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    first_seq: u64,
    first: Place,
}

impl Order {
    /// Adds the next place and says its sequence number.
    pub(super) fn push(&mut self, place: Place) -> u64 {
        let seq = self.len;
        let follows = self.runs.last().is_some_and(|run| run.at(seq) == place);
        if !follows {
            self.runs.push(Run { first_seq: seq, first: place });
        }
        self.len += 1;
        seq
    }

    /// The places from `from` on, at most `limit`.
    pub(super) fn read(&self, from: u64, limit: u32) -> Vec<(u64, Place)> {
        let end = self.len.min(from.saturating_add(limit.into()));
        (from..end).filter_map(|seq| Some((seq, self.run_of(seq)?.at(seq)))).collect()
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    fn run_of(&self, seq: u64) -> Option<&Run> {
        let after = self.runs.partition_point(|run| run.first_seq <= seq);
        self.runs.get(after.checked_sub(1)?)
    }
}

impl Run {
    fn at(&self, seq: u64) -> Place {
        let ahead = seq - self.first_seq;
        let turn = self.first.turn.saturating_add(u32::try_from(ahead).unwrap_or(u32::MAX));
        let event = self.first.event.saturating_add(u16::try_from(ahead).unwrap_or(u16::MAX));
        Place { turn, event, ..self.first }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_place_is_found_again(runs in prop::collection::vec((0u64..4, 0u16..3, 1u32..20), 1..30)) {
            let mut order = Order::default();
            let mut pushed = Vec::new();
            for (slot, test, steps) in runs {
                for step in 0..steps {
                    let place = Place { slot: Slot(slot), attempt: 1, turn: step, test, event: step as u16, device: 0 };
                    let seq = order.push(place);
                    pushed.push((seq, place));
                }
            }
            prop_assert_eq!(order.len(), pushed.len() as u64);
            prop_assert_eq!(order.read(0, u32::MAX), pushed);
        }
    }
}
