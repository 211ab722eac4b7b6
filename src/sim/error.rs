//! What can go wrong when a simulated lab is started.

use thiserror::Error;

/// Why a simulated lab could not be started.
#[derive(Debug, Error)]
pub enum SimError {
    #[error(
        "cannot listen on 127.0.0.1:{port} for {what}: {source}; choose another port or 0 for a free one"
    )]
    /// A port is taken, or the system refuses to let us listen on it.
    Bind {
        /// Which door, in words: the ADB server, a device's adbd.
        what: String,
        /// The port that was asked for.
        port: u16,
        /// The system's own error.
        source: std::io::Error,
    },
    /// The framework lab's app or its host cannot be started; why, in words.
    #[error("the framework lab: {0}")]
    Framework(String),
    /// An option makes no sense; why, in words.
    #[error("{0}")]
    Option(String),
}
