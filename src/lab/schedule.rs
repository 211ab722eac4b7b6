//! The order of planning and absorbing.
//!
//! A planner is asked for slot n when exactly the slots up to n − W have been absorbed: not fewer,
//! so that it knows what it may know, and not more, so that the answer does not depend on which
//! device was quicker. Sessions and the re-derivation of stored ones both go by this.

use droidmux_record::Slot;

/// Which slot is planned next and which is absorbed next.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    window: u64,
    planned: u64,
    absorbed: u64,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Ask the planner for the job of this slot.
    Plan(Slot),
    /// Give the planner what became of this slot, once its job is done.
    Absorb(Slot),
}

impl Schedule {
    /// `window` is W; 0 counts as 1.
    pub fn new(window: u32) -> Self {
        Self { window: u64::from(window.max(1)), planned: 0, absorbed: 0 }
    }

    /// What must be done next.
    pub fn next(&self) -> Next {
        // Slot n needs the slots 0 … n − W absorbed, that is n − W + 1 of them.
        if self.absorbed < (self.planned + 1).saturating_sub(self.window) {
            Next::Absorb(Slot(self.absorbed))
        } else {
            Next::Plan(Slot(self.planned))
        }
    }

    /// After the planner's last job: the slots still to absorb, in order.
    pub fn rest(&self) -> impl Iterator<Item = Slot> + use<> {
        (self.absorbed..self.planned).map(Slot)
    }

    /// The slot to be planned has its answer, a job or none.
    pub fn planned(&mut self) {
        self.planned += 1;
    }

    /// The planner has taken in the slot to be absorbed.
    pub fn absorbed(&mut self) {
        self.absorbed += 1;
    }

    /// True when every planned slot is absorbed.
    pub fn is_level(&self) -> bool {
        self.absorbed == self.planned
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order in words: `p3` plans slot 3, `a0` absorbs slot 0.
    fn order(window: u32, steps: usize) -> String {
        let mut schedule = Schedule::new(window);
        let mut said = Vec::new();
        for _ in 0..steps {
            match schedule.next() {
                Next::Plan(slot) => {
                    said.push(format!("p{}", slot.0));
                    schedule.planned();
                }
                Next::Absorb(slot) => {
                    said.push(format!("a{}", slot.0));
                    schedule.absorbed();
                }
            }
        }
        said.join(" ")
    }

    #[test]
    fn slot_n_is_planned_when_exactly_the_slots_up_to_n_minus_w_are_absorbed() {
        let cases = [
            (1, "p0 a0 p1 a1 p2 a2"),
            (2, "p0 p1 a0 p2 a1 p3"),
            (3, "p0 p1 p2 a0 p3 a1"),
            (0, "p0 a0 p1 a1 p2 a2"),
        ];
        for (window, expected) in cases {
            assert_eq!(order(window, 6), expected, "W = {window}");
        }
    }
}
