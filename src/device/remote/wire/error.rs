//! Errors on the wire.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use droidmux_device::{DeviceError, DeviceErrorKind};

/// A request that failed. The phone is known to whoever asked.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// What was being done.
    pub what: String,
    /// What went wrong.
    #[serde(with = "KindWire")]
    pub kind: DeviceErrorKind,
}

impl From<DeviceError> for Fault {
    fn from(error: DeviceError) -> Self {
        Self { what: error.what, kind: error.kind }
    }
}

impl Fault {
    /// The error of the phone with this name.
    pub fn of(self, serial: &str) -> DeviceError {
        DeviceError { serial: serial.to_owned(), what: self.what, kind: self.kind }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DeviceErrorKind", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
enum KindWire {
    Lost(String),
    NoServer(String),
    Unreachable { host: Box<str>, why: Box<str> },
    TimedOut(Duration),
    Cancelled,
    NotInstalled(String),
    NotReady(String),
    Misplaced(String),
    Leased { whose: String, age_s: u64 },
    Command { command: Box<str>, code: i32, output: Box<str>, remedy: Box<str> },
    Refused { command: Box<str>, output: Box<str>, remedy: Box<str> },
    Answer(String),
    Uninstallable(String),
    Untypable(String),
    Unsupported(String),
    OtherBuild { before: String, now: String },
}
