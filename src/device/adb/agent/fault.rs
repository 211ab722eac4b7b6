//! Why the agent did not do what it was asked.

use std::sync::Arc;
use std::time::Duration;

use super::http::HttpError;
use super::jar::JarError;
use super::rpc::{Refusal, RpcError};
use super::{PORT, process::LastWords};
use crate::DeviceErrorKind;

/// Why a session has no resident agent although one is wanted.
#[derive(Clone, Debug, thiserror::Error)]
pub enum AgentError {
    /// The session wants it and does not say where it is.
    #[error("no agent is named")]
    NotNamed,
    /// What is named is no agent.
    #[error("there is no agent: {0}")]
    Jar(Arc<JarError>),
    /// The task that looked for it died: the runtime's words.
    #[error("there is no agent: {0}")]
    Search(String),
    /// It is there and does not run on this device: says why.
    #[error("the agent does not start: {0}")]
    Start(String),
}

/// Why the agent did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    /// The device itself is lost, or does not answer: nothing to do with the agent.
    #[error(transparent)]
    Device(DeviceErrorKind),
    /// It is gone, or talks nonsense.
    #[error(transparent)]
    Broken(#[from] Breakdown),
    /// It took the request and never answered.
    #[error("no answer within {0:?}")]
    Silent(Duration),
}

/// How the agent is of no use.
#[derive(Debug, thiserror::Error)]
pub(super) enum Breakdown {
    #[error("it needs shell v2, which came with Android 7")]
    OldShell,
    #[error("it is not wanted")]
    NotWanted,
    #[error(transparent)]
    Jar(#[from] JarError),
    #[error("it ended at once: {0}")]
    Ended(LastWords),
    #[error("it was not ready within {within:?}: {words}")]
    NotReady { within: Duration, words: LastWords },
    #[error("nothing listens on the device's port {PORT} ({0})")]
    NoPort(DeviceErrorKind),
    #[error(transparent)]
    Http(#[from] HttpError),
    #[error(transparent)]
    Rpc(#[from] RpcError),
    #[error("{0}")]
    Refused(Refusal),
    /// The task that read a file or an answer died.
    #[error("{0}")]
    Task(#[from] tokio::task::JoinError),
    #[error("{times} answers in a row took longer than {limit:?}")]
    Slow { times: u32, limit: Duration },
    /// It died, was started again, and did not work then either.
    #[error("{first}; when it was started again: {then}")]
    Twice { first: Box<Breakdown>, then: Box<Fault> },
}
