//! A question's place in its session, and the pixels that go with it.

use std::sync::Arc;

use droidmux_record::{Agent, BlobHash, Slot};

/// What identifies a question in a recording, together with its agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QuestionPlace {
    /// The job that asks.
    pub slot: Slot,
    /// The number of earlier questions of the same agent in the job.
    pub ordinal: u32,
}

/// A picture as it is sent.
#[derive(Clone, Debug)]
pub struct Sent {
    /// The name of the file beside the store, and of the picture in recordings.
    pub hash: BlobHash,
    /// The bytes of a whole PNG file.
    pub png: Arc<[u8]>,
}

/// A place with its agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Key {
    pub place: QuestionPlace,
    pub agent: Agent,
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let QuestionPlace { slot, ordinal } = self.place;
        write!(f, "question {ordinal} of {} in job {slot}", self.agent.name())
    }
}
