//! The lab's own log as a viewer reads it: repeated lines folded into one, filtered by level and source.

use serde::{Deserialize, Serialize};

use super::{LogLevel, LogView};

/// Which rows of the log; rows are counted among them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLens {
    /// This level and above.
    pub least: LogLevel,
    /// From this device, session or part of the lab; empty for the lab itself.
    pub source: Option<String>,
}

/// A line, or several identical ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogRow {
    /// The first of them.
    pub line: LogView,
    /// How many there are.
    pub times: u64,
    /// When the last one was logged, in milliseconds since the Unix epoch.
    pub last_ms: u64,
}

impl Default for LogLens {
    /// The whole log.
    fn default() -> Self {
        Self { least: LogLevel::Info, source: None }
    }
}

impl LogRow {
    /// The latest rows that may still grow.
    pub const STILL_FOLDED: u64 = 16;

    /// A single line.
    pub fn of(line: LogView) -> Self {
        let last_ms = line.at_ms;
        Self { line, times: 1, last_ms }
    }
}
