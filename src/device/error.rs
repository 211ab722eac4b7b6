//! What can go wrong with a device, and what to do about it.

use thiserror::Error;

/// A failed request to a device.
#[derive(Clone, Debug, Error)]
#[error("{serial}: {what}: {kind}")]
pub struct DeviceError {
    pub serial: String,
    /// What was being done, e.g. the shell command.
    pub what: String,
    pub kind: DeviceErrorKind,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeviceErrorKind {
    /// The device or the connection to it is gone; the job must be run again.
    #[error("the device was lost ({0})")]
    Lost(String),
    #[error("no ADB server answers at {0}; start one with `adb start-server`")]
    NoServer(String),
    #[error("no answer within {0:?}")]
    TimedOut(std::time::Duration),
    #[error("cancelled")]
    Cancelled,
    #[error("{0} is not installed")]
    NotInstalled(String),
    #[error("the device is {0}")]
    NotReady(String),
    /// Another lab has had it for so many seconds.
    #[error("leased by {whose} since {age_s} s ago")]
    Leased { whose: String, age_s: u64 },
    #[error("exit code {code}: {output}")]
    Command { code: i32, output: String },
    /// The device answered something that could not be understood.
    #[error("unexpected answer: {0}")]
    Answer(String),
    /// Neither `input`, nor the resident agent, nor ADBKeyBoard has a way to type these characters.
    #[error("cannot type {0:?} on this device: it needs the resident agent, or ADBKeyBoard installed")]
    Untypable(String),
    /// Not what the session recorded on it before it was interrupted.
    #[error(
        "its system is {now}, it was {before} when this session used it last; it is left out (`--accept-builds` takes it)"
    )]
    OtherBuild { before: String, now: String },
}

impl DeviceErrorKind {
    /// True when nothing more can be done on this device for now: the lease should end and the
    /// job be run again elsewhere.
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Lost(_) | Self::NoServer(_) | Self::NotReady(_))
    }
}
