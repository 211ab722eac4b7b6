//! What can go wrong with a bench.

use std::path::PathBuf;

use thiserror::Error;

use droidmux_device::DeviceError;
use droidmux_lab::LabError;
use droidmux_sim::{SimError, UnknownDefect};
use droidmux_store::StoreError;

/// Why a bench, or one of its trials, could not go on.
#[derive(Debug, Error)]
pub enum BenchError {
    /// A requested name that does not exist.
    #[error("no {what} {name:?}; there are {}", known.join(", "))]
    Unknown {
        /// The kind of thing that was named: a contender, an app.
        what: &'static str,
        /// The name that was asked for.
        name: String,
        /// All existing names.
        known: Vec<String>,
    },
    /// A file or folder of the bench cannot be read or written.
    #[error("{what} {path}: {source}")]
    Io {
        /// What was to be done with it.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's message.
        source: std::io::Error,
    },
    /// A session of a trial could not be run.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// The store that a trial keeps while it runs failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A simulated device did not do what it was asked to.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The simulated lab of a trial did not start.
    #[error(transparent)]
    Sim(#[from] SimError),
    /// An app has no defect with that id.
    #[error(transparent)]
    Defect(#[from] UnknownDefect),
    /// A task panicked, with its message.
    #[error("a task of the bench ended unexpectedly: {0}; this is a bug in droidmux")]
    Task(String),
    /// There are only records of an app.
    #[error("the APK of {0} is not at hand; --apks names the folder with {0}.apk")]
    NoApk(String),
    /// No defects can be chosen in an app.
    #[error("{app}: {why}")]
    NoChoice {
        /// Its name.
        app: String,
        /// Why not, in words.
        why: String,
    },
    /// A file of judgements cannot be used.
    #[error("the judgements on real apps: {0}")]
    Judgements(String),
    /// The session that replays a finding ended without a judged job.
    #[error("the replay of a finding gave no run; this is a bug in droidmux")]
    NoRun,
    /// A person ended the bench; finished trials are kept.
    #[error("interrupted")]
    Interrupted,
}
