//! The lab's own log: its last rows for viewers, repetitions folded; every line for the log file.

use std::time::{SystemTime, UNIX_EPOCH};

use super::log_rows::LogRows;
use droidmux_proto::{LogLevel, LogView};

#[derive(Debug, Default)]
pub(super) struct Journal {
    rows: LogRows,
    written: u64,
    alarms: u64,
}

impl Journal {
    pub(super) fn write(&mut self, level: LogLevel, source: &str, text: &str) {
        match level {
            LogLevel::Info => tracing::info!(source, "{text}"),
            LogLevel::Warn => tracing::warn!(source, "{text}"),
            LogLevel::Error => tracing::error!(source, "{text}"),
        }
        let line =
            LogView { seq: self.written, at_ms: now_ms(), level, source: source.into(), text: text.into() };
        self.rows.write(line);
        self.written += 1;
        self.alarms += u64::from(level != LogLevel::Info);
    }

    /// The last rows.
    pub(super) fn rows(&self) -> &LogRows {
        &self.rows
    }

    /// Lines written so far.
    pub(super) fn len(&self) -> u64 {
        self.written
    }

    /// Warnings and errors so far.
    pub(super) fn alarms(&self) -> u64 {
        self.alarms
    }
}

/// Milliseconds since the Unix epoch.
pub(super) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
