//! What can go wrong with a bench.

use std::path::PathBuf;

use thiserror::Error;

use crate::device::DeviceError;
use crate::lab::LabError;
use crate::sim::{SimError, UnknownDefect};
use crate::store::StoreError;

#[derive(Debug, Error)]
pub enum BenchError {
    #[error("no {what} {name:?}; there are {}", known.join(", "))]
    Unknown { what: &'static str, name: String, known: Vec<String> },
    #[error("{what} {path}: {source}")]
    Io { what: &'static str, path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Lab(#[from] LabError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error(transparent)]
    Sim(#[from] SimError),
    #[error(transparent)]
    Defect(#[from] UnknownDefect),
    #[error("a task of the bench ended unexpectedly: {0}; this is a bug in droidmux")]
    Task(String),
    #[error("the replay of a finding gave no run; this is a bug in droidmux")]
    NoRun,
    #[error("interrupted")]
    Interrupted,
}
