//! Where a step of a session's log is found.

use serde::{Deserialize, Serialize};

use super::Slot;

/// A turn as an entry of its session's log, with what the turn alone does not tell. Every turn is
/// a step but the one that ends its episode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepPlace {
    pub slot: Slot,
    /// Counted from 1.
    pub attempt: u32,
    /// Turn of the episode, from 0.
    pub turn: u32,
    /// Test of the job, from 0.
    pub test: u16,
    /// Events of the test up to this turn; 0 for the reset.
    pub event: u16,
    /// The serial of the device.
    pub device: String,
}
