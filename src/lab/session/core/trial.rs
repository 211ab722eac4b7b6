//! One slot of a session: what became of its job so far, and how often it was tried.

use super::message::Cause;

/// Times a job may fail on devices that were there before the session gives up.
const MOST_FAILURES: u32 = 6;
/// How often its driver may panic: given the same observations, it decides the same and will panic again.
const MOST_PANICS: u32 = 3;

/// How far a slot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Planned, and to be run (again).
    Waiting,
    Running,
    /// Run, and to be judged.
    Whole,
    Judging,
    Judged,
    /// The slot has no job, or its job was given up for want of time.
    Empty,
}

/// A slot that was planned and is not absorbed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trial {
    pub(crate) stage: Stage,
    /// The number of the present or next attempt.
    pub(crate) attempt: u32,
    /// Whole attempts in which a test timed out.
    pub(crate) time_outs: u32,
    /// Attempts that count against the job, since this process took the session up.
    failures: u32,
    panics: u32,
    /// Its job only asks: it needs no device.
    pub(crate) at_desk: bool,
}

impl Trial {
    /// A trial of a slot whose next attempt has this number.
    pub(crate) fn new(stage: Stage, attempt: u32, time_outs: u32) -> Self {
        Self { stage, attempt, time_outs, failures: 0, panics: 0, at_desk: false }
    }

    /// The same for a job that only asks, where it is one.
    pub(crate) fn at_desk(self, at_desk: bool) -> Self {
        Self { at_desk, ..self }
    }

    /// A trial of a slot whose last attempt came to its end before the session was taken up: it is run again if one of
    /// its tests timed out and that is allowed.
    pub(crate) fn recovered(attempt: u32, time_outs: u32, timed_out: bool, retries: u32) -> Self {
        if timed_out && time_outs < retries {
            return Self::new(Stage::Waiting, attempt.saturating_add(1), time_outs + 1);
        }
        Self::new(Stage::Whole, attempt, time_outs)
    }

    /// An attempt failed; returns how many counted if it was the last one allowed.
    pub(super) fn failed(&mut self, cause: Cause) -> Option<u32> {
        self.failures += u32::from(cause.counts());
        self.panics += u32::from(cause == Cause::Panic);
        (self.failures >= MOST_FAILURES || self.panics >= MOST_PANICS).then_some(self.failures)
    }

    /// Notes that the job is to be run again.
    pub(super) fn again(&mut self) {
        self.attempt = self.attempt.saturating_add(1);
        self.stage = Stage::Waiting;
    }
}
