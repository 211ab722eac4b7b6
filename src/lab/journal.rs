//! The lab's own log: the last lines, numbered, for viewers; all of them for the log file.

use std::collections::VecDeque;
use std::time::{SystemTime, UNIX_EPOCH};

use super::log_rows::LogRows;
use crate::proto::{LogLevel, LogView};

/// Lines kept for viewers; the log file has all.
const KEPT: usize = 5_000;

#[derive(Debug, Default)]
pub(super) struct Journal {
    lines: VecDeque<LogView>,
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
        if self.lines.len() == KEPT {
            self.lines.pop_front();
        }
        let line =
            LogView { seq: self.written, at_ms: now_ms(), level, source: source.into(), text: text.into() };
        self.lines.push_back(line.clone());
        self.rows.write(line);
        self.written += 1;
        self.alarms += u64::from(level != LogLevel::Info);
    }

    /// Lines from sequence `from` on, at most `limit`; lines no longer kept are left out.
    pub(super) fn read(&self, from: u64, limit: u32) -> Vec<LogView> {
        self.lines.iter().filter(|line| line.seq >= from).take(limit as usize).cloned().collect()
    }

    /// The same with repetitions folded.
    pub(super) fn rows(&self) -> &LogRows {
        &self.rows
    }

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
