//! Batches of mutants between runs of their seed.

use std::sync::Arc;

use crate::ledger::Ledger;
use droidmux_gui::Event;
use droidmux_record::{Batch, Purpose, Role, Test, Work};

/// How many mutants a batch has, and how many runs of their seed are around them.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    mutants: u64,
    runs: u32,
}

impl Frame {
    /// Up to `mutants`, at least one, between `runs` of their seed, at least two.
    pub fn new(mutants: u32, runs: u32) -> Self {
        Self { mutants: mutants.max(1).into(), runs: runs.max(2) }
    }

    /// How many mutants fit if each test has at most `longest` events: the last batch is as large as what is left of
    /// the budget. `None` when none fits.
    pub fn fits(self, longest: u64, ledger: &Ledger) -> Option<usize> {
        let fits =
            (1..=self.mutants).rev().find(|n| ledger.can_search((n + u64::from(self.runs)) * longest))?;
        Some(usize::try_from(fits).unwrap_or(1))
    }

    /// The seed of this number, these mutants and the seed again; of more than two runs, one is in the middle.
    pub fn batch(self, seed: u32, events: &[Arc<Event>], mutants: Vec<Test>) -> Work {
        let own = Test { role: Role::Seed, events: events.iter().map(|event| (**event).clone()).collect() };
        let mut tests = vec![own.clone()];
        tests.extend(mutants);
        if self.runs > 2 {
            tests.insert(tests.len() / 2 + 1, own.clone());
        }
        tests.push(own);
        Work::Batch(Batch { purpose: Purpose::Mutants { seed }, tests })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::EventKind;
    use droidmux_record::Insertion;

    #[test]
    fn mutants_run_between_runs_of_their_seed() {
        for (mutants, runs, expected) in
            [(1, 0, "s m s"), (2, 2, "s m m s"), (1, 3, "s m s s"), (4, 3, "s m m s m m s")]
        {
            let mutant = Test { role: Role::Mutant(Insertion { pivot: 1, length: 1 }), events: Vec::new() };
            let events = [Arc::new(Event::global(EventKind::Back))];
            let work = Frame::new(9, runs).batch(5, &events, vec![mutant; mutants]);
            let Work::Batch(batch) = work else { panic!("a batch") };
            assert_eq!(batch.purpose, Purpose::Mutants { seed: 5 });
            let names: Vec<&str> =
                batch.tests.iter().map(|test| if test.role == Role::Seed { "s" } else { "m" }).collect();
            assert_eq!(names.join(" "), expected, "{mutants} between {runs}");
        }
    }

    #[test]
    fn the_last_batch_is_as_large_as_what_is_left() {
        // A tenth of the limit is for confirmations.
        for (most, expected) in [(1_000, Some(4)), (60, Some(3)), (40, Some(1)), (32, None)] {
            assert_eq!(Frame::new(4, 2).fits(10, &Ledger::new(most)), expected, "{most}");
        }
    }
}
