//! What can end a session.

use thiserror::Error;

use super::panics;
use crate::device::DeviceError;
use crate::llm::{LlmError, VectorsError};
use crate::picture::PictureError;
use crate::record::{AppBuild, SessionId};
use crate::store::StoreError;

#[derive(Debug, Error)]
pub enum LabError {
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(
        "no device is left to run on after {waited} s{why}; connect one (`droidmux devices` lists what ADB sees)"
    )]
    NoDevice { waited: u64, why: String },
    #[error(
        "`max-events` = {given} is too little for one test of this session; the least that works is {least}"
    )]
    TooFewEvents { given: u64, least: u64 },
    #[error(
        "{app} is not installed on any device of this session ({serials}); install it with `adb -s SERIAL install APK`"
    )]
    NotInstalled { app: String, serials: String },
    #[error("no device of this session can be used: {0}")]
    NoneFits(String),
    #[error("{session} is over ({ending}); only a session that was interrupted can go on")]
    Over { session: SessionId, ending: String },
    #[error("{0} is running already")]
    Running(SessionId),
    #[error(
        "{session} was planned by version {stored} of its planner (droidmux {droidmux}), this droidmux has version {ours}; go on with that droidmux, or run its session file as a new session"
    )]
    OtherPlanner { session: SessionId, stored: u32, ours: u32, droidmux: String },
    #[error(
        "the session cannot go on: {at} comes out differently when it is planned again: {what}; `droidmux store verify --rederive` says more"
    )]
    Strayed { at: String, what: String },
    #[error(
        "{serial} has {} {} ({}) now, this session was recorded with {} ({}); install that build again, or go on all the same with `droidmux run --resume SESSION --accept-builds`",
        now.package, now.version_name, now.version_code, before.version_name, before.version_code
    )]
    OtherApp { serial: String, before: Box<AppBuild>, now: Box<AppBuild> },
    #[error(transparent)]
    Model(#[from] LlmError),
    #[error("the recording does not fit (`strict`): {0}; without `strict` the session goes on")]
    NotRecorded(String),
    #[error("the words of examples have no vectors: {0}")]
    Vectors(#[from] VectorsError),
    #[error("a picture for a language model cannot be drawn: {0}")]
    Picture(#[from] PictureError),
    #[error("{0} asks a language model, though sessions of its kind do not; this is a bug in droidmux")]
    NoModel(SessionId),
    #[error("stopped while the session's past was read; it can be resumed as before")]
    StoppedReading,
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
    #[error("{who} panicked: {what}; this is a bug in droidmux")]
    Panicked { who: &'static str, what: String },
}

impl From<tokio::task::JoinError> for LabError {
    fn from(error: tokio::task::JoinError) -> Self {
        match error.try_into_panic() {
            Ok(panic) => Self::Panicked { who: "a task of the lab", what: panics::words(&*panic) },
            Err(error) => Self::Task(error.to_string()),
        }
    }
}
