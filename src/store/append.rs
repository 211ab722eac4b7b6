//! What an episode appends: turns with the layouts and screenshots they name.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::gui::Layout;
use crate::record::{AppBuild, BlobHash, DeviceInfo, SessionId, Slot, Turn};

/// Turns of one attempt at a job, with what they refer to. Stored whole or not at all.
#[derive(Clone, Debug)]
pub struct Append {
    pub session: SessionId,
    pub slot: Slot,
    /// Counted from 1.
    pub attempt: u32,
    /// The first turn's number in the attempt, from 0; turns are appended without gaps.
    pub first_turn: u32,
    pub turns: Vec<Turn>,
    /// Layouts named by these turns, those stored before included or not.
    pub layouts: Vec<Arc<Layout>>,
    /// Screenshots named by these turns, as PNG.
    pub screenshots: Vec<(BlobHash, Vec<u8>)>,
}

/// The attempt that finished a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished {
    pub slot: Slot,
    /// Counted from 1; its turns are the job's run.
    pub attempt: u32,
    pub device: DeviceInfo,
    pub app: AppBuild,
}
