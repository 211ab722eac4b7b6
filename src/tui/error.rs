//! Why the cockpit could not start or had to end.

use std::io;

/// Errors of [`super::run`]. Whatever happens, the terminal has been restored before one is
/// returned.
#[derive(Debug, thiserror::Error)]
pub enum TuiError {
    /// Standard output is a pipe or a file.
    #[error("the cockpit needs a terminal; use `--headless`, or run it in one")]
    NoTerminal,
    /// Raw mode or the alternate screen was refused.
    #[error("the terminal could not be set up: {0}")]
    SetUp(#[source] io::Error),
    /// Reading keys or writing frames failed later on, e.g. because its window was closed.
    #[error("the terminal failed: {0}")]
    Terminal(#[source] io::Error),
    /// The system gave no handler for one of the signals that end the cockpit.
    #[error("signals cannot be received: {0}")]
    Signals(#[source] io::Error),
}
