//! Why a child did not become a sandbox, in which case it runs nothing.

use std::io;

use rustix::io::Errno;
use thiserror::Error;

use super::Probe;

/// What a child could not give up, or did not get.
#[derive(Debug, Error)]
pub(super) enum SandboxError {
    #[error("{what} could not be limited: {error}")]
    Limit { what: &'static str, error: Errno },
    #[error("inherited descriptors could not be closed: {0}")]
    Descriptors(io::Error),
    #[error("/proc/self/statm: {0}")]
    Size(io::Error),
    #[error("/proc/self/statm holds no size")]
    NoSize,
    /// The processor or the kernel is not supported: in their filter's words.
    #[error("system calls could not be shut off: {0}")]
    Seal(String),
    #[error("system calls could not be shut off: the policy has no filter")]
    NoFilter,
    #[error("QuickJS did not start: {0}")]
    Engine(#[from] rquickjs::Error),
    #[error("the request was not read: {0}")]
    Request(io::Error),
}

/// Something that the sandbox must prevent, and does not on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("code in the sandbox can do what it must not: {0:?}")]
pub struct Hole(pub Probe);
