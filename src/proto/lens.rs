//! Parts of a session's log of steps, and what is looked for in it.

use serde::{Deserialize, Serialize};

use crate::record::Slot;

/// Which steps of a session's log are looked at. Rows are counted among them, from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lens {
    /// All of them, those of all devices between one another.
    #[default]
    All,
    /// Those of one test.
    Test {
        /// Its job.
        slot: Slot,
        /// Test of the job, from 0.
        test: u16,
    },
    /// Those of one device, by its serial.
    Device(String),
}

/// What a step is looked for by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sought {
    /// Words that its test, device, event, receiver, outcome, activity or signals hold, in upper or lower case.
    Words(String),
    /// It was inserted into a mutant.
    Inserted,
    /// The evidence of a violation names it.
    Violation,
    /// It has this sequence number in the log of all steps, or the next one that is looked at.
    Step(u64),
}
