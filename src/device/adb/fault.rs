//! Why there is no dump.

use droidmux_gui::DumpError;

use super::agent::Refusal;

/// Why one dump is missing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum DumpFault {
    /// The line in which the tool, or the shell, says why.
    #[error("uiautomator: {0}")]
    Uiautomator(String),
    #[error("uiautomator: it said it was done, but wrote no file")]
    NoFile,
    #[error("uiautomator: it shows no window of display {0}")]
    NoDisplay(u32),
    #[error("agent: the active window shows nothing")]
    NoWindow,
    #[error("agent: its dump is no text")]
    NoText,
    #[error("agent: {0}")]
    Refused(Refusal),
    #[error("the dump cannot be read: {0}")]
    Unreadable(DumpError),
}
