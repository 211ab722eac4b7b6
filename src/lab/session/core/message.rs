//! What the core is told and what it wants done.

use std::fmt;
use std::time::Duration;

use droidmux_record::Slot;

/// A time since the session was taken up.
pub(crate) type Moment = Duration;

/// What happens to a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The session was taken up.
    Began,
    /// The planner's answer for the slot it was asked for.
    Planned(Answer),
    /// The planner has absorbed the slot it was given.
    Absorbed,
    /// These devices were leased just now; with what more may be hoped for.
    Hired { serials: Vec<String>, outlook: Outlook },
    /// A leased device takes jobs.
    Ready { serial: String },
    /// A driver came to its end; `leaving` when its device is given back.
    Finished { serial: String, slot: Slot, timed_out: bool, leaving: bool },
    /// A job failed; its device is given back.
    Broken { serial: String, slot: Slot, cause: Cause, words: String },
    /// A job was left where its next test would have begun; its device is given back.
    Cut { serial: String, slot: Slot },
    /// A device is given back without a job.
    Left { serial: String },
    /// A worker ended without a word, for this reason.
    Vanished { serial: String, words: String },
    /// A run is judged.
    Judged(Slot),
    /// Something failed without which the session cannot go on.
    Failed,
    /// A person paused it, or let it go on.
    Paused(bool),
    /// Time went by, or the devices changed.
    Tick,
    /// A person stopped it.
    Stopped,
}

/// What a planner answers for a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Job,
    /// A job that only asks: it needs no device.
    AtDesk,
    Idle,
    Done,
}

/// Why a job failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The device went away: says nothing of the job.
    Device,
    /// The ADB server went away: this says nothing of the job either.
    Server,
    /// The driver panicked.
    Panic,
    /// The device was there and did not do what it was asked.
    Other,
}

/// What a session that has too few devices may hope for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outlook {
    /// A device is being looked at this moment.
    Soon,
    /// What keeps the devices away passes by itself: it is worth any wait.
    Passing(String),
    /// Whether a device will come cannot be told; says why none can be used now.
    Open(String),
    /// None of the devices can ever be used.
    None,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Ask the planner for this slot and store the job; [`Event::Planned`] answers.
    Plan(Slot),
    /// Have the planner absorb this judged slot; [`Event::Absorbed`] answers.
    Absorb(Slot),
    /// Lease devices for this many jobs that wait; [`Event::Hired`] answers.
    Hire(usize),
    /// Give the job to the worker of this device.
    Hand {
        serial: String,
        slot: Slot,
        attempt: u32,
    },
    /// Have the run judged; [`Event::Judged`] answers.
    Judge(Slot),
    /// Let no further test begin.
    LastTests,
    /// Show that the session waits for a device, or (`None`) no longer does.
    Alone(Option<String>),
    Say(Saying),
    End(Ending),
}

/// What a person should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Saying {
    /// The time given is over.
    TimeOver { running: usize, unbegun: usize, grace: Duration },
    /// The grace of the tests that were under way is over, too.
    GraceOver { cut: usize },
}

/// How a session ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Complete,
    OutOfTime,
    Stopped,
    /// The planner gave neither a job nor an end for this slot, with nothing under way.
    Stalled(Slot),
    /// A job was tried this many times, and failed each time.
    JobFailed {
        slot: Slot,
        attempts: u32,
        last: String,
    },
    /// No device came within the patience; says why none can be used.
    NoDevice {
        waited: Duration,
        why: String,
    },
    /// None of the devices can ever be used.
    NoneFits,
    /// [`Event::Failed`].
    Failed,
}

impl Cause {
    /// Whether the try counts against the job.
    pub(super) fn counts(self) -> bool {
        matches!(self, Self::Panic | Self::Other)
    }
}

impl fmt::Display for Saying {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimeOver { running, unbegun, grace } => {
                f.write_str("the time given is over: no further test begins")?;
                match *running {
                    0 => {}
                    1 => write!(f, ", the one under way has {} s to end", grace.as_secs())?,
                    more => write!(f, ", the {more} under way have {} s to end", grace.as_secs())?,
                }
                match *unbegun {
                    0 => Ok(()),
                    1 => f.write_str("; one planned job is left out"),
                    more => write!(f, "; {more} planned jobs are left out"),
                }
            }
            Self::GraceOver { cut: 1 } => f.write_str("the grace is over: a test is cut in the middle"),
            Self::GraceOver { cut } => write!(f, "the grace is over: {cut} tests are cut in the middle"),
        }
    }
}
