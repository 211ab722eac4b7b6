//! What can go wrong with a device, and what to do about it.

use thiserror::Error;

/// A failed request to a device.
#[derive(Clone, Debug, Error)]
#[error("{serial}: {what}: {kind}")]
pub struct DeviceError {
    /// The device that was asked; the server's address when it was the server.
    pub serial: String,
    /// What was being done, e.g. the shell command.
    pub what: String,
    /// Decides what is done about it: whether the lease ends and the job runs again elsewhere.
    pub kind: DeviceErrorKind,
}

/// What can go wrong between the lab and a device.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeviceErrorKind {
    /// The device or the connection to it is gone; the job must be run again.
    #[error("the device was lost ({0})")]
    Lost(String),
    /// The address that was tried, `host:port`.
    #[error("no ADB server answers at {0}; start one with `adb start-server`")]
    NoServer(String),
    /// How long was waited: the device may still be at it.
    #[error("no answer within {0:?}")]
    TimedOut(std::time::Duration),
    /// The session ends, or the device was taken from it.
    #[error("cancelled")]
    Cancelled,
    /// The package that was asked for.
    #[error("{0} is not installed")]
    NotInstalled(String),
    /// ADB's word, or what a person must do: `offline`, `unauthorized`, locked.
    #[error("the device is {0}")]
    NotReady(String),
    /// Another lab has it.
    #[error("leased by {0}")]
    Leased(String),
    /// A shell command that must not fail failed.
    #[error("exit code {code}: {output}")]
    Command {
        /// The shell's exit code, not 0.
        code: i32,
        /// A little of what it printed.
        output: String,
    },
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
    OtherBuild {
        /// The fingerprint that was recorded.
        before: String,
        /// The fingerprint it has.
        now: String,
    },
}

impl DeviceErrorKind {
    /// True when nothing more can be done on this device for now: the lease should end and the
    /// job be run again elsewhere.
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Lost(_) | Self::NoServer(_) | Self::NotReady(_))
    }
}
