//! What can go wrong when a simulated lab is started.

use thiserror::Error;

/// Why a simulated lab could not be started.
#[derive(Debug, Error)]
pub enum SimError {
    #[error(
        "cannot listen on 127.0.0.1:{port} for {what}: {source}; choose another port or 0 for a free one"
    )]
    Bind { what: String, port: u16, source: std::io::Error },
    #[error("{0}")]
    Option(String),
}
