//! What can go wrong with a device, and what to do about it.

use thiserror::Error;

/// A failed request to a device.
#[derive(Clone, Debug, Error)]
#[error("{serial}: {what}: {kind}")]
pub struct DeviceError {
    /// The device's serial, as the ADB server lists it.
    pub serial: String,
    /// What was being done, e.g. the shell command.
    pub what: String,
    /// What went wrong; decides whether the job is run again, and where.
    pub kind: DeviceErrorKind,
}

/// What can go wrong with a request, grouped by what can be done about it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeviceErrorKind {
    /// The device or the connection to it is gone; the job must be run again.
    #[error("the device was lost ({0})")]
    Lost(String),
    /// Nothing listens at this address: the server's `host:port`.
    #[error("no ADB server answers at {0}; start one with `adb start-server`")]
    NoServer(String),
    /// The host that has the device cannot be reached, and why: its network, its `ssh`, what carries the requests.
    #[error("{host} cannot be reached: {why}")]
    Unreachable {
        /// What it is called.
        host: Box<str>,
        /// In words, with what to do about it.
        why: Box<str>,
    },
    /// The device may be busy or hang; holds how long it was waited for.
    #[error("no answer within {0:?}")]
    TimedOut(std::time::Duration),
    /// The session stops, or the device's lease has ended: nothing is wrong with the device.
    #[error("cancelled")]
    Cancelled,
    /// The app of this package.
    #[error("{0} is not installed")]
    NotInstalled(String),
    /// In a state that only a person can end, in ADB's words: `unauthorized`, `offline`, locked.
    #[error("the device is {0}")]
    NotReady(String),
    /// What the session file chooses in `[app]` is not to be had on this device: what, and what there is.
    #[error("{0}")]
    Misplaced(String),
    /// Another lab has held it for this many seconds.
    #[error("leased by {whose} since {age_s} s ago")]
    Leased {
        /// Who holds it, and for which session: `ann@host, s3`.
        whose: String,
        /// By the device's clock; 0 when it was taken just now.
        age_s: u64,
    },
    /// A shell command ran and failed.
    #[error("{command} failed with exit code {code}: {output}; {remedy}")]
    Command {
        /// Tool and command, e.g. `settings put`.
        command: Box<str>,
        /// 0 only when the output alone says that it failed.
        code: i32,
        /// What it said, in one line: 300 characters at most.
        output: Box<str>,
        /// What a person can do.
        remedy: Box<str>,
    },
    /// The system keeps the shell from something that sessions need, until a person moves a switch on the device.
    #[error("{command} is refused by the device (`{output}`): {remedy}")]
    Refused {
        /// Tool and command, e.g. `input tap`.
        command: Box<str>,
        /// What it said, in one line: 300 characters at most.
        output: Box<str>,
        /// Which switch, on a phone of this maker.
        remedy: Box<str>,
    },
    /// The device's answer could not be understood.
    #[error("unexpected answer: {0}")]
    Answer(String),
    /// The package manager refused a build; the reason, in its words.
    #[error("the package manager refused it: {0}")]
    Uninstallable(String),
    /// Neither `input`, nor the resident agent, nor ADBKeyBoard has a way to type these characters.
    #[error("cannot type {0:?} on this device: it needs the resident agent, or ADBKeyBoard installed")]
    Untypable(String),
    /// The device has no way to do what an event wants, or could not undo it; says why.
    #[error("this device cannot do it: {0}")]
    Unsupported(String),
    /// The device is not what the session recorded before it was interrupted.
    #[error(
        "its system is {now}, it was {before} when this session used it last; it is left out (`--accept-builds` takes it)"
    )]
    OtherBuild {
        /// The `ro.build.fingerprint` that was recorded.
        before: String,
        /// The build that the device has.
        now: String,
    },
}

impl DeviceErrorKind {
    /// True when nothing more can be done on this device for now: the lease should end and the job should be run again
    /// elsewhere.
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Lost(_) | Self::NotReady(_)) || self.is_serverless()
    }

    /// True when it is not the device that failed but the way to it: its server, or its host.
    pub fn is_serverless(&self) -> bool {
        matches!(self, Self::NoServer(_) | Self::Unreachable { .. })
    }
}
