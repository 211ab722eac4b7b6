//! Where an entry of one of a session's logs is found.

use serde::{Deserialize, Serialize};

use super::Slot;

/// A turn as an entry of one of its session's logs, with what the turn alone does not tell. There is a log of steps,
/// the acts on the device ([`super::Act::is_step`]), and one of exchanges with a language model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepPlace {
    /// The job it belongs to.
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
