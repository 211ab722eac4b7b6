//! The lab's log: what is written to it, and what viewers read of it.

use super::Hub;
use droidmux_proto::{LogLens, LogLevel, LogRow};
use droidmux_record::IncidentKind;

impl Hub {
    /// Writes a line of the lab's log; `source` is a device, a session or a part of the lab.
    pub fn info(&self, source: &str, text: &str) {
        self.change(|state| state.journal.write(LogLevel::Info, source, text));
    }

    /// Like [`info`](Self::info), but as a warning, which is also an incident: hooks run on it.
    pub fn warn(&self, source: &str, text: &str) {
        self.change(|state| state.journal.write(LogLevel::Warn, source, text));
        self.happened(source, IncidentKind::Warning(text.into()));
    }

    /// Like [`warn`](Self::warn), for something that failed: a session, a job, a device.
    pub fn error(&self, source: &str, text: &str) {
        self.change(|state| state.journal.write(LogLevel::Error, source, text));
        self.happened(source, IncidentKind::Error(text.into()));
    }

    /// The rows of the log that are kept, repetitions folded.
    pub fn log(&self) -> Vec<LogRow> {
        let (.., rows) = self.log_page(&LogLens::default(), 0, u32::MAX);
        rows.into_iter().map(|(_, row)| row).collect()
    }

    /// Rows of the log from `from` on: how many there are, how many lines were written, and the rows themselves.
    pub(crate) fn log_page(&self, lens: &LogLens, from: u64, limit: u32) -> (u64, u64, Vec<(u64, LogRow)>) {
        let state = self.lock();
        let rows = state.journal.rows();
        (rows.len(lens), state.journal.len(), rows.page(lens, from, limit))
    }

    /// The nearest row of the log that holds a text.
    pub(crate) fn seek_log(&self, lens: &LogLens, from: u64, backwards: bool, text: &str) -> Option<u64> {
        self.lock().journal.rows().seek(lens, from, backwards, text)
    }
}
