//! What can end a session.

use thiserror::Error;

use super::panics::Panic;
use droidmux_device::DeviceError;
use droidmux_llm::{LlmError, VectorsError};
use droidmux_picture::PictureError;
use droidmux_record::{AppBuild, SessionId};
use droidmux_store::StoreError;

/// Why a session cannot begin, cannot go on, or ended before its end.
#[derive(Debug, Error)]
pub enum LabError {
    /// Trouble with a device or with ADB that no other device mends.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// What the store could not read or write.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No device could be used for as long as a session waits for one.
    #[error(
        "no device is left to run on after {waited} s{why}; connect one (`droidmux devices` lists what ADB sees)"
    )]
    NoDevice {
        /// Seconds.
        waited: u64,
        /// What is known of the reasons, with the punctuation that precedes it; empty if nothing is known.
        why: String,
    },
    /// The session would end before its first test; nothing is recorded of it.
    #[error(
        "`max-events` = {given} is too little for one test of this session; the least that works is {least}"
    )]
    TooFewEvents {
        /// The limit in the session file.
        given: u64,
        /// The lowest limit under which anything is planned.
        least: u64,
    },
    /// All devices were looked at, and none has the app.
    #[error(
        "{app} is not installed on any device of this session ({serials}); install it with `adb -s SERIAL install APK`"
    )]
    NotInstalled {
        /// The package.
        app: String,
        /// The devices, separated by commas.
        serials: String,
    },
    /// Each device is unfit for good: their serials with the reasons, separated by `; `.
    #[error("no device of this session can be used: {0}")]
    NoneFits(String),
    /// A session that is to go on is already over.
    #[error("{session} is over ({ending}); only a session that was interrupted can go on")]
    Over {
        /// The session of the store.
        session: SessionId,
        /// How it ended, in words; empty when that is not stored.
        ending: String,
    },
    /// A session that is to go on is under way in this lab.
    #[error("{0} is running already")]
    Running(SessionId),
    /// A session that is to go on would be planned differently by this droidmux.
    #[error(
        "{session} was planned by version {stored} of its planner (droidmux {droidmux}), this droidmux has version {ours}; go on with that droidmux, or run its session file as a new session"
    )]
    OtherPlanner {
        /// The session of the store.
        session: SessionId,
        /// The version of the planner that began it.
        stored: u32,
        /// The version of the planner in this droidmux.
        ours: u32,
        /// The version of the droidmux that began it.
        droidmux: String,
    },
    /// What the planner says of the session's past is not what is stored.
    #[error(
        "the session cannot go on: {at} comes out differently when it is planned again: {what}; `droidmux store verify --rederive` says more"
    )]
    Strayed {
        /// The job or judgement of the store.
        at: String,
        /// The stored value and the one that came out.
        what: String,
    },
    /// A session that is to go on would test another build of the app.
    #[error(
        "{serial} has {} {} ({}) now, this session was recorded with {} ({}); install that build again, or go on all the same with `droidmux run --resume SESSION --accept-builds`",
        now.package, now.version_name, now.version_code, before.version_name, before.version_code
    )]
    OtherApp {
        /// The first device on which that was seen.
        serial: String,
        /// The build that the session has run on this device.
        before: Box<AppBuild>,
        /// The build that is installed.
        now: Box<AppBuild>,
    },
    /// A language model cannot be asked, and would not be later either.
    #[error(transparent)]
    Model(#[from] LlmError),
    /// A question is not among the recorded ones, which `strict` forbids: what differs.
    #[error("the recording does not fit (`strict`): {0}; without `strict` the session goes on")]
    NotRecorded(String),
    /// The word vectors that examples are looked up by cannot be had at all.
    #[error("the words of examples have no vectors: {0}")]
    Vectors(#[from] VectorsError),
    /// Without it, the question would be a different one.
    #[error("a picture for a language model cannot be drawn: {0}")]
    Picture(#[from] PictureError),
    /// A consultation in a session that has no client for a model.
    #[error("{0} asks a language model, though sessions of its kind do not; this is a bug in droidmux")]
    NoModel(SessionId),
    /// A person stopped it while it was being resumed, before anything new was done.
    #[error("stopped while the session's past was read; it can be resumed as before")]
    StoppedReading,
    /// Nobody made room on the disk for as long as a write waits.
    #[error("the disk of the store stayed full for {waited} s: {detail}; free some space and run again")]
    DiskFull {
        /// Seconds.
        waited: u64,
        /// What the store said of its last attempt.
        detail: String,
    },
    /// Sessions or folders named in `from` are missing or of no use: which, and why.
    #[error("traces to build on cannot be had: {0}")]
    Input(String),
    /// A job failed as often as it may be tried.
    #[error("job {slot} was tried {attempts} times and failed each time, last with: {last}")]
    JobFailed {
        /// The slot of the job.
        slot: String,
        /// Attempts, on any device.
        attempts: u32,
        /// Why the last of them failed.
        last: String,
    },
    /// The slot that the planner was asked for when it gave this answer.
    #[error(
        "the planner gave neither a job nor an end with nothing under way (slot {0}); this is a bug in droidmux"
    )]
    Stalled(String),
    /// The task that was cancelled, or whose result is missing.
    #[error("a task of the lab ended unexpectedly: {0}; this is a bug in droidmux")]
    Task(String),
    /// A panic that was caught: the session ends, the lab goes on.
    #[error("{who} panicked: {what}; this is a bug in droidmux")]
    Panicked {
        /// Which part of droidmux, in words.
        who: &'static str,
        /// The panic's message.
        what: Panic,
    },
}

impl From<tokio::task::JoinError> for LabError {
    fn from(error: tokio::task::JoinError) -> Self {
        match error.try_into_panic() {
            Ok(panic) => Self::Panicked { who: "a task of the lab", what: Panic::of(&*panic) },
            Err(error) => Self::Task(error.to_string()),
        }
    }
}
