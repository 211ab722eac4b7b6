//! What can end a session.

use thiserror::Error;

use crate::device::DeviceError;
use crate::store::StoreError;

#[derive(Debug, Error)]
pub enum LabError {
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(
        "no device is left to run on after {waited} s{last}; connect one (`droidmux devices` lists what ADB sees)"
    )]
    NoDevice { waited: u64, last: String },
    #[error(
        "{app} is not installed on any device of this session ({serials}); install it with `adb -s SERIAL install APK`"
    )]
    NotInstalled { app: String, serials: String },
    #[error("the disk of the store stayed full for {waited} s: {detail}; free some space and run again")]
    DiskFull { waited: u64, detail: String },
    #[error("traces to build on cannot be had: {0}")]
    Input(String),
    #[error("job {slot} was tried {attempts} times and failed each time, last with: {last}")]
    JobFailed { slot: String, attempts: u32, last: String },
    #[error(
        "the planner gave neither a job nor an end with nothing under way (slot {0}); this is a bug in droidmux"
    )]
    Stalled(String),
    #[error("a task of the lab ended unexpectedly: {0}; this is a bug in droidmux")]
    Task(String),
}

impl From<tokio::task::JoinError> for LabError {
    fn from(error: tokio::task::JoinError) -> Self {
        Self::Task(error.to_string())
    }
}
