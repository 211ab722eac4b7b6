//! The course of a stepped test: what became of its events so far, and what was put between them.

use droidmux_gui::Event;
use droidmux_record::{Call, CallStep, Insertion, Role, Stretch, Test};

/// One thing that was done about a stepped test, in the order of the test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// The next event of the test was performed.
    Performed,
    /// The next event of the test was left out.
    Skipped,
    /// This event was put in.
    Added(Event),
}

/// The events of a test with the moves that were made on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    test: Test,
    moves: Vec<Move>,
}

impl Course {
    /// A test on which nothing was done yet.
    pub fn new(test: Test) -> Self {
        Self { test, moves: Vec::new() }
    }

    /// The test as it was recorded.
    pub fn test(&self) -> &Test {
        &self.test
    }

    /// All moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Events of the test that are done or skipped.
    pub fn at(&self) -> usize {
        at(&self.moves)
    }

    /// The event of the test that is next.
    pub fn next(&self) -> Option<&Event> {
        self.test.events.get(self.at())
    }

    /// The event that this move performs; `None` for one that leaves an event out.
    pub fn event(&self, number: usize) -> Option<&Event> {
        match self.moves.get(number)? {
            Move::Performed => self.test.events.get(at(self.moves.get(..number)?)),
            Move::Skipped => None,
            Move::Added(event) => Some(event),
        }
    }

    /// The test as it was led: what was performed, and which part of it stands in the place of the insertion. A mutant
    /// with nothing inserted left in it is the seed.
    pub fn as_led(&self) -> Test {
        let performed: Vec<usize> =
            (0..self.moves.len()).filter(|&number| self.event(number).is_some()).collect();
        let events = performed.iter().filter_map(|&number| self.event(number).cloned()).collect();
        let Role::Mutant(Insertion { pivot, length }) = self.test.role else {
            return Test { role: self.moved_role(&performed), events };
        };
        // What a person adds at the pivot or within the inserted trace is inserted, too.
        let from = usize::from(pivot).saturating_sub(1);
        let inserted = from..from + usize::from(length);
        let place = |number: usize| {
            let at = at(self.moves.get(..number).unwrap_or_default());
            match self.moves.get(number) {
                Some(Move::Added(_)) => at >= inserted.start && at <= inserted.end,
                _ => inserted.contains(&at),
            }
        };
        let before = performed.iter().take_while(|&&number| !place(number)).count();
        let length = performed.iter().filter(|&&number| place(number)).count();
        let number = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        let role = match length {
            0 => Role::Seed,
            length => Role::Mutant(Insertion { pivot: number(before + 1), length: number(length) }),
        };
        Test { role, events }
    }

    /// The role of a test that is no mutant, its events counted as they were performed; a function with an event that
    /// was not performed is left out.
    fn moved_role(&self, performed: &[usize]) -> Role {
        let mut at = 0;
        let before = self.moves.iter().map(|done| {
            let here = at;
            at += usize::from(!matches!(done, Move::Added(_)));
            (!matches!(done, Move::Added(_))).then_some(here)
        });
        let before: Vec<Option<usize>> = before.collect();
        // Which events of the test were performed, in their order.
        let kept: Vec<Option<usize>> =
            performed.iter().map(|&number| before.get(number).copied().flatten()).collect();
        let number = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        let place = |event: u16| kept.iter().position(|kept| *kept == Some(event.into())).map(number);
        match &self.test.role {
            Role::Property(calls) => {
                let step = |step: &CallStep| Some(CallStep { at: place(step.at)?, ..*step });
                let call = |call: &Call| {
                    let steps: Option<Vec<CallStep>> = call.steps.iter().map(step).collect();
                    Some(Call { steps: steps?, ..call.clone() })
                };
                Role::Property(calls.iter().filter_map(call).collect())
            }
            Role::Toured(stretch) => {
                let own = |kept: &Option<usize>| kept.is_some_and(|event| event >= stretch.first.into());
                let first = number(kept.iter().position(own).unwrap_or(kept.len()));
                Role::Toured(Stretch { first, ..stretch.clone() })
            }
            other => other.clone(),
        }
    }

    pub(super) fn push(&mut self, done: Move) {
        self.moves.push(done);
    }

    pub(super) fn pop(&mut self) -> Option<Move> {
        self.moves.pop()
    }

    pub(super) fn truncate(&mut self, moves: usize) {
        self.moves.truncate(moves);
    }
}

/// Events of the test that these moves used up.
fn at(moves: &[Move]) -> usize {
    moves.iter().filter(|done| !matches!(done, Move::Added(_))).count()
}
