//! Why the cockpit could not start or had to end.

use std::io;

/// Errors of [`super::run`]. Whatever happens, the terminal has been restored before one is
/// returned.
#[derive(Debug, thiserror::Error)]
pub enum TuiError {
    #[error("the cockpit needs a terminal; use `--headless`, or run it in one")]
    NoTerminal,
    #[error("the terminal could not be set up: {0}")]
    SetUp(#[source] io::Error),
    #[error("the terminal failed: {0}")]
    Terminal(#[source] io::Error),
    #[error("signals cannot be received: {0}")]
    Signals(#[source] io::Error),
}
