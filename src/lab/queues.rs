//! The most that ever waited at the same time in each bounded queue between engine and viewers: after a night, this
//! tells whether one of them was near its limit.
//!
//! In: lengths, from those that take out of a queue or put into it. Out: the highest of each.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;

/// The most of one queue.
#[derive(Debug, Default)]
pub(super) struct HighWater(AtomicU64);

/// All that is watched; of several queues of a kind the fullest counts.
#[derive(Debug, Default)]
pub(super) struct Queues {
    pub(super) planned: HighWater,
    pub(super) reports: HighWater,
    pub(super) judged: HighWater,
    pub(super) unabsorbed: HighWater,
    pub(super) incidents: HighWater,
    pub(super) requests: HighWater,
    pub(super) replies: HighWater,
}

/// The most that waited in each queue at the same time, since the lab began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "queues"))]
pub struct QueueMarks {
    /// Jobs of one session that waited for a device; never more than its window.
    pub planned: u64,
    /// What workers had to say to one session, 64 at most.
    pub reports: u64,
    /// Judgements that waited for one session, 64 at most.
    pub judged: u64,
    /// Judged jobs that waited for their turn with one session's planner; never more than its window.
    pub unabsorbed: u64,
    /// Incidents that waited to be written down, 4,096 at most.
    pub incidents: u64,
    /// Requests of one viewer, 256 at most.
    pub requests: u64,
    /// Replies that one viewer had not taken, 256 at most.
    pub replies: u64,
}

impl HighWater {
    /// This many waited at this moment.
    pub(super) fn saw(&self, waiting: usize) {
        self.0.fetch_max(u64::try_from(waiting).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    fn most(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Queues {
    pub(super) fn marks(&self) -> QueueMarks {
        QueueMarks {
            planned: self.planned.most(),
            reports: self.reports.most(),
            judged: self.judged.most(),
            unabsorbed: self.unabsorbed.most(),
            incidents: self.incidents.most(),
            requests: self.requests.most(),
            replies: self.replies.most(),
        }
    }
}
