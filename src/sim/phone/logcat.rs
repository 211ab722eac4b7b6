//! Logcat: ring buffers of lines.

/// A log buffer, as `logcat -b` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Buffer {
    Main,
    System,
    Crash,
    Events,
}

/// One line of logcat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    pub buffer: Buffer,
    /// Milliseconds since 1970, of the phone's clock.
    pub time_ms: u64,
    pub pid: u32,
    pub tid: u32,
    /// V, D, I, W, E or F.
    pub level: char,
    pub tag: String,
    pub message: String,
}

impl LogLine {
    /// `03-06 10:06:00.000  1234  1234 E AndroidRuntime: text`, the default form of logcat.
    pub fn threadtime(&self) -> String {
        todo!()
    }
}
